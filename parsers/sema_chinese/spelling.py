"""A text as characters with their tokens, however it is cut into words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sema.runtime.forks import cached_property
from sema_chinese.relations import plain_figures


@dataclass(frozen=True)
class Spelling:
    """Tokens as a string of simplified half-width characters, numerals as they are written."""

    words: tuple[str, ...]

    @cached_property
    def plain(self) -> list[str]:
        """Each token's spelling."""
        return [plain_figures(word) for word in self.words]

    @cached_property
    def chars(self) -> str:
        """All tokens' characters."""
        return "".join(self.plain)

    @cached_property
    def home(self) -> list[int]:
        """For each character its token."""
        return [t for t, word in enumerate(self.plain) for _ in word]

    @cached_property
    def starts(self) -> list[int]:
        """For each token its first character; one more for the end."""
        places = [0]
        for word in self.plain:
            places.append(places[-1] + len(word))
        return places

    def tokens(self, begin: int, end: int) -> list[int]:
        """The tokens of a range of characters."""
        return list(dict.fromkeys(self.home[begin:end]))

    def find(self, word: str) -> Iterator[int]:
        """The places of a string of characters."""
        at = self.chars.find(word)
        while at >= 0:
            yield at
            at = self.chars.find(word, at + 1)
