"""The English word aligner that ships with the package, on the parser's encoder (card: ``weights/aligner``).

It is a small version of the neural monolingual aligners of Lan, Jiang and Xu (ACL 2021), which judge a link by its
context: similarities of encoder states and lexical facts form a grid of word pairs, and a stack of small convolutions
scores its cells.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from sema_ucca.encoder import UccaEncoder

from sema.alignment.relations import WordRelations
from sema.model.language import Encoder
from sema.model.lexicon import Lexicon
from sema.model.links import Link, LinkKind, Pair
from sema.runtime.batching import batches
from sema.runtime.checksums import checked
from sema.runtime.forks import cached_property
from sema.runtime.onnx import session
from sema.runtime.threads import available_cores, each, one_blas_thread
from sema_english.relations import english_lexicon, number_value, relations
from sema_english.word_grids import FEATURES, Related, SentenceWords, WordGrids

Scores = NDArray[np.float32]
Vectors = NDArray[np.float16]

VERSION = 2
WEIGHTS = Path(__file__).parent / "weights" / "aligner"
ABOUT, WORDS, GRID = "aligner.json", "aligner.words.onnx", "aligner.grid.onnx"
MAX_CELLS = 4_000
"""Grid cells that are scored together: larger batches mix sizes and no longer fit into the processor's caches."""
SCORED_AT_A_TIME = 2048
"""Pairs of sentences whose words are prepared (1.2 kB each) at a time."""
_IDENTICAL, _UNIQUE, _OTHER_VALUE, _CHARACTERS, _CONTENT = map(
    FEATURES.index, ("identical", "unique", "other value", "characters", "content words")
)
_SAME_NAME = [FEATURES.index(name) for name in ("identical", "form", "synonym", "same value")]
_UNLIKE = 0.5
"""Similarity in characters below which two names are different names."""


class LearnedAligner:
    """Scores every pair of words of two sentences by the words and their contexts.

    A link's kind is the relation of its words, else ``contextual``. Numbers of different value and different names are
    never linked, and sentences that share no related content word have no links. A word is linked to at most one
    identical word of the other sentence. A content word that occurs once in both sentences is linked unless either
    has another link. The result for a pair does not depend on the other pairs of the call.

    The ``encoder`` keeps the vectors of sentences: those that it has already parsed are not encoded again.
    """

    def __init__(
        self,
        encoder: Encoder,
        kinds: WordRelations,
        grids: WordGrids,
        *,
        threads: int | None = None,
        weights: Path = WEIGHTS,
    ) -> None:
        """``kinds`` give the kinds of the links, ``grids`` the same language's relations as the network reads them.

        ``weights`` is the folder of the aligner's files, which are loaded when they are first needed.
        """
        self._vectors = _WordVectors(weights)
        encoder.keep_states(self._vectors)
        self._encoder = encoder
        self._kinds = kinds
        self._grids = grids
        self._threads = threads or available_cores()
        self._folder = weights

    @cached_property
    def _model(self) -> _Model:
        return _model(self._folder)

    @property
    def signature(self) -> str:
        """Name, version, digest of the weights, encoder, relations."""
        return f"learned-{VERSION}+{self._model.digest}|{self._encoder.signature}|{self._kinds.signature}"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of each pair, ascending by source index; at most one for each source token, its best."""
        return [self._links(pair, scores, all_links=False) for pair, scores in self._scored(pairs)]

    def all_links(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """Every link of each pair, phrase links included: a source token may have several links."""
        return [self._links(pair, scores, all_links=True) for pair, scores in self._scored(pairs)]

    def probabilities(self, pairs: Sequence[Pair]) -> list[Scores]:
        """For each pair the probability of every link (source tokens, output tokens); 0 where a link is excluded."""
        found = []
        for (source, output), scores in self._scored(pairs):
            if scores is None:
                scores = np.zeros((len(source), len(output)), np.float32)
                for link in _copies_of_long(source, output):
                    scores[link] = 1
            found.append(scores)
        return found

    def _links(self, pair: Pair, scores: Scores | None, *, all_links: bool) -> list[Link]:
        source, output = pair
        if scores is None:
            return [Link(i, j, LinkKind.EXACT) for i, j in _copies_of_long(source, output)]
        chosen = scores >= self._model.threshold
        if not all_links:
            chosen &= np.arange(len(output)) == scores.argmax(1)[:, None]
        links = []
        for i, j in np.argwhere(chosen).tolist():
            kind = self._kinds.classify(source[i], output[j])
            if kind is not None:
                links.append(Link(i, j, kind))
        return links

    def _scored(self, pairs: Sequence[Pair]) -> Iterable[tuple[Pair, Scores | None]]:
        for start in range(0, len(pairs), SCORED_AT_A_TIME):
            yield from self._scored_together(pairs[start : start + SCORED_AT_A_TIME])

    def _scored_together(self, pairs: Sequence[Pair]) -> Iterable[tuple[Pair, Scores | None]]:
        distinct = list(dict.fromkeys((tuple(source), tuple(output)) for source, output in pairs))
        related = {
            pair: found
            for pair, found in zip(distinct, self._grids.relations.related_in(distinct), strict=True)
            if len(pair[0]) * len(pair[1]) <= MAX_PAIR_CELLS and self._grids.share_content(*pair, found)
        }
        wanted = list(dict.fromkeys(sentence for pair in related for sentence in pair))
        states = self._encoder.states(wanted, self._vectors) if related else []
        sentences = {
            sentence: (self._grids.sentence(sentence), vectors)
            for sentence, vectors in zip(wanted, states, strict=True)
        }
        scores = dict(zip(related, self._score(related, sentences), strict=True)) if related else {}
        return [(pair, scores.get((tuple(pair[0]), tuple(pair[1])))) for pair in pairs]

    def _score(
        self,
        related: Mapping[tuple[tuple[str, ...], tuple[str, ...]], Related],
        sentences: Mapping[tuple[str, ...], tuple[SentenceWords, Vectors]],
    ) -> list[Scores]:
        """The scores of the pairs in ``related``, with the words that may be related in each."""
        pairs = list(related)
        scores: list[Scores] = [np.zeros((0, 0), np.float32)] * len(pairs)
        model = self._model

        def work(group: list[int]) -> None:
            sides = [(sentences[pairs[k][0]], sentences[pairs[k][1]]) for k in group]
            rows, columns = (max(len(pair[side][0].words) for pair in sides) for side in (0, 1))
            grid = np.zeros((len(group), len(FEATURES), rows, columns), np.float32)
            mask = np.zeros((len(group), 1, rows, columns), np.float32)
            width = sides[0][0][1].shape[1]
            left, right = (np.zeros((len(group), size, width), np.float32) for size in (rows, columns))
            for row, ((source, source_vectors), (output, output_vectors)) in enumerate(sides):
                n, m = len(source.words), len(output.words)
                self._grids.grid(source, output, related[pairs[group[row]]], grid[row, :, :n, :m])
                mask[row, 0, :n, :m] = 1.0
                left[row, :n], right[row, :m] = source_vectors, output_vectors
            (found,) = model.grid.run(
                ["probabilities"], {"source": left, "output": right, "grid": grid, "mask": mask}
            )  # (pairs, rows, columns)
            for row, (k, ((source, _), (output, _))) in enumerate(zip(group, sides, strict=True)):
                n, m = len(source.words), len(output.words)
                cells = grid[row, :, :n, :m]
                unlike = source.name[:, None] & output.name & (cells[_CHARACTERS] < _UNLIKE)
                unlike &= ~cells[_SAME_NAME].any(0)
                chosen = np.where(unlike | (cells[_OTHER_VALUE] > 0), np.float32(0), found[row, :n, :m])
                chosen[_beaten_copies(chosen, (cells[_IDENTICAL] > 0) & (chosen >= model.threshold))] = 0
                linked = chosen >= model.threshold
                free = ~linked.any(1, keepdims=True) & ~linked.any(0, keepdims=True)
                scores[k] = np.where(free & (cells[_UNIQUE] * cells[_CONTENT] > 0), np.float32(1), chosen)

        groups = grid_batches([(len(source), len(output)) for source, output in pairs])
        with one_blas_thread():
            each(work, groups, self._threads)
        return scores


class _Model:
    """The files of the aligner: states to word vectors, grids to probabilities, the threshold."""

    def __init__(self, folder: Path) -> None:
        self.digest = checked(folder, "aligner weights")
        about: dict[str, Any] = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        self.threshold: float = about["threshold"]
        self._words, self.grid = session(folder / WORDS), session(folder / GRID)

    def vectors(self, states: NDArray[np.float32]) -> Vectors:
        """Word vectors of a sentence's states: a unit vector for each head, and further channels."""
        found: Vectors = self._words.run(["vectors"], {"states": states})[0].astype(np.float16)
        return found


