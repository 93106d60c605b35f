"""Trains the cross-encoder of all languages."""
