"""Word aligners, one module per technique; their protocol is in :mod:`sema.model.links`."""
