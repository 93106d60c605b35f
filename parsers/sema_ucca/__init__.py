"""UCCA scene graphs: standard XML in and out, passages and sentences, and the parsers that build them."""
