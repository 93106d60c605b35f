"""The network that reads a source and an output in one pass, in any language."""
