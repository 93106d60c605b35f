"""Pairs of sentences: choose the pairs of two passages that are worth aligning, and join their links."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sema.alignment.rules import STRENGTHS
from sema.errors import InputError, ResourceError, counted
from sema.model.links import Aligner, Link, LinkGrid, LinkKind, Pair, ProbabilisticAligner
from sema.model.text import Text, is_punctuation

Sentence = Sequence[str]
Texts = tuple[Text, Text]
"""A source and its output."""
Links = tuple[tuple[Link, ...], ...]
"""The links of each output sentence."""
Weights = tuple[LinkGrid, ...]
"""The probabilities of the links to each output sentence."""
Span = tuple[int, int]
"""A sentence's tokens, half-open."""
Found = TypeVar("Found")
Joined = TypeVar("Joined")

SIGNATURE, WEIGHED_SIGNATURE = "v1", "v3"
"""The versions of the choice of pairs: of those that are aligned, and of those whose links are weighed."""
ALL_PAIRS = 10_000
"""Up to this number of pairs of sentences (100 by 100), every pair is aligned."""
WEIGHED_PAIRS = 400
"""Up to this number (20 by 20), the links of every pair are weighed, so of every word with every other."""
KEPT = 12
"""How many partners of each sentence are kept, on both sides."""
KEPT_WEIGHED = 2
"""How many partners are kept where links are weighed."""
MAX_POSTINGS = 200
"""Words in more sentences than this are ignored."""
LIKELY = 0.4
"""The least probability of a likely link; without probabilities even the weakest kind of link reaches it."""
STEM = 5
"""Words whose first so many letters are equal count as equal, so that *walked* finds *walking*."""


def candidate_pairs(
    sources: Sequence[Sentence], outputs: Sequence[Sentence], most: int, kept: int
) -> Sequence[Sequence[int]]:
    """For each output sentence the source sentences to align it with, ascending: those that share rare words with it.

    Up to ``most`` pairs of sentences are all kept. Beyond that each sentence of either side keeps its ``kept`` nearest.

    The work grows with the number of words, not of pairs. A pair that is left out has no links. Its sentences share no
    rare word, or many others share more.
    """
    if len(sources) * len(outputs) <= most:
        return [range(len(sources))] * len(outputs)
    of_sources, of_outputs = [_stems(sentence) for sentence in sources], [_stems(sentence) for sentence in outputs]
    found: list[set[int]] = [set(partners) for partners in _nearest(of_outputs, of_sources, kept)]
    for source, partners in enumerate(_nearest(of_sources, of_outputs, kept)):
        for output in partners:
            found[output].add(source)
    return [sorted(partners) for partners in found]


def _stems(sentence: Sentence) -> set[str]:
    return {word.casefold()[:STEM] for word in sentence if not is_punctuation(word)}


def _nearest(asking: Sequence[set[str]], among: Sequence[set[str]], kept: int) -> list[list[int]]:
    """For each sentence of one side the sentences of the other that share most words, weighted by rarity."""
    postings: defaultdict[str, list[int]] = defaultdict(list)
    for index, stems in enumerate(among):
        for stem in stems:
            postings[stem].append(index)
    rare = {stem: np.array(where) for stem, where in postings.items() if len(where) <= MAX_POSTINGS}
    result: list[list[int]] = []
    for stems in asking:
        places = [rare[stem] for stem in sorted(stems) if stem in rare]
        sizes = [len(where) for where in places]
        weights = np.repeat([math.log(1 + len(among) / size) for size in sizes], sizes)
        shared = np.bincount(np.concatenate([*places, np.arange(0)]), weights)
        sharing = np.flatnonzero(shared)
        result.append(sharing[np.argsort(-shared[sharing], kind="stable")][:kept].tolist())
    return result


def align(aligner: Aligner, texts: Sequence[Texts]) -> list[Links]:
    """For each source and output the links to each output sentence, in the source's token indexes."""

    def join(source: Text, _: Span, found: Mapping[int, Iterable[Link]]) -> tuple[Link, ...]:
        starts = {index: source.sentences[index][0] for index in found}
        return tuple(
            link._replace(source=link.source + starts[index]) for index, links in found.items() for link in links
        )

    return _by_sentences(texts, partial(_links, aligner), join, ALL_PAIRS, KEPT)


