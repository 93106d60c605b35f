"""Readers of public and rated sets, for training and benchmarks."""
