"""CEFR levels of English texts."""
