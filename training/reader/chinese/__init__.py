"""Trains the Chinese cross-encoder."""
