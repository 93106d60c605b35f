"""Universal Dependencies: trees, CoNLL-U, Scenes from trees, and parsers of any language."""

from sema_ud.languages import generic, universal

__all__ = ["generic", "universal"]
