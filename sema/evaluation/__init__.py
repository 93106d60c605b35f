"""Systems compared, metrics held against people: significance, correlation, agreement."""
