"""Universal Dependencies: trees, CoNLL-U, Scenes from trees, and Stanza as their parser in any language."""

from sema_ud.languages import generic

__all__ = ["generic"]
