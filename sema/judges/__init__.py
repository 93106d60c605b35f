"""Judges: models that turn features into what people say of a simplification, and the metrics made of them."""
