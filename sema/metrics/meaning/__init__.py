"""Meaning: what was kept, lost and added, by word and by Scene; metrics in :mod:`sema.metrics.meaning.metrics`."""
