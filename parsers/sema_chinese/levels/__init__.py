"""HSK levels of Chinese texts."""
