"""Feature groups of English."""
