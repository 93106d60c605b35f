"""Scenes from dependency trees: UD trees, CoNLL-U files, Stanza, and the Chinese models that ship here."""

from sema_ud.languages import chinese, generic

__all__ = ["chinese", "generic"]
