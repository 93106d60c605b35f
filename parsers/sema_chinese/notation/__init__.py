"""What Chinese writes in different signs: numbers; and its function words."""
