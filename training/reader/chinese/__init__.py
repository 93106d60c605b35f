"""Trains the Chinese reader of pairs."""
