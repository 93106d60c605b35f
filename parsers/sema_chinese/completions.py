"""Completes a rule aligner's links, for languages whose words are segmented inconsistently and have meaningful parts.

Runs of tokens that spell a word of the lexicon are linked as one (研讨 会, a seminar, with 会议, a conference). Then
abbreviations are linked, and related words in the same place between links.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import NamedTuple

from sema.alignment.relations import WordRelations
from sema.alignment.rules import Cell, Completion
from sema.model.links import Link, LinkKind

_STEPS = ((1, 1), (1, 2), (2, 1), (2, 2))
"""The allowed offsets of a neighbouring link, in source and output tokens: one token may intervene."""
_LONGEST = 3
"""The largest number of tokens of a word, and of words that an abbreviation stands for."""
_KINDS = (LinkKind.SYNONYM, LinkKind.PARAPHRASE, LinkKind.HYPONYMY)
"""Relations by which runs are linked; equal spellings are linked token by token already."""

Free = Sequence[int]
"""Indexes of content words without a link, ascending."""
Keys = Mapping[str, frozenset[Hashable]]
"""The keys of a word; related words share at least one."""


@dataclass(frozen=True)
class Likeness:
    """How the parts of words are compared; only words that share one of their ``keys`` are compared.

    ``abbreviates`` says whether a word is short for a run of words. ``kindred`` says whether the parts of two words
    make the same meaning likely; their neighbours must confirm it.
    """

    keys: Callable[[str], Iterable[Hashable]]
    abbreviates: Callable[[str, Sequence[str]], bool]
    kindred: Callable[[str, str], bool]


def completions(relations: WordRelations, likeness: Likeness) -> tuple[Completion, ...]:
    """The steps in their order, for :class:`sema.alignment.rules.RuleAligner`."""
    return (
        partial(shared_spellings, relations),
        partial(whole_word_links, relations),
        partial(remaining_links, relations, likeness),
    )


def shared_spellings(
    relations: WordRelations,
    links: Sequence[Link],
    cells: Sequence[Cell],
    source: Sequence[str],
    output: Sequence[str],
) -> list[Link]:
    """Links from unlinked source words to a linked output word that contains their spelling too."""
    spell = relations.spell
    taken = {link.source for link in links}
    rest: dict[int, str] = {}
    for i, j, *_ in links:
        rest[j] = rest.get(j, spell(output[j])).replace(spell(source[i]), "\0", 1)
    spelled_alike: list[Link] = []
    for i, j, kind in cells:
        if kind is LinkKind.FORM and i not in taken and spell(source[i]) in rest.get(j, ""):
            rest[j] = rest[j].replace(spell(source[i]), "\0", 1)
            spelled_alike.append(Link(i, j, kind))
            taken.add(i)
    return spelled_alike


class Whole(NamedTuple):
    """A word of the lexicon, or a token: its spelling and its tokens ``start:end``."""

    word: str
    start: int
    end: int


def whole_word_links(
    relations: WordRelations, links: Sequence[Link], cells: Sequence[Cell], source: Sequence[str], output: Sequence[str]
) -> list[Link]:
    """Links for unlinked tokens that are part of a whole word which is related to another.

    At least one of the two is a run of tokens that spells a word of the lexicon. No other link may leave the two words.
    The tokens of both are paired from the last one back; source tokens without a partner link to the output's first.
    """
    partners: dict[int, set[int]] = {}
    origins: dict[int, set[int]] = {}
    for i, j, *_ in links:
        partners.setdefault(i, set()).add(j)
        origins.setdefault(j, set()).add(i)
    sources, outputs = _wholes(source, relations, partners.keys()), _wholes(output, relations, origins.keys())
    if not sources or not outputs:
        return []
    related = relations.related({whole.word for whole in sources}, {whole.word for whole in outputs})
    whole_links: list[Link] = []
    for first in sources:
        for second in outputs:
            if second.word not in related[first.word] or max(first.end - first.start, second.end - second.start) == 1:
                continue
            own, other = set(range(first.start, first.end)), set(range(second.start, second.end))
            kind = relations.kind(first.word, second.word)
            if kind not in _KINDS:
                continue
            if any(partners.get(i, other) - other for i in own) or any(origins.get(j, own) - own for j in other):
                continue
            for i in sorted(own - partners.keys()):
                j = max(second.start, second.end - (first.end - i))
                whole_links.append(Link(i, j, kind))
                partners[i] = {j}
                origins.setdefault(j, set()).add(i)
            break
    return whole_links


def _wholes(sentence: Sequence[str], relations: WordRelations, linked: Set[int]) -> list[Whole]:
    """The content words of a sentence, and the runs that spell a word of the lexicon, the longest first, without those
    whose tokens are all linked."""
    wholes = []
    for size in range(_LONGEST, 0, -1):
        for start in range(len(sentence) - size + 1):
            tokens = sentence[start : start + size]
            if linked >= {*range(start, start + size)}:
                continue
            if all(map(relations.is_function_word, tokens)):
                continue
            word = "".join(tokens)
            if size == 1 or relations.is_listed(word):
                wholes.append(Whole(word, start, start + size))
    return wholes


def remaining_links(
    relations: WordRelations,
    likeness: Likeness,
    links: Sequence[Link],
    cells: Sequence[Cell],
    source: Sequence[str],
    output: Sequence[str],
) -> list[Link]:
    """Links between content words that have none yet; ``links`` are those of the two sentences so far.

    An abbreviation links to the last word of the run that it is short for; the words of a source run all link to the
    output's abbreviation. Kindred words in the same place are linked as contextual.
    """

    def free(words: Sequence[str], taken: set[int]) -> list[int]:
        return [k for k, word in enumerate(words) if k not in taken and not relations.is_function_word(word)]

    sources = free(source, {link.source for link in links})
    outputs = free(output, {link.output for link in links})
    if not sources:
        return []
    loose: dict[int, list[int]] = {}  # output words that may abbreviate a run of which one word is linked already
    for link in links:
        if link.kind is LinkKind.PARAPHRASE:
            loose.setdefault(link.output, []).append(link.source)
    places = [(source, [*sources, *chain(*loose.values())]), (output, [*outputs, *loose])]
    keys = {words[k]: frozenset(likeness.keys(words[k])) for words, some in places for k in some}
    remaining: list[Link] = []
    for i in sources:
        run = _spelled_out(source[i], outputs, output, relations.is_function_word, likeness, keys)
        if run:
            remaining.append(Link(i, run[-1], LinkKind.FORM))
            outputs = [j for j in outputs if j not in run]
    short = {link.source for link in remaining}
    sources = [i for i in sources if i not in short]
    for j in [*outputs, *loose]:
        near = sorted([*sources, *loose.get(j, ())])
        run = _spelled_out(output[j], near, source, relations.is_function_word, likeness, keys)
        if run:
            remaining += [Link(i, j, LinkKind.FORM) for i in run if i in sources]
            sources = [i for i in sources if i not in run]
            outputs = [k for k in outputs if k != j]
    return remaining + _kindred([*links, *remaining], sources, outputs, source, output, likeness, keys)


def _spelled_out(
    word: str, free: Free, words: Sequence[str], is_function_word: Callable[[str], bool], likeness: Likeness, keys: Keys
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
            if likeness.abbreviates(word, [words[place] for place in run]):
                return run
    return []


def _kindred(
    links: Sequence[Link],
    sources: Free,
    outputs: Free,
    source: Sequence[str],
    output: Sequence[str],
    likeness: Likeness,
    keys: Keys,
) -> list[Link]:
    """Links between kindred words whose neighbours on both sides are linked with each other, or the sentences' edges.

    A new link counts for those after it, so that two neighbours may both be replaced.
    """
    linked = {(link.source, link.output) for link in links} | {(-1, -1), (len(source), len(output))}
    links_by_root: list[Link] = []
    used: set[int] = set()
    for i in sources:
        for j in outputs:
            if j in used or keys[source[i]].isdisjoint(keys[output[j]]) or not likeness.kindred(source[i], output[j]):
                continue
            if all(any((i + sign * down, j + sign * across) in linked for down, across in _STEPS) for sign in (-1, 1)):
                links_by_root.append(Link(i, j, LinkKind.CONTEXTUAL))
                linked.add((i, j))
                used.add(j)
                break
    return links_by_root
