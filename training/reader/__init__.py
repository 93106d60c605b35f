"""Trains the pair reader of all languages."""
