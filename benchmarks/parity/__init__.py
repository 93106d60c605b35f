"""The same numbers as other programs, and as before."""
