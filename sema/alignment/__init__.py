"""Word aligners, one module per technique; their protocol is in :mod:`sema.model.links`."""

from sema.model.links import Aligner, Link, LinkKind, Pair

__all__ = ["Aligner", "Link", "LinkKind", "Pair"]
