"""The readers of facts of Chinese."""
