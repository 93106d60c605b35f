"""Features: numbers computed from an item, in named groups, for judges and for users' own models."""
