"""Completes a rule aligner's links, for languages whose words are segmented inconsistently and have meaningful parts.

Runs of tokens that spell a word of the lexicon are linked as one (研讨 会, a seminar, with 会议, a conference). Then
abbreviations are linked, and related words in the same place between links.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
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


class Whole(NamedTuple):
    """A word of the lexicon, or a token: its spelling and its tokens."""

    word: str
    tokens: range


@dataclass(frozen=True)
class Completions:
    """The steps over some relations; only words that share one of their ``keys`` are compared by their parts.

    ``abbreviates`` says whether a word is short for a run of words. ``kindred`` says whether the parts of two words
    make the same meaning likely; their neighbours must confirm it.
    """

    relations: WordRelations
    keys: Callable[[str], Iterable[Hashable]]
    abbreviates: Callable[[str, Sequence[str]], bool]
    kindred: Callable[[str, str], bool]

    @property
    def steps(self) -> tuple[Completion, ...]:
        """The steps in their order, for :class:`sema.alignment.rules.RuleAligner`."""
        return self._shared_spellings, self._whole_words, self._remaining

    def _shared_spellings(
        self, links: Sequence[Link], cells: Sequence[Cell], source: Sequence[str], output: Sequence[str]
    ) -> list[Link]:
        """Links from unlinked source words to a linked output word that contains their spelling too."""
        spell = self.relations.spell
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

    def _whole_words(
        self, links: Sequence[Link], cells: Sequence[Cell], source: Sequence[str], output: Sequence[str]
    ) -> list[Link]:
        """Links for unlinked tokens that are part of a whole word which is related to another.

        At least one of the two is a run of tokens that spells a word of the lexicon. No other link may leave the two
        words. The tokens of both are paired from the last one back; source tokens without a partner link to the
        output's first.
        """
        partners: dict[int, set[int]] = {}
        origins: dict[int, set[int]] = {}
        for i, j, *_ in links:
            partners.setdefault(i, set()).add(j)
            origins.setdefault(j, set()).add(i)
        sources, outputs = self._wholes(source, partners.keys()), self._wholes(output, origins.keys())
        if not sources or not outputs:
            return []
        related = self.relations.related({whole.word for whole in sources}, {whole.word for whole in outputs})
        whole_links: list[Link] = []
        for first in sources:
            for second in outputs:
                if second.word not in related[first.word] or max(len(first.tokens), len(second.tokens)) == 1:
                    continue
                own, other = set(first.tokens), set(second.tokens)
                kind = self.relations.kind(first.word, second.word)
                if kind not in _KINDS:
                    continue
                if any(partners.get(i, other) - other for i in own) or any(origins.get(j, own) - own for j in other):
                    continue
                for i in sorted(own - partners.keys()):
                    j = max(second.tokens.start, second.tokens.stop - (first.tokens.stop - i))
                    whole_links.append(Link(i, j, kind))
                    partners[i] = {j}
                    origins.setdefault(j, set()).add(i)
                break
        return whole_links

    def _wholes(self, sentence: Sequence[str], linked: Set[int]) -> list[Whole]:
        """The content words of a sentence, and the runs that spell a word of the lexicon, the longest first, without
        those whose tokens are all linked."""
        wholes = []
        for size in range(_LONGEST, 0, -1):
            for start in range(len(sentence) - size + 1):
                tokens, words = range(start, start + size), sentence[start : start + size]
                if linked >= {*tokens} or all(map(self.relations.is_function_word, words)):
                    continue
                if size == 1 or self.relations.is_listed("".join(words)):
                    wholes.append(Whole("".join(words), tokens))
        return wholes

    def _remaining(
        self, links: Sequence[Link], cells: Sequence[Cell], source: Sequence[str], output: Sequence[str]
    ) -> list[Link]:
        """Links between content words that have none yet; ``links`` are those of the two sentences so far.

        An abbreviation links to the last word of the run that it is short for; the words of a source run all link to
        the output's abbreviation. Kindred words in the same place are linked as contextual.
        """

        def free(words: Sequence[str], taken: set[int]) -> list[int]:
            return [k for k, word in enumerate(words) if k not in taken and not self.relations.is_function_word(word)]

        sources = free(source, {link.source for link in links})
        outputs = free(output, {link.output for link in links})
        if not sources:
            return []
        loose: dict[int, list[int]] = {}  # output words that may abbreviate a run of which one word is linked already
        for link in links:
            if link.kind is LinkKind.PARAPHRASE:
                loose.setdefault(link.output, []).append(link.source)
        places = [(source, [*sources, *chain(*loose.values())]), (output, [*outputs, *loose])]
        keys = {words[k]: frozenset(self.keys(words[k])) for words, some in places for k in some}
        remaining: list[Link] = []
        for i in sources:
            run = self._spelled_out(source[i], outputs, output, keys)
            if run:
                remaining.append(Link(i, run[-1], LinkKind.FORM))
                outputs = [j for j in outputs if j not in run]
        short = {link.source for link in remaining}
        sources = [i for i in sources if i not in short]
        for j in [*outputs, *loose]:
            run = self._spelled_out(output[j], sorted([*sources, *loose.get(j, ())]), source, keys)
            if run:
                remaining += [Link(i, j, LinkKind.FORM) for i in run if i in sources]
                sources = [i for i in sources if i not in run]
                outputs = [k for k in outputs if k != j]
        return remaining + self._kindred([*links, *remaining], sources, outputs, source, output, keys)

    def _spelled_out(self, word: str, free: Free, words: Sequence[str], keys: Keys) -> list[int]:
        """The free words that the word abbreviates, separated at most by function words and punctuation; or none."""
        own = keys[word]
        for start, first in enumerate(free):
            if own.isdisjoint(keys[words[first]]):
                continue
            run = [first]
            for k in free[start + 1 : start + _LONGEST]:
                if not all(map(self.relations.is_function_word, words[run[-1] + 1 : k])):
                    break
                run.append(k)
                if self.abbreviates(word, [words[place] for place in run]):
                    return run
        return []

    def _kindred(
        self,
        links: Sequence[Link],
        sources: Free,
        outputs: Free,
        source: Sequence[str],
        output: Sequence[str],
        keys: Keys,
    ) -> list[Link]:
        """Links between kindred words whose neighbours on both sides are linked with each other, or the sentences'
        edges.

        A new link counts for those after it, so that two neighbours may both be replaced.
        """
        linked = {(link.source, link.output) for link in links} | {(-1, -1), (len(source), len(output))}
        kindred_links: list[Link] = []
        used: set[int] = set()
        for i in sources:
            for j in outputs:
                if j in used or keys[source[i]].isdisjoint(keys[output[j]]) or not self.kindred(source[i], output[j]):
                    continue
                if all(any((i + sign * a, j + sign * b) in linked for a, b in _STEPS) for sign in (-1, 1)):
                    kindred_links.append(Link(i, j, LinkKind.CONTEXTUAL))
                    linked.add((i, j))
                    used.add(j)
                    break
        return kindred_links
