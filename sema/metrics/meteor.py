"""METEOR (Lavie and Agarwal 2007), with the language's lexicon in the place of NLTK's own WordNet.

Words match exactly, by stem, as synonyms, as paraphrases, in that order: each stage matches the words that earlier
stages left, from the texts' ends on, as NLTK does. Matches count by their stage's weight; a stage of weight 0 is left
out. By default the score is NLTK's: Porter stems, no paraphrases, all weights 1, and the lexicon is asked about stems,
so that *companies* (*compani*) has no synonyms. ``meteor`` takes the best reference; ``meteor_source`` scores the
output against its source, as a measure of meaning kept; ``meteor_qats`` does that with the weights of Mathias and
Bhattacharyya (2016, Table 1), Snowball stems, paraphrases, and synonyms of whole words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from sema.errors import ResourceError, UsageError
from sema.metrics.base import Need
from sema.metrics.stem_recall import stem as stemmed
from sema.metrics.token_metric import LowercaseOption, TokenizedItem, TokenizerOption, TokenMeanMetric
from sema.model.lexicon import Lexicon

if TYPE_CHECKING:
    from sema.model.language import Parts

Stemming = Literal["porter", "snowball"]
Lookup = Literal["stems", "words"]
Match = tuple[int, int, float]
"""An output word, a word of the other text, and the weight of their match."""


@dataclass(frozen=True)
class Scheme:
    """The weights and parameters of METEOR.

    A stage of weight 0 is left out. ``alpha`` weighs recall in the mean; ``gamma`` is the greatest penalty for matches
    in scattered runs, ``beta`` how fast it grows.
    """

    exact: float = 1.0
    stem: float = 1.0
    synonym: float = 1.0
    paraphrase: float = 0.0
    stemmer: Stemming = "porter"
    lookup: Lookup = "stems"
    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5


NLTK = Scheme()
"""NLTK's METEOR."""
QATS = Scheme(stem=0.6, synonym=0.8, paraphrase=0.6, stemmer="snowball", lookup="words")
"""The weights of Mathias and Bhattacharyya (2016), Table 1, which are METEOR 1.5's for English."""


def meteor(
    output: Sequence[str], references: Iterable[Sequence[str]], lexicon: Lexicon, scheme: Scheme = NLTK
) -> float:
    """METEOR of a tokenized output against the best of some tokenized references, 0-100; 0 for an empty output."""
    lowered = [word.lower() for word in output]
    return 100 * max((_score(lowered, [w.lower() for w in text], lexicon, scheme) for text in references), default=0.0)


def matches(output: Sequence[str], reference: Sequence[str], lexicon: Lexicon, scheme: Scheme = NLTK) -> list[Match]:
    """The matched words of two tokenized texts in lower case, in the output's order."""
    words = output, reference
    stemmer = "porter" if scheme.stemmer == "porter" else "english"
    stems = [stemmed(word, stemmer) for word in output], [stemmed(word, stemmer) for word in reference]
    asked = stems if scheme.lookup == "stems" else words
    stages: Sequence[tuple[float, tuple[Sequence[str], Sequence[str]], Callable[[str, str], bool]]] = (
        (scheme.exact, words, str.__eq__),
        (scheme.stem, stems, str.__eq__),
        (scheme.synonym, asked, lexicon.are_synonyms),
        (scheme.paraphrase, asked, lexicon.are_paraphrases),
    )
    free_output, free_reference = [*range(len(output))][::-1], [*range(len(reference))][::-1]
    found: list[Match] = []
    for weight, (mine, theirs), same in stages:
        for i in [*free_output] if weight else ():
            partner = next((j for j in free_reference if same(mine[i], theirs[j])), None)
            if partner is not None:
                found.append((i, partner, weight))
                free_output.remove(i)
                free_reference.remove(partner)
    return sorted(found)


