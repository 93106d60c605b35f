"""UCCA scene graphs: standard XML in and out, passages and sentences, and the parsers that build them."""

from sema_ucca.english import english

__all__ = ["english"]
