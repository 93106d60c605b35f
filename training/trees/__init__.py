"""The parser of all languages: what it learns from, its networks, their training and export."""
