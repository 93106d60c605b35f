"""Single edits of a sentence: perturbations, which change its meaning, and rewordings, which do not.

An edit gives the new words, the new ones that the old sentence does not support, and the old ones that the new sentence
does not keep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeVar

from training.reader.example import ENTAILED, NEUTRAL, NOT_ENTAILED, Example


@dataclass(frozen=True)
class Edit:
    """An edit of a sentence.

    Attributes:
        words: the new sentence.
        new: places of ``words`` that the old sentence does not support.
        lost: places of the old sentence that the new one does not keep.
        output_entailed: whether the old sentence entails the new one.
        source_entailed: whether the new sentence entails the old one.
        same: how far both mean the same, in [0, 1].
    """

    words: tuple[str, ...]
    new: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    output_entailed: bool = False
    source_entailed: bool = False
    same: float = 0.25

    @property
    def entails(self) -> tuple[int, int]:
        """The labels of output and source; an omission or an addition alone contradicts nothing."""
        output_entailed = ENTAILED if self.output_entailed else NEUTRAL if self.source_entailed else NOT_ENTAILED
        source_entailed = ENTAILED if self.source_entailed else NEUTRAL if self.output_entailed else NOT_ENTAILED
        return output_entailed, source_entailed

    @property
    def supported(self) -> tuple[int, ...]:
        """For each new word whether the old sentence supports it."""
        return tuple(int(place not in self.new) for place in range(len(self.words)))

    def kept(self, words: int) -> tuple[int, ...]:
        """For each of so many old words whether the new sentence keeps it."""
        return tuple(int(place not in self.lost) for place in range(words))


class Editable(Protocol):
    """A sentence to edit: its words, and a random generator."""

    @property
    def words(self) -> Sequence[str]: ...  # noqa: D102

    @property
    def random(self) -> Random: ...  # noqa: D102


S = TypeVar("S", bound=Editable)


def chosen(editors: Sequence[tuple[Callable[[S], Edit | None], float]], s: S) -> Edit | None:
    """The first edit that fits; editors are tried in weighted random order."""
    for editor, _ in sorted(editors, key=lambda entry: s.random.random() ** (1 / entry[1]), reverse=True):
        edit = editor(s)
        if edit is not None and edit.words != tuple(s.words):
            return edit
    return None


def unchanged(source: str, output: str, same: float, group: int) -> Example:
    """A pair of one meaning."""
    ones = (1,) * len(source.split()), (1,) * len(output.split())
    return Example(source, output, ENTAILED, ENTAILED, same, *ones, group=group)
