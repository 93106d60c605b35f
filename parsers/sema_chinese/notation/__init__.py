"""What Chinese writes in several notations: numbers."""
