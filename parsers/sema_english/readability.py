"""Reading ease, grade levels and FKBLEU, for English: Flesch's two formulas, and the product of a grade with iBLEU.

``flesch``: Flesch (1948), higher is easier, from words with a letter or digit, the segmenter's sentences, and syllables
by the CMU dictionary where it has the word.

``fkgl``: Kincaid et al. (1975), as EASSE computes it: the text is lower-cased and tokenized, punctuation counts as
words without syllables, and grades below 0 become 0. ``fk``: equation 2 of Xu et al. (TACL 2016): a text is one
sentence, punctuation counts as words of one syllable, and syllables are runs of vowels. Both are grades, not
percentages, and lower is easier. The paper's tables were made with the intercept 15.19 (``fk.intercept``) and not with
the 15.59 of equation 2.

FKBLEU: formula 3 of the same paper prints ``iBLEU x sigmoid(FK(output) - FK(source))``, which rewards an output that is
HARDER than its source. ``fkbleu_printed`` is that product with the FK of equation 2, averaged over the sentences; no
published number was computed so. ``fkbleu`` is the product with ``fkgl`` in place of FK, as in all values published
with EASSE. ``fkbleu_paper`` follows the paper's text and Table 5: the geometric mean of iBLEU and
``sigmoid(FK(source) - FK(output))``, averaged over the sentences. The table's numbers need ``reference_length=mean`` as
well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Self

from sema.errors import UsageError
from sema.metrics import bleu
from sema.metrics.base import Item, MeanMetric, Metric, Need, Row, require_references
from sema.metrics.token_metric import LowercaseOption, TokenizerOption, TokenMetric
from sema.model.language import base_code
from sema_english.features.readability import flesch, plain_words, syllables
from sema_english.syllables import count_syllables, count_vowel_runs
from sema_english.words import word_list, word_table

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    from sema.model.language import Parts

INTERCEPT = 15.59
"""The intercept of the Flesch-Kincaid grade."""
LEAST_GRADE, LONG_SENTENCE = 1.0, 15
"""A lower grade is doubted if the sentences have at least this many words on average."""


def statistics(tokens: Sequence[str]) -> tuple[int, int, int]:
    """Words, syllables and sentences of a lower-cased, tokenized English text; they add up over a corpus."""
    text = " ".join(tokens)
    return len(tokens), sum(map(count_syllables, tokens)), count_sentences(text) if text else 0


def fkgl(counts: Sequence[float]) -> float:
    """The Flesch-Kincaid grade from (summed) counts of words, syllables and sentences; 0 for no words."""
    words, syllables, sentences = counts
    if not words or not sentences:
        return 0.0
    return max(0.0, 0.39 * words / sentences + 11.8 * syllables / words - INTERCEPT)


def fk(tokens: Sequence[str], *, intercept: float = INTERCEPT) -> float:
    """FK of one lower-cased, tokenized English sentence (Xu et al. 2016, equation 2); 0 for no tokens."""
    if not tokens:
        return 0.0
    return 0.39 * len(tokens) + 11.8 * sum(map(count_vowel_runs, tokens)) / len(tokens) - intercept


def count_sentences(text: str) -> int:
    """The number of sentences of a tokenized English text, as EASSE counts them: by NLTK's Punkt for English.

    Only the abbreviations of Punkt's English parameters are used: its other parameters changed no count of 20,994
    lower-cased texts (``tables/CARD.md``). *i.e.* and *e.g.* are not among them, so that a sentence ends there.
    """
    return sum(1 for _ in _punkt().span_tokenize(text))


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value > -700 else 0.0  # beyond, exp overflows


@lru_cache(maxsize=1)
def _punkt() -> PunktSentenceTokenizer:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = set(word_list("readability", "abbreviations"))
    return PunktSentenceTokenizer(parameters)


class _English(Metric):
    def bind(self, parts: Parts) -> Self:
        """The metric for English, with the language's tokenizer if it counts one's words; else ``UsageError``."""
        if base_code(parts.code) != "en":
            raise UsageError(f"{self.name} counts English syllables; leave it out for language {parts.code!r}")
        bound: Self = super().bind(parts)  # type: ignore[assignment]
        return bound


class Flesch(_English, name="flesch"):
    """Flesch's reading ease of the output, higher is easier, English only.

    A corpus's is computed from its items' summed counts; a text without words has none.
    """

    range = (-math.inf, 206.835)

    @property
    def signature(self) -> str:
        return word_table().signature

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """Words, syllables and sentences of the outputs."""
        texts = [(plain_words(item.output), len(item.output.sentences)) for item in items]
        return [
            (float(len(words)), float(sum(map(syllables, words))), float(sentences if words else 0))
            for words, sentences in texts
        ]

    def value(self, row: Row) -> float:
        words, counted, sentences = row
        return flesch(words / sentences, counted / words) if words else math.nan


class Fkgl(_English, TokenMetric, name="fkgl"):
    """The Flesch-Kincaid grade of the output, English only.

    A corpus's is computed from its items' summed counts.
    """

    higher_is_better = False
    range = (0.0, math.inf)

    def __init__(self, *, tokenizer: TokenizerOption = None) -> None:
        super().__init__(tokenizer=tokenizer, lowercase=True)

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """Words, syllables and sentences of the outputs, and the sentences that the segmenter finds."""
        outputs = self.tokenizer.batch([item.output.raw for item in items])
        return [
            tuple(map(float, (*statistics(words), len(item.output.sentences))))
            for item, words in zip(items, outputs, strict=True)
        ]

    def value(self, row: Row) -> float:
        return fkgl(row[:3])

    def doubt(self, row: Row) -> str:
        words, _, counted, sentences = row
        if not sentences or fkgl(row[:3]) >= LEAST_GRADE or words < LONG_SENTENCE * sentences or counted <= sentences:
            return ""
        return (
            f"counts {counted:.0f} sentences where the segmenter finds {sentences:.0f}, as EASSE does: "
            "full stops in abbreviations, figures and lists end sentences"
        )


class Fk(_English, TokenMetric, MeanMetric, name="fk"):
    """The Flesch-Kincaid grade by equation 2 of Xu et al. (2016): punctuation has a syllable; English.

    One sentence for each text; a corpus's is the mean. A language with a readability formula of its own has that one
    under this name.
    """

    higher_is_better = False
    range = (-math.inf, math.inf)

    def __init__(
        self,
        *,
        intercept: Annotated[float, "what is taken off at the end; the paper's tables have 15.19"] = INTERCEPT,
        tokenizer: TokenizerOption = None,
    ) -> None:
        super().__init__(tokenizer=tokenizer, lowercase=True)
        self._intercept = intercept

    @property
    def signature(self) -> str:
        return f"{super().signature},intercept={self._intercept}"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        outputs = self.tokenizer.batch([item.output.raw for item in items])
        return [fk(words, intercept=self._intercept) for words in outputs]


class Fkbleu(_English, TokenMetric, name="fkbleu"):
    """iBLEU x sigmoid of the difference of fkgl, as EASSE has formula 3 of Xu et al. (2016)."""

    one_language = True
    range = (-10.0, 90.0)
    requires = frozenset({Need.REFERENCES})

    @property
    def signature(self) -> str:
        return f"{super().signature},form=product"

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """Ten counts against the references, ten against the source, three of the output, three of the source."""
        lowered = self.tokenizer_for(lowercase=True)
        outputs = lowered.batch([item.output.raw for item in items])
        sources = lowered.batch([item.source.raw for item in items])
        return [
            tuple(map(float, (*bleu.both_statistics(item), *statistics(output), *statistics(source))))
            for item, output, source in zip(self.tokenize(items), outputs, sources, strict=True)
        ]

    def value(self, row: Row) -> float:
        return self._value(row, corpus=True)

    def item_value(self, row: Row) -> float:
        return self._value(row, corpus=False)

    def _value(self, row: Row, *, corpus: bool) -> float:
        return bleu.ibleu_score(row[:20], corpus=corpus) * _sigmoid(fkgl(row[20:23]) - fkgl(row[23:26]))


class FkbleuPaper(_English, TokenMetric, MeanMetric, name="fkbleu_paper"):
    """Geometric mean of iBLEU and how much the grade fell (Xu et al. 2016, text and Table 5).

    A corpus's score is the mean.
    """

    one_language = True
    range = (0.0, 100 * math.sqrt(bleu.ALPHA))
    requires = frozenset({Need.REFERENCES})
    form = "gmean,sign=easier"

    def __init__(
        self,
        *,
        alpha: Annotated[float, "the weight of the references in iBLEU"] = bleu.ALPHA,
        reference_length: bleu.ReferenceLengthOption = "closest",
        tokenizer: TokenizerOption = None,
        lowercase: LowercaseOption = False,
    ) -> None:
        super().__init__(tokenizer=tokenizer, lowercase=lowercase)
        self._ibleu = bleu.Ibleu(
            alpha=alpha, smoothing="exp", reference_length=reference_length, tokenizer=tokenizer, lowercase=lowercase
        )
        self.range = self._range(alpha)

    def bind(self, parts: Parts) -> Self:
        bound = super().bind(parts)
        bound._ibleu = self._ibleu.bind(parts)
        return bound

    @property
    def signature(self) -> str:
        return f"{self._ibleu.signature},form={self.form}"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        require_references(self.name, items)
        lowered = self.tokenizer_for(lowercase=True)
        sources = lowered.batch([item.source.raw for item in items])
        outputs = lowered.batch([item.output.raw for item in items])
        ibleus = map(self._ibleu.item_value, self._ibleu.rows(items))
        return [
            self._combined(ibleu, fk(source) - fk(output))
            for ibleu, source, output in zip(ibleus, sources, outputs, strict=True)
        ]

    def _range(self, alpha: float) -> tuple[float, float]:
        return 0.0, 100 * math.sqrt(alpha)

    def _combined(self, ibleu: float, easier: float) -> float:
        """The score from an iBLEU (a negative one counts as 0) and how many grades easier the output is."""
        return 100 * math.sqrt(max(ibleu, 0.0) / 100 * _sigmoid(easier))


class FkbleuPrinted(FkbleuPaper, name="fkbleu_printed"):
    """iBLEU x sigmoid of how much FK rose: equations 1-3 of Xu et al. (2016) as printed.

    A corpus's score is the mean.
    """

    form = "product,sign=harder"

    def _range(self, alpha: float) -> tuple[float, float]:
        return 100 * (alpha - 1), 100 * alpha

    def _combined(self, ibleu: float, easier: float) -> float:
        return ibleu * _sigmoid(-easier)
