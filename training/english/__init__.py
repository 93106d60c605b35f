"""Training of the English models (extra ``train``)."""
