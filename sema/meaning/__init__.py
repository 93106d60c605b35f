"""Meaning: the scores of a pair and the findings that explain them."""
