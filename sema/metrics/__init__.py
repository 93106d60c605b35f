"""Metrics: pure functions and the classes around them, one file a family, and the one registry of their names."""
