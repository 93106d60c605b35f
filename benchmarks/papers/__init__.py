"""Tables of the papers."""