def _links(aligner: Aligner, pairs: list[Pair]) -> list[list[Link]]:
    """The links of each pair; an error if an aligner of a plug-in gives something else."""
    found = list(aligner.align(pairs))
    _check_count(aligner, pairs, found)
    for (source, output), links in zip(pairs, found, strict=True):
        for link in links:
            if not (isinstance(link, Link) and isinstance(link.kind, LinkKind)):
                raise InputError(
                    f"the aligner gives {link!r}, which is not a sema.Link with a sema.LinkKind; repair it"
                )
            if not (0 <= link.source < len(source) and 0 <= link.output < len(output)):
                sizes = f"{counted(len(source), 'source token')} and {counted(len(output), 'output token')}"
                raise InputError(f"the aligner links {link.source} and {link.output} of {sizes}, from 0; repair it")
    return found


def _probabilities(aligner: ProbabilisticAligner, pairs: list[Pair]) -> list[NDArray[np.float32]]:
    """The probabilities of each pair's links; an error if an aligner of a plug-in gives something else."""
    found = list(aligner.probabilities(pairs))
    _check_count(aligner, pairs, found)
    for (source, output), grid in zip(pairs, found, strict=True):
        if np.shape(grid) != (len(source), len(output)):
            sizes = f"{len(source)} source and {len(output)} output tokens"
            raise InputError(f"the aligner gives probabilities of shape {np.shape(grid)} for {sizes}; repair it")
    return found


def _check_count(aligner: Aligner, pairs: list[Pair], found: Sequence[object]) -> None:
    if len(found) != len(pairs):
        counts = f"{counted(len(found), 'result')} for {counted(len(pairs), 'pair')} of sentences"
        raise ResourceError(f"the aligner {aligner.signature} returns {counts}; repair it, or name another")


def weigh(aligner: ProbabilisticAligner | None, texts: Sequence[Texts], links: Sequence[Links]) -> list[Weights]:
    """For each source and output the probabilities of the links to each output sentence.

    Without an aligner they are the strengths of the links' kinds; with one, the links do not change them.
    """
    if aligner is None:
        return [_strengths(found, output) for (_, output), found in zip(texts, links, strict=True)]

    def join(source: Text, span: Span, found: Mapping[int, NDArray[np.float32]]) -> LinkGrid:
        rows = [np.arange(*source.sentences[index]) for index in found]
        empty = np.zeros((0, span[1] - span[0]), np.float32)
        return LinkGrid(np.concatenate([np.arange(0), *rows]), np.concatenate([empty, *found.values()]))

    return _by_sentences(texts, partial(_probabilities, aligner), join, WEIGHED_PAIRS, KEPT_WEIGHED)


def _by_sentences(
    texts: Sequence[Texts],
    work: Callable[[list[Pair]], Iterable[Found]],
    join: Callable[[Text, Span, Mapping[int, Found]], Joined],
    most: int,
    kept: int,
) -> list[tuple[Joined, ...]]:
    """For each source and output, and each output sentence: the joined results of its pairs with source sentences.

    ``work`` gets each of the :func:`candidate_pairs` (``most``, ``kept``) once, however often it occurs. ``join`` makes
    one result for an output sentence from its results by source sentence, ascending.
    """
    pairs: list[list[dict[int, Pair]]] = []
    for source, output in texts:
        own, others = source.sentence_words, output.sentence_words
        partners = candidate_pairs(own, others, most, kept)
        pairs.append(
            [{index: (own[index], words) for index in found} for words, found in zip(others, partners, strict=True)]
        )
    wanted = list(dict.fromkeys(pair for sentences in pairs for sentence in sentences for pair in sentence.values()))
    known = dict(zip(wanted, work(wanted), strict=True)) if wanted else {}
    return [
        tuple(
            join(source, span, {index: known[pair] for index, pair in sentence.items()})
            for span, sentence in zip(output.sentences, sentences, strict=True)
        )
        for (source, output), sentences in zip(texts, pairs, strict=True)
    ]


LinkedPairs = tuple[tuple[tuple[int, int], ...], ...]
"""For each output sentence its links: source token and token of the sentence."""


def linked_pairs(links: Sequence[Sequence[Link]]) -> LinkedPairs:
    """Links without their kinds."""
    return tuple(tuple((link.source, link.output) for link in sentence) for sentence in links)


def likely_pairs(grids: Sequence[LinkGrid]) -> LinkedPairs:
    """The links with a probability of :data:`LIKELY` or more."""
    return tuple(grid.likely(LIKELY) for grid in grids)


def _strengths(links: Links, output: Text) -> Weights:
    """The grids of links without probabilities: the strength of each link's kind, times the link's weight."""
    found = []
    for (start, end), sentence in zip(output.sentences, links, strict=True):
        rows = sorted({link.source for link in sentence})
        grid = np.zeros((len(rows), end - start), np.float32)
        for link in sentence:
            grid[rows.index(link.source), link.output] = STRENGTHS[link.kind] * link.weight
        found.append(LinkGrid(np.array(rows, np.int64), grid))
    return tuple(found)
