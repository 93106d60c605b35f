"""UCCA scene graphs: standard XML in and out, passages and sentences, and the parser that builds them."""
