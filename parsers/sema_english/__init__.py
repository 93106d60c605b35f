"""English: sentences and tokens, word relations, the aligner that was trained for it, and which parts go together."""

from sema_english.language import english

__all__ = ["english"]
