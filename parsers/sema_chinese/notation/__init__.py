"""What Chinese writes in several notations (numbers), and its function words."""
