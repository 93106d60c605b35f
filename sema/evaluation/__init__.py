"""Compares systems with each other and metrics with human ratings: significance, correlation, agreement."""