def _score(output: Sequence[str], reference: Sequence[str], lexicon: Lexicon, scheme: Scheme) -> float:
    found = matches(output, reference, lexicon, scheme)
    if not found:
        return 0.0
    total = sum(weight for _, _, weight in found)
    precision, recall = total / len(output), total / len(reference)
    mean = precision * recall / (scheme.alpha * precision + (1 - scheme.alpha) * recall)
    steps = pairwise(found)
    runs = 1 + sum((i + 1, j + 1) != (then_i, then_j) for (i, j, _), (then_i, then_j, _) in steps)
    penalty = scheme.gamma * (runs / len(found)) ** scheme.beta
    return float((1 - penalty) * mean)


class MeteorMetric(TokenMeanMetric):
    """METEOR against some texts; its lexicon is the language's own unless one is given.

    Raises:
        InputError: a weight is below 0 or above 1.
        ResourceError: neither the language nor the metric has a lexicon.
    """

    own: ClassVar[Scheme] = NLTK
    """What counts where no option says otherwise."""

    def __init__(
        self,
        *,
        exact: Annotated[float | None, "what a match of equal words counts; none: as the metric does"] = None,
        stem: Annotated[float | None, "what a match of equal stems counts (0: no such matches)"] = None,
        synonym: Annotated[float | None, "what a match of synonyms counts (0: no such matches)"] = None,
        paraphrase: Annotated[float | None, "what a match of paraphrases counts (0: no such matches)"] = None,
        stemmer: Annotated[Stemming | None, "how words are stemmed"] = None,
        lookup: Annotated[Lookup | None, "whether the lexicon is asked about stems, as by NLTK, or about words"] = None,
        tokenizer: TokenizerOption = None,
        lowercase: LowercaseOption = False,
        lexicon: Lexicon | None = None,
    ) -> None:
        super().__init__(tokenizer=tokenizer, lowercase=lowercase)
        weights = {"exact": exact, "stem": stem, "synonym": synonym, "paraphrase": paraphrase}
        if not all(0 <= weight <= 1 for weight in weights.values() if weight is not None):
            raise UsageError(f"the weights of {self.name} must be between 0 and 1")
        given: dict[str, Any] = {**weights, "stemmer": stemmer, "lookup": lookup}
        self._scheme = replace(self.own, **{name: value for name, value in given.items() if value is not None})
        self._lexicon = lexicon

    def bind(self, parts: Parts) -> Self:
        bound = super().bind(parts)
        bound._lexicon = self._lexicon or parts.lexicon
        bound.lexicon  # noqa: B018 - fail now, not after an hour of scoring
        return bound

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon in use."""
        if self._lexicon is None:
            where = "" if self._parts is None else f", and language {self._parts.code!r} has none"
            raise ResourceError(f"{self.name} needs a lexicon{where}; give one, or leave {self.name} out")
        return self._lexicon

    @property
    def signature(self) -> str:
        """The tokenizer, the lexicon, NLTK's version, and the scheme where it is not NLTK's."""
        from nltk import __version__

        words = "none" if self._lexicon is None else self._lexicon.signature.replace("|", "+")
        scheme, shown = self._scheme, ""
        if scheme != NLTK:
            weights = ":".join(f"{w:g}" for w in (scheme.exact, scheme.stem, scheme.synonym, scheme.paraphrase))
            shown = f",weights={weights},stemmer={scheme.stemmer},lookup={scheme.lookup}"
        return f"{super().signature},lexicon={words}{shown},nltk={__version__}"

    def _score(self, item: TokenizedItem) -> float:
        texts = item.references if Need.REFERENCES in self.requires else (item.source,)
        return meteor(item.output, texts, self.lexicon, self._scheme)


class Meteor(MeteorMetric, name="meteor"):
    """Words matched exactly, by stem or as synonyms, in runs (as NLTK), against the references.

    The best reference counts.
    """

    requires = frozenset({Need.REFERENCES})


class MeteorSource(MeteorMetric, name="meteor_source"):
    """METEOR of the output against its source: meaning kept."""


class MeteorQats(MeteorSource, name="meteor_qats"):
    """meteor_source with paraphrases and the weights of Mathias and Bhattacharyya (2016), Table 1."""

    own = QATS
