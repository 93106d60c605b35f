"""Public data sets: locations and readers."""
