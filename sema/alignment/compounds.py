"""Words that one sentence writes apart and the other together: *well known*, *well-known*, *game show*, *gameshow*."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from sema.alignment.base import Link, LinkKind

_SHORTEST_JOINED = 5
"""Letters that a joined word needs, lest *a* and *t* make *at*; scripts without letter case are written denser."""


class Runs:
    """A sentence's words, and its runs of two and three words, by what they spell without hyphens and case."""

    __slots__ = ("runs", "words")

    def __init__(self, sentence: Sequence[str]) -> None:
        spelled = [word.replace("-", "") for word in map(str.lower, sentence)]
        self.words = dict(zip(reversed(spelled), range(len(spelled) - 1, -1, -1), strict=True))
        pairs = list(map(add, spelled, spelled[1:]))
        self.runs = {joined: (start, start + 3) for start, joined in enumerate(map(add, pairs, spelled[2:]))}
        self.runs.update((joined, (start, start + 2)) for start, joined in enumerate(pairs))


def _is_joined(word: str) -> bool:
    return word.isalnum() and len(word) >= (2 if word == word.upper() else _SHORTEST_JOINED)


def compound_links(
    links: Sequence[Link], source: Sequence[str], output: Sequence[str], source_runs: Runs, output_runs: Runs
) -> list[Link]:
    """Form links between a joined word and the run of words that spells it, where neither side is linked yet.

    A joined source word links to the last free word of the run (its head, where the language is right-headed); the
    words of a source run all link to the joined output word.
    """
    taken, used = {link.source for link in links}, {link.output for link in links}
    found: list[Link] = []
    for word in source_runs.words.keys() & output_runs.runs.keys():
        if not _is_joined(word):
            continue
        i, (start, end) = source_runs.words[word], output_runs.runs[word]
        free = [j for j in range(start, end) if j not in used and output[j] != "-"]
        if i not in taken and free:
            found.append(Link(i, free[-1], LinkKind.FORM))
            taken.add(i)
            used.add(free[-1])
    for word in source_runs.runs.keys() & output_runs.words.keys():
        j, (start, end) = output_runs.words[word], source_runs.runs[word]
        if j not in used and _is_joined(word):
            free = [i for i in range(start, end) if i not in taken and source[i] != "-"]
            found.extend(Link(i, j, LinkKind.FORM) for i in free)
            taken.update(free)
            used.add(j)
    return found
