"""Feature groups of Chinese."""