_model = lru_cache(maxsize=2)(_Model)


@dataclass(frozen=True)
class _WordVectors:
    """Turns the states of a sentence into its word vectors; aligners of the same folder share an encoder's cache."""

    folder: Path

    def __call__(self, states: NDArray[np.float32]) -> Vectors:
        return _model(self.folder).vectors(states)


MAX_PAIR_CELLS = 250_000
"""Above this product of sentence lengths only equal words are linked, in their order: no sentence is that long, but
a table or an endless list may be, and would take too much memory."""


def grid_batches(
    sizes: Sequence[tuple[int, int]], most: int = MAX_CELLS, jitter: Callable[[], float] = lambda: 0.0
) -> list[list[int]]:
    """Indexes of grids in batches of like size, of at most ``most`` padded cells; ``jitter`` mixes neighbours."""
    return batches(
        sizes,
        lambda count, size: count * size[0] * size[1] <= most,
        key=lambda index: (sizes[index][0] + jitter(), sizes[index][1]),
    )


def _copies_of_long(source: Sequence[str], output: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of equal words of a long pair by their order: the first occurrence with the first, and so on."""
    if len(source) * len(output) <= MAX_PAIR_CELLS:
        return []
    places: dict[str, list[int]] = {}
    for place in range(len(output) - 1, -1, -1):
        places.setdefault(output[place], []).append(place)
    return [(place, places[word].pop()) for place, word in enumerate(source) if places.get(word)]


def _beaten_copies(scores: Scores, copies: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The links of identical words to drop: a word is linked to at most one identical word, the likeliest."""
    kept = copies
    for axis in (0, 1):
        strength = np.where(kept, scores, np.float32(-1))
        kept = kept & (strength == strength.max(axis, keepdims=True))
    return copies & ~kept


def learned_aligner(
    *,
    encoder: Encoder | None = None,
    lexicon: Lexicon | None = None,
    threads: Annotated[int | None, "batches of grids computed beside each other; none: one for each core"] = None,
) -> LearnedAligner:
    """The aligner that ships, by default on an encoder of its own over the parser's weights."""
    words = lexicon or english_lexicon()
    grids = WordGrids(relations(words, reverse_hyponymy=True), number_value)
    return LearnedAligner(encoder or UccaEncoder(threads=threads), relations(words), grids, threads=threads)
