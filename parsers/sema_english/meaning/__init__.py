"""English meaning: the learned cross-encoder and the readers of facts."""
