"""Metrics as objectives: the best of n-best lists, decoding by consensus, weights tuned to a metric."""
