"""Plain data and protocols: text, scene graph, links, lexicon, evidence, items."""
