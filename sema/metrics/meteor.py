"""METEOR through NLTK (Lavie and Agarwal 2007), with the language's lexicon in the place of NLTK's own WordNet.

Words match exactly, by Porter stem, or as synonyms, in that order. ``meteor`` takes the best reference;
``meteor_source`` scores the output against its source, as a measure of meaning kept (Mathias and Bhattacharyya 2016).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from sema.errors import ResourceError
from sema.metrics.base import Item, MetricOptions, MetricScores, Registration
from sema.metrics.function_metric import Compute, TokenizedItem, register, tokenize, tokenizer_of
from sema.metrics.tokenizers import Tokenizer
from sema.model.lexicon import Lexicon


@dataclass(frozen=True)
class _Lemma:
    word: str

    def name(self) -> str:
        return self.word


@dataclass(frozen=True)
class _Synset:
    words: tuple[str, ...]

    def lemmas(self) -> list[_Lemma]:
        return [_Lemma(word) for word in self.words]


@dataclass(frozen=True)
class _Synonyms:
    """What NLTK's METEOR asks of a WordNet reader: here, which words of the other text are synonyms of a word."""

    lexicon: Lexicon
    vocabulary: frozenset[str]

    def synsets(self, word: str) -> list[_Synset]:
        return [_Synset(tuple(other for other in self.vocabulary if self.lexicon.are_synonyms(word, other)))]


def meteor(output: Sequence[str], references: Iterable[Sequence[str]], lexicon: Lexicon) -> float:
    """METEOR of a tokenized output against the best of some tokenized references, 0-100; 0 for an empty output."""
    from nltk.translate.meteor_score import single_meteor_score

    best = 0.0
    for reference in references:
        synonyms = _Synonyms(lexicon, frozenset(word.lower() for word in reference))
        best = max(best, single_meteor_score(reference, output, wordnet=synonyms))
    return 100 * best


def _build(
    against: Callable[[TokenizedItem], Sequence[Sequence[str]]],
) -> Callable[[MetricOptions], tuple[Compute, str]]:
    def compute(tokenizer: Tokenizer, lexicon: Lexicon, items: Sequence[Item]) -> MetricScores:
        return MetricScores.averaged(meteor(item.output, against(item), lexicon) for item in tokenize(items, tokenizer))

    def build(options: MetricOptions) -> tuple[Compute, str]:
        from nltk import __version__

        if options.lexicon is None:
            raise ResourceError(f"METEOR needs a lexicon, and language {options.lang!r} has none; leave meteor out")
        tokenizer, lexicon = tokenizer_of(options), options.lexicon()
        words = lexicon.signature.replace("|", "+")
        signature = f"{tokenizer.signature},lexicon={words},nltk={__version__}"
        return partial(compute, tokenizer, lexicon), signature

    return build


def registrations() -> dict[str, Registration]:
    """METEOR against references and against the source."""
    return {
        **register(
            "meteor",
            "words matched exactly, by stem or as synonyms, in runs (NLTK), against the references",
            _build(lambda item: item.references),
            needs_references=True,
        ),
        **register(
            "meteor_source",
            "METEOR of the output against its source: meaning kept",
            _build(lambda item: (item.source,)),
        ),
    }
