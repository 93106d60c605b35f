"""What training Stanza's models needs in any language: trees that can be edited, punctuation, tags, the trainers,
and the graphs that ship."""
