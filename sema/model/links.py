"""Word alignment: links with kinds, the aligner protocol, and links given by the user."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from sema.errors import InputError, SemaError
from sema.model.pictures import Pictured
from sema.model.text import Signed, Text
from sema.runtime.checksums import short_digest

if TYPE_CHECKING:
    from numpy import float32, int64
    from numpy.typing import NDArray


class LinkKind(StrEnum):
    """Why two words are linked, the surest kind first."""

    EXACT = "exact"
    FORM = "form"
    SYNONYM = "synonym"
    PARAPHRASE = "paraphrase"
    CONTEXTUAL = "contextual"
    HYPONYMY = "hyponymy"


class Link(NamedTuple):
    """A source token and a token of ONE output sentence (from 0); ``weight`` is the aligner's confidence, in (0, 1]."""

    source: int
    output: int
    kind: LinkKind
    weight: float = 1.0


class LinkGrid(NamedTuple):
    """The probability of every link to ONE output sentence.

    ``rows`` has the source tokens that may have a link, ascending (rows,); other tokens have none. ``weights`` has the
    probabilities (rows, the sentence's tokens), in [0, 1].
    """

    rows: NDArray[int64]
    weights: NDArray[float32]

    @classmethod
    def whole(cls, weights: NDArray[float32]) -> LinkGrid:
        """The grid of all source tokens."""
        import numpy as np  # the rule aligner works without it

        return cls(np.arange(len(weights)), weights)

    def likely(self, least: float) -> tuple[tuple[int, int], ...]:
        """The links of at least that probability: source token and token of the sentence."""
        rows, others = (self.weights >= least).nonzero()
        return tuple(zip(self.rows[rows].tolist(), others.tolist(), strict=True))

    def weight(self, source: int, output: int) -> float:
        """The probability of one link."""
        row = bisect_left(self.rows, source)
        return float(self.weights[row, output]) if row < len(self.rows) and self.rows[row] == source else 0.0


@dataclass(frozen=True)
class Alignment(Pictured):
    """A source, an output's sentences, and the links to each, whose ``output`` is an index into that sentence."""

    source: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]
    links: tuple[tuple[Link, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """The shape that ``sema align`` prints, without the item's number."""
        return {
            "source": list(self.source),
            "sentences": [
                {"tokens": list(words), "links": [list(link[:3]) for link in links]}
                for words, links in zip(self.sentences, self.links, strict=True)
            ],
        }


Pair = tuple[Sequence[str], Sequence[str]]
"""The tokens of a source sentence and of one output sentence."""


@runtime_checkable
class Aligner(Signed, Protocol):
    """Links the words of source sentences to those of output sentences."""

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of each pair, ascending by source index; at most one link for each source token.

        Each pair is aligned on its own. An implementation gets all pairs at once, so that it can batch them and
        encode a repeated source once.
        """


@runtime_checkable
class ProbabilisticAligner(Aligner, Protocol):
    """An aligner that also returns the probability of every possible link."""

    def probabilities(self, pairs: Sequence[Pair]) -> list[NDArray[float32]]:
        """For each pair the probability of every link, (source tokens, output tokens); 0 where a link is excluded."""


Pairs = Sequence[tuple[int, int]]
"""Links as (source token, output token), the output's tokens counted over all its sentences."""


@dataclass(frozen=True)
class GivenLinks:
    """One item's links: with their tokens and kinds, or as pairs of token numbers alone.

    ``file`` and ``line``, or the number of the item, are their origin, for error messages.
    """

    links: Alignment | Pairs
    file: str | None = None
    line: int | None = None
    item: int | None = None

    def place(self, source: Text, output: Text) -> tuple[tuple[Link, ...], ...]:
        """The links of each output sentence, ascending.

        A pair links identical words as ``exact``, words that differ in case as ``form``, any other as ``contextual``.

        Raises:
            InputError: the tokens differ from those of ``source`` and ``output``, or a link has an index out of range.
        """
        if isinstance(self.links, Alignment):
            by_sentence = self._of_alignment(self.links, source, output)
        else:
            by_sentence = self._of_pairs(self.links, source, output)
        return tuple(tuple(sorted(links)) for links in by_sentence)

    def _of_alignment(self, given: Alignment, source: Text, output: Text) -> Sequence[Sequence[Link]]:
        self._check_words(given.source, source.words, "source")
        if len(given.sentences) != len(output.sentences):
            raise self._error(
                f"these links are of {len(given.sentences)} output sentences, but the output has "
                f"{len(output.sentences)}; segment both alike, or give both tokenized"
            )
        for words, own in zip(given.sentences, output.sentence_words, strict=True):
            self._check_words(words, own, "output")
        for links, words in zip(given.links, given.sentences, strict=True):
            for link in links:
                self._check_range(link.source, len(given.source), "source")
                self._check_range(link.output, len(words), "output sentence")
        return given.links

    def _of_pairs(self, pairs: Pairs, source: Text, output: Text) -> Sequence[Sequence[Link]]:
        sentence_of = [(index, start) for index, (start, end) in enumerate(output.sentences) for _ in range(start, end)]
        by_sentence: list[list[Link]] = [[] for _ in output.sentences]
        for i, j in dict.fromkeys(pairs):
            self._check_range(i, len(source.words), "source")
            self._check_range(j, len(output.words), "output")
            sentence, start = sentence_of[j]
            by_sentence[sentence].append(Link(i, j - start, _kind(source.words[i], output.words[j])))
        return by_sentence

    def _check_words(self, given: Sequence[str], own: Sequence[str], role: str) -> None:
        for place, (linked, word) in enumerate(zip_longest(given, own)):
            if linked != word:
                seen, expected = ("nothing" if word is None else repr(word) for word in (linked, word))
                raise self._error(
                    f"these links are of other tokens than the {role}: token {place} is {seen} here and {expected} "
                    "there; align the same texts with the same options"
                )

    def _check_range(self, index: int, size: int, role: str) -> None:
        if not 0 <= index < size:
            raise self._error(f"token {index} is linked, but the {role} has tokens 0 to {size - 1}; number from 0")

    def _error(self, message: str) -> InputError:
        return InputError(message, file=self.file, line=self.line, item=self.item)


def _kind(source: str, output: str) -> LinkKind:
    if source == output:
        return LinkKind.EXACT
    return LinkKind.FORM if source.casefold() == output.casefold() else LinkKind.CONTEXTUAL


def digest(systems: Iterable[Sequence[GivenLinks | SemaError]]) -> str:
    """A short hash of the links of all items and systems, for the signature of the scores."""

    def content(given: GivenLinks | SemaError) -> str:
        if isinstance(given, SemaError):
            return str(given)
        return repr(given.links.to_dict() if isinstance(given.links, Alignment) else sorted(given.links))

    return short_digest(content(given) for system in systems for given in system)
