"""Chinese, simplified or traditional: words, models, word relations, co-verbs, and which parts go together."""

from pathlib import Path

from sema_chinese.language import chinese

MODELS = Path(__file__).parent / "weights" / "zh-hans"
"""The Stanza models that ship here (entry-point group ``sema_ud.models``)."""

__all__ = ["MODELS", "chinese"]
