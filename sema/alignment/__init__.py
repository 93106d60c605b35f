"""Word aligners: the protocol in :mod:`sema.model.links`, one module a technique beside it."""

from sema.model.links import Aligner, Link, LinkKind, Pair

__all__ = ["Aligner", "Link", "LinkKind", "Pair"]
