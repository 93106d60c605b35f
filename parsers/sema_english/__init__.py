"""English: sentences and tokens, word relations, the learned aligner, and which parts go together."""

from sema_english.language import english

__all__ = ["english"]
