"""A reader of levels, and the parts of a language that has only levels."""

from collections.abc import Callable, Iterable

from sema.model.language import Language, Parts
from sema.model.levels import TextLevel
from sema.model.text import Text
from tests.esperanto import Segmenter


class Levels:
    """The level of a text is what a function makes of it."""

    def __init__(self, level: Callable[[Text], float], signature: str = "told") -> None:
        self.level, self.signature = level, signature

    def read(self, texts: Iterable[tuple[Text, object]]) -> list[TextLevel]:
        return [TextLevel(self.level(text)) for text, _ in texts]


def parts_with_levels(reader: Levels | None, code: str = "xx") -> Parts:
    """``None``: nothing reads levels."""
    return Language(code, code, Segmenter, {}, {}, levels=None if reader is None else lambda: reader).parts()
