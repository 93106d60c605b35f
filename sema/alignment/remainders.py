"""Links for words that relations leave unlinked: abbreviations, and related words in the same place between links.

For languages with a :class:`~sema.alignment.relations.Shape`, whose words are made of meaningful parts (Chinese).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from sema.alignment.relations import Shape, WordRelations
from sema.model.links import Link, LinkKind

_STEPS = ((1, 1), (1, 2), (2, 1), (2, 2))
"""The allowed offsets of a neighbouring link, in source and output tokens: one token may intervene."""
_LONGEST = 3
"""Words that an abbreviation may stand for."""

Free = Sequence[int]
"""Indexes of content words without a link, ascending."""
Keys = Mapping[str, frozenset[Hashable]]
"""The keys that two of them must share to be related at all (:class:`~sema.alignment.relations.Shape`)."""


def remaining_links(
    links: Sequence[Link], source: Sequence[str], output: Sequence[str], relations: WordRelations, shape: Shape
) -> list[Link]:
    """Links between content words that have none yet; ``links`` are those of the two sentences so far.

    An abbreviation links to the last word of the run that it is short for; the words of a source run all link to the
    output's abbreviation. Kindred words in the same place are linked as contextual.
    """

    def free(words: Sequence[str], taken: set[int]) -> list[int]:
        return [k for k, word in enumerate(words) if k not in taken and not relations.is_function_word(word)]

    sources = free(source, {link.source for link in links})
    outputs = free(output, {link.output for link in links})
    if not sources or not outputs:
        return []
    keys = {
        word: frozenset(shape.keys(word)) for word in {*(source[i] for i in sources), *(output[j] for j in outputs)}
    }
    found: list[Link] = []
    for i in sources:
        run = _spelled_out(source[i], outputs, output, relations.is_function_word, shape, keys)
        if run:
            found.append(Link(i, run[-1], LinkKind.FORM))
            outputs = [j for j in outputs if j not in run]
    short = {link.source for link in found}
    sources = [i for i in sources if i not in short]
    for j in list(outputs):
        run = _spelled_out(output[j], sources, source, relations.is_function_word, shape, keys)
        if run:
            found += [Link(i, j, LinkKind.FORM) for i in run]
            sources = [i for i in sources if i not in run]
            outputs.remove(j)
    return found + _kindred([*links, *found], sources, outputs, source, output, shape, keys)


def _spelled_out(
    word: str, free: Free, words: Sequence[str], is_function_word: Callable[[str], bool], shape: Shape, keys: Keys
) -> list[int]:
    """The free words that the word abbreviates, separated at most by function words and punctuation; or none."""
    own = keys[word]
    for start, first in enumerate(free):
        if own.isdisjoint(keys[words[first]]):
            continue
        run = [first]
        for k in free[start + 1 : start + _LONGEST]:
            if not all(map(is_function_word, words[run[-1] + 1 : k])):
                break
            run.append(k)
            if shape.abbreviates(word, [words[place] for place in run]):
                return run
    return []


def _kindred(
    links: Sequence[Link],
    sources: Free,
    outputs: Free,
    source: Sequence[str],
    output: Sequence[str],
    shape: Shape,
    keys: Keys,
) -> list[Link]:
    """Links between kindred words whose neighbours on both sides are linked with each other, or the sentences' edges.

    A link counts for those after it, so that two neighbours may both be replaced.
    """
    linked = {(link.source, link.output) for link in links} | {(-1, -1), (len(source), len(output))}
    found: list[Link] = []
    used: set[int] = set()
    for i in sources:
        for j in outputs:
            if j in used or keys[source[i]].isdisjoint(keys[output[j]]) or not shape.kindred(source[i], output[j]):
                continue
            if all(any((i + sign * down, j + sign * across) in linked for down, across in _STEPS) for sign in (-1, 1)):
                found.append(Link(i, j, LinkKind.CONTEXTUAL))
                linked.add((i, j))
                used.add(j)
                break
    return found
