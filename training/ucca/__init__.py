"""Training of the English scene parser: ``python -m training.ucca all`` (needs the extra ``train``)."""
