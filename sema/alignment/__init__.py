"""Word aligners: the protocol in :mod:`sema.alignment.base`, one module a technique beside it."""

from sema.alignment.base import Aligner, Link, LinkKind, Pair

__all__ = ["Aligner", "Link", "LinkKind", "Pair"]
