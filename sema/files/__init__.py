"""Texts and tables in; rows and scene files out."""
