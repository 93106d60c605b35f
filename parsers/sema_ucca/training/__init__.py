"""Training of the English scene parser: ``python -m sema_ucca.training all`` (needs the extra ``train``)."""
