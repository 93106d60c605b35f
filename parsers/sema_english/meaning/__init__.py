"""English meaning: the learned reader of pairs and the readers of facts."""
