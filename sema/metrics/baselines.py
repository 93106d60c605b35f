"""The baselines that papers on simplification compare with, through their libraries.

``rouge1``, ``rouge2`` and ``rougeL`` (Lin 2004) are computed by ``rouge-score``, ``ter`` (Snover et al. 2006) by
sacreBLEU, ``wer`` by RapidFuzz. ``cosine`` of bags of words and ``tbleu`` (Rios, Aziz and Specia 2011; by sacreBLEU),
BLEU of the orders up to the highest that matches, are those of Štajner, Mitkov and Saggion (2014). They compare the
output with the references or, with ``against=source``, with the source, as QATS 2016 and Štajner et al. did. The
defaults give the libraries' numbers: ``rouge*`` splits English by ROUGE's own tokenizer, ``ter`` and ``wer`` split at
spaces, ``ter`` ignores case. Štajner et al. also use TINE, whose program and semantic role labels are not available.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import version
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from sema.errors import required
from sema.metrics import bleu
from sema.metrics.base import Item, Need, Row, check_choice
from sema.metrics.token_metric import (
    LowercaseOption,
    TokenizedItem,
    Tokenizer,
    TokenizerOption,
    TokenMeanMetric,
    TokenMetric,
)
from sema.model.language import base_code

if TYPE_CHECKING:
    from sacrebleu.metrics import TER

    from sema.model.language import Parts

Against = Literal["references", "source"]
AgainstOption = Annotated[Against, "what the output is compared with"]


class Baseline(TokenMetric):
    """A metric against references or the source; ``library`` computes it, if its version may change the number."""

    library: ClassVar[str] = ""

    def __init__(
        self,
        *,
        against: AgainstOption = "references",
        tokenizer: TokenizerOption = None,
        lowercase: LowercaseOption = False,
    ) -> None:
        super().__init__(tokenizer=tokenizer, lowercase=lowercase)
        check_choice("text to compare with", against, Against)
        self._against = against
        self.requires = frozenset({Need.REFERENCES} if against == "references" else ())
        self.one_language = against == "source"

    @property
    def signature(self) -> str:
        library = f",{self.library}={version(self.library)}" if self.library else ""
        return f"{super().signature},against={self._against}{library}"

    def tokenize(self, items: Sequence[Item]) -> list[TokenizedItem]:
        """Every item's tokens; with ``against=source`` the source is the only reference."""
        tokenized = super().tokenize(items)
        if self._against == "references":
            return tokenized
        return [replace(item, references=(item.source,)) for item in tokenized]


class Wer(Baseline, name="wer"):
    """Word error rate: inserted, deleted and substituted words in percent of the reference's.

    Of several references the one with the lowest rate.
    """

    higher_is_better = False
    range = (0.0, math.inf)
    spaced_tokenizer = "none"

    def _errors(self, item: TokenizedItem) -> tuple[float, float]:
        """Edits, and the length that they are divided by."""
        from rapidfuzz.distance import Levenshtein

        pairs = [(Levenshtein.distance(reference, item.output), len(reference)) for reference in item.references]
        return min(pairs, key=lambda pair: (self.value(pair), pair))

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """Edits and the reference's length."""
        return [tuple(map(float, self._errors(item))) for item in self.tokenize(items)]

    def value(self, row: Row) -> float:
        """Errors in percent of a length; 100 for errors against an empty text."""
        errors, length = row
        return 100 * errors / length if length else 100.0 * bool(errors)


class Ter(Wer, name="ter"):
    """Translation edit rate: edits and moved phrases in percent of the reference's words.

    With several references the fewest edits and the mean length. A corpus's is what ``sacrebleu -m ter`` prints.
    """

    library = "sacrebleu"

    def __init__(
        self,
        *,
        against: AgainstOption = "references",
        tokenizer: TokenizerOption = None,
        lowercase: LowercaseOption = True,
    ) -> None:
        super().__init__(against=against, tokenizer=tokenizer, lowercase=lowercase)

    def _errors(self, item: TokenizedItem) -> tuple[float, float]:
        scored = _ter().sentence_score(" ".join(item.output), [" ".join(words) for words in item.references])
        return scored.num_edits, scored.ref_length


