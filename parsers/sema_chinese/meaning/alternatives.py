"""Alternatives: *and* for *or*."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from sema.meaning.kinds import Exclusive
from sema.model.fact import Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.listed import table, word_list
from sema_chinese.meaning.words import Words, read_words

_AND, _OR = "and", "or"
_ITEM = 2
"""Content words of a list's last item but one, at most."""


@cache
def _joints() -> Mapping[str, str]:
    """What each conjunction between two words means."""
    return {word: meaning for meaning in (_AND, _OR) for word in table("alternatives")[meaning]}


class Alternatives(Exclusive):
    """*A or B* became *A and B*, or the other way round."""

    kind = Kind.ALTERNATIVE

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every conjunction between two content words, every mark of a list, every pair of conjunctions."""
        words = read_words(text)
        return [
            *(Fact(self.kind, meaning, (token,), around) for token, meaning, around in _between(words)),
            *(Fact(self.kind, meaning, tokens, around) for tokens, meaning, around in _paired(words)),
        ]


def _between(words: Words) -> Iterator[tuple[int, str, tuple[int, ...]]]:
    """Conjunctions and marks of lists, with the content words on both sides."""
    for token, word in enumerate(words.plain):
        meaning = _of_list(words, token) if word in word_list("alternatives", "list") else _joints().get(word)
        around = words.near((token,), 1) if meaning else ()
        if meaning and len(around) == 2:
            yield token, meaning, around


def _of_list(words: Words, token: int) -> str | None:
    """What a list's mark means: what its conjunction means (*A、B 或 C*), else *and*; ``None`` if that is unsure."""
    rest = range(token + 1, words.clause(token).stop)
    joint = next((t for t in rest if words.plain[t] in _joints()), None)
    if joint is not None and len(words.among(range(token + 1, joint))) <= _ITEM:
        return _joints()[words.plain[joint]]
    return None if any(_joints().get(words.plain[t]) == _OR for t in rest) else _AND


def _paired(words: Words) -> Iterator[tuple[tuple[int, int], str, tuple[int, ...]]]:
    """Two conjunctions that stand before what they join (*either … or*), with the content words behind each."""
    for meaning, pairs in table("alternatives")["paired"].items():
        for first, second in map(str.split, pairs):
            starts = [token for token, word in enumerate(words.plain) if word == first]
            for start in starts:
                _, end = words.sentence(start)
                other = next((t for t in range(start + 2, end) if words.plain[t] == second), None)
                if other is None:
                    continue
                around = (*words.among(range(start + 1, other))[:2], *words.among(range(other + 1, end))[:2])
                yield (start, other), meaning, around
