"""Trains the network that reads pairs of texts in every language."""