class Tbleu(Baseline, name="tbleu"):
    """T-BLEU: BLEU of the n-gram orders up to the highest that matches (Rios, Aziz and Specia 2011)."""

    library = "sacrebleu"

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """BLEU's counts."""
        return [tuple(map(float, bleu.statistics(item.output, item.references))) for item in self.tokenize(items)]

    def value(self, row: Row) -> float:
        from sacrebleu.metrics import BLEU

        length, reference_length, *ngrams = map(int, row)
        orders = sum(map(bool, ngrams[:4]))  # a matching n-gram has matching shorter ones
        matches, totals = ngrams[:orders], ngrams[4 : 4 + orders]
        if not orders:
            return 0.0
        return float(BLEU.compute_bleu(matches, totals, length, reference_length, max_ngram_order=orders).score)


class Cosine(Baseline, TokenMeanMetric, name="cosine"):
    """Cosine of the bags of words of output and nearest reference."""

    def _score(self, item: TokenizedItem) -> float:
        output, *references = map(Counter, (item.output, *item.references))
        return max(_cosine(output, other) for other in references)


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    shared = sum(count * other[word] for word, count in one.items())
    norms = math.hypot(*one.values()) * math.hypot(*other.values())
    return 100 * shared / norms if shared else 0.0


class Rouge(Baseline, TokenMeanMetric):
    """ROUGE in one of its kinds: F1 against the reference with the best one.

    ROUGE's tokenizer splits English unless another is named: letters a to z and digits, in lower case.

    Raises:
        ResourceError: rouge-score is not installed.
    """

    library = "rouge-score"

    def __init__(self, *, against: AgainstOption = "references", tokenizer: TokenizerOption = None) -> None:
        super().__init__(against=against, tokenizer=tokenizer, lowercase=True)

    def bind(self, parts: Parts) -> Self:
        """A copy that tokenizes English as ROUGE does, and any other language by its own tokenizer."""
        bound = super().bind(parts)
        bound.signature, _scorer(type(self).name)  # fail now, not after an hour of scoring
        return bound

    @property
    def tokenizer(self) -> Tokenizer:
        if self._tokenizer is None and (self._parts is None or base_code(self._parts.code) == "en"):
            return _rouge_tokenizer()
        return super().tokenizer

    @property
    def signature(self) -> str:
        return f"{super().signature},part=f1"

    def _score(self, item: TokenizedItem) -> float:
        kind = type(self).name
        scored = _scorer(kind).score_multi([" ".join(words) for words in item.references], " ".join(item.output))
        return 100 * float(scored[kind].fmeasure)


class Rouge1(Rouge, name="rouge1"):
    """F1 of single words (ROUGE-1)."""


class Rouge2(Rouge, name="rouge2"):
    """F1 of pairs of words (ROUGE-2)."""


class RougeL(Rouge, name="rougeL"):
    """F1 of the longest common subsequence of words (ROUGE-L)."""


@lru_cache(maxsize=1)
def _ter() -> TER:
    from sacrebleu.metrics import TER

    return TER(case_sensitive=True)  # the tokenizer has handled the case


@lru_cache(maxsize=3)
def _scorer(kind: str) -> Any:
    return required("rouge_score.rouge_scorer").RougeScorer([kind], tokenizer=SimpleNamespace(tokenize=str.split))


@lru_cache(maxsize=1)
def _rouge_tokenizer() -> Tokenizer:
    tokenize = required("rouge_score.tokenizers").DefaultTokenizer().tokenize
    return Tokenizer("rouge", lambda texts: [" ".join(tokenize(text)) for text in texts], lowercase=True)
