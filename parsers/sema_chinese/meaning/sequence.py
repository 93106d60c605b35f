"""The same characters in another order: *A v B* that became *B v A*."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sema.meaning.edits import crossing
from sema.model.fact import Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text, is_punctuation
from sema_chinese.listed import table, word_list
from sema_chinese.meaning.words import Words, read_words

_DIFFERING = 2
"""Characters by which two sequences may differ."""
_IS = "是"
_MOVED = "{output} has the words of {source} in another order"


@dataclass(frozen=True)
class Ordered:
    """A clause or a sentence: its characters without particles and marks, and how they are grouped into clauses."""

    chars: tuple[str, ...]
    clauses: tuple[str, ...]


class Sequences:
    """A clause or a sentence in which more than one phrase has moved.

    A phrase alone may stand anywhere (*in Berlin, they met*), and clauses may change places; *A v B* does not become
    *B v A* by one such move. Words that put a statement another way (把, 被, 比) have to be the same in both texts.
    """

    kind = Kind.ROLE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every sentence, then every clause of it, stated of its words of content."""
        words = read_words(text)
        sentences = [range(*span) for span in text.sentences]
        clauses = words.spelling.clauses
        found = [_fact(words, sentence, [c for c in clauses if c.start in sentence]) for sentence in sentences]
        return [*found, *(_fact(words, clause, [clause]) for clause in clauses if clause not in sentences)]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """The same characters, and no single move between their orders."""
        first, second = source.value, output.value
        assert isinstance(first, Ordered)
        assert isinstance(second, Ordered)
        return _MOVED if first != second and _is_crossed(first, second) else ""


def _fact(words: Words, tokens: range, clauses: Sequence[range]) -> Fact:
    value = Ordered(tuple(_chars(words, tokens)), tuple(sorted("".join(_chars(words, clause)) for clause in clauses)))
    content = words.among(tokens)
    return Fact(Kind.ROLE, value, content, content, len(clauses) == 1)


def _chars(words: Words, tokens: Iterable[int]) -> list[str]:
    particles = word_list("closed_classes", "particles")
    return [
        char
        for token in tokens
        if words.plain[token] not in particles and not is_punctuation(words.plain[token])
        for char in words.plain[token]
    ]


def _is_crossed(source: Ordered, output: Ordered) -> bool:
    old, new = Counter(source.chars), Counter(output.chars)
    differing = (old - new) + (new - old)
    if differing.total() > _DIFFERING or not word_list("roles", "constructions").isdisjoint(differing):
        return False
    if source.clauses == output.clauses or (
        len(source.clauses) == 1 and not set(table("grammar")["listing"]).isdisjoint(source.chars)
    ):
        return False
    first, last = ([char for char in text.chars if char not in differing] for text in (source, output))
    if any(char == _IS and [*first[at + 1 :], char, *first[:at]] == last for at, char in enumerate(first)):
        return False  # *A is B*, *B is A*
    start, end = crossing(first, last)
    return start < end
