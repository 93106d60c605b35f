"""The parts of a language that has only levels."""

from sema.model.language import Language, Parts
from tests.esperanto import Segmenter


def parts_with_levels(reader, code: str = "xx") -> Parts:
    """``reader`` is what reads levels; ``None``: nothing does."""
    return Language(code, code, Segmenter, {}, {}, levels=None if reader is None else lambda: reader).parts()
