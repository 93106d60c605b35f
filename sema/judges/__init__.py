"""Judges: models that predict human ratings of a simplification from features, and the metrics built on them."""
