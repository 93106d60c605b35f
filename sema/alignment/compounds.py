"""Words that one sentence writes apart and the other together: *well known*, *well-known*, *game show*, *gameshow*."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from sema.alignment.relations import Stemmer
from sema.model.links import Link, LinkKind

_SHORTEST_JOINED = 5
"""Letters that a joined word needs, lest *a* and *t* make *at*; scripts without letter case are written denser."""


class Runs:
    """A sentence's words, and its runs of two and three words, by what they spell without hyphens."""

    __slots__ = ("runs", "words")

    def __init__(self, sentence: Sequence[str], spell: Stemmer) -> None:
        spelled = [word.replace("-", "") for word in map(spell, sentence)]
        self.words = dict(zip(reversed(spelled), range(len(spelled) - 1, -1, -1), strict=True))
        pairs = list(map(add, spelled, spelled[1:]))
        self.runs = {joined: (start, start + 3) for start, joined in enumerate(map(add, pairs, spelled[2:]))}
        self.runs.update((joined, (start, start + 2)) for start, joined in enumerate(pairs))


def _is_joined(word: str) -> bool:
    if not word.isalnum():
        return False
    return len(word) >= _SHORTEST_JOINED or (word == word.upper() and not word.isdecimal())


def compound_links(source: Runs, output: Runs) -> list[Link]:
    """Form links between a word that one sentence has and the run of words that spells it in the other.

    A joined source word links to the last word of the run (its head, where the language is right-headed); the words of
    a source run all link to the joined output word. A joined word that both sentences have is left to the others.
    """
    found: dict[int, Link] = {}
    used: set[int] = set()
    for word in source.words.keys() & output.runs.keys():
        if _is_joined(word) and word not in output.words:
            i, j = source.words[word], output.runs[word][1] - 1
            if j not in used:
                found[i] = Link(i, j, LinkKind.FORM)
                used.add(j)
    for word in source.runs.keys() & output.words.keys():
        if _is_joined(word) and word not in source.words:
            j, (start, end) = output.words[word], source.runs[word]
            if j not in used and found.keys().isdisjoint(range(start, end)):
                found.update((i, Link(i, j, LinkKind.FORM)) for i in range(start, end))
                used.add(j)
    return list(found.values())
