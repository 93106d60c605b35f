"""Public data sets: where they lie, and what is in them."""
