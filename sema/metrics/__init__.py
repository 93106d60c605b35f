"""Metrics: pure functions and the classes around them, one module per family, and the registry of their names."""
