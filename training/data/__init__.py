"""Readers of public and rated sets, and texts broken on purpose: for training and benchmarks."""
