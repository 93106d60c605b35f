"""Chooses the best candidate of each n-best list by any metric or mix, or by consensus, with the reason."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import fmean
from typing import Any

from sema import InputError, Language, Metric, Need, Scorer, SemaError, Text
from sema_rerank.mixes import MODEL, Mix, name_of, score_texts
from sema_rerank.nbest import NBest

BLOCK = 256
"""Lists that are ranked at a time."""
BATCH = 8192
"""Pairs of texts that are scored at a time."""

Pair = tuple[str, str, tuple[str, ...]]
"""Source, output and references."""
MetricScores = dict[str, float] | SemaError


@dataclass(frozen=True)
class Ranking:
    """The candidates of one list from the best to the worst.

    Attributes:
        index: the number of the list, from 0.
        order: indexes of the candidates; of equals the earlier comes first.
        values: by candidate, the value of the mix; minus infinity for one that could not be scored.
        scores: by candidate, the scores in the mix and those with limits.
        over: by candidate, the summed excess over the limits; 0 for one within them.
        error: why the list could not be ranked; everything else is empty then.
    """

    index: int
    order: tuple[int, ...] = ()
    values: tuple[float, ...] = ()
    scores: tuple[Mapping[str, float], ...] = ()
    over: tuple[float, ...] = ()
    error: SemaError | None = None

    @property
    def best(self) -> int:
        """The index of the best candidate."""
        return self.order[0]

    def reason(self) -> str:
        """Why the best candidate is the best: its scores beside those of the next, and the mean, in one line."""
        first = self.best
        if any(self.over) and self.over[first]:
            return f"none of {len(self.order)} candidates is within the limits; this one comes nearest"
        if len(self.order) == 1:
            return "the only candidate"
        second = self.order[1]
        if any(self.over) and self.over[second]:
            return "the only candidate within the limits"
        if self.values[first] == self.values[second]:
            return f"as good as candidate {second} and before it: {self.values[first]:.2f}"
        ahead = [
            f"{name} {value:.2f} ({value - self.scores[second].get(name, math.nan):+.2f})"
            for name, value in self.scores[first].items()
        ]
        finite = [value for value in self.values if math.isfinite(value)]
        return f"{', '.join(ahead)} against candidate {second}; mean of {len(finite)}: {fmean(finite):.2f}"

    def to_dict(self, texts: Sequence[str]) -> dict[str, Any]:
        """The row that ``sema rerank --json`` prints; ``texts`` are the candidates'."""
        if self.error is not None:
            return {"item": self.index, "error": str(self.error)}
        values = [_plain(value) for value in self.values]
        return {
            "item": self.index,
            "best": self.best,
            "text": texts[self.best],
            "value": values[self.best],
            "scores": {name: _plain(value) for name, value in self.scores[self.best].items()},
            "reason": self.reason(),
            "order": list(self.order),
            "values": values,
        }


def _plain(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None


class Reranker:
    """Ranks candidates by a mix of metrics.

    Args:
        lang: a language code, or a language of your own.
        by: what decides (:meth:`sema_rerank.mixes.Mix.of`); ``model`` in it is the system's own score.
        at_most: limits by metric, as ``{"cefr": 3}``: candidates above one come after all others, those nearest to the
            limits first.
        mbr: minimum Bayes risk (Eikema and Aziz, EMNLP 2022): a metric that requires references scores each candidate
            with each rival as a pseudo-reference; any other scores it with each rival in the place of the source. A
            candidate's score is the mean over its rivals, each counted as often as it occurs. The lists' own references
            are not used, and the work is quadratic in the length of a list.
        tokenized: tokens are separated by spaces and kept as given; a text is one sentence.
        scoring: ``extractor``, ``aligner``, ``options``, ``workers`` of :class:`~sema.scoring.scorer.Scorer`.

    >>> from sema_rerank.nbest import NBest
    >>> ranking, = Reranker(by="stem_recall").rank([NBest.of("The cat sat.", ["A dog.", "The cat sat down."])])
    >>> ranking.best
    1
    """

    def __init__(
        self, lang: str | Language = "en", by: str | Metric | Mix = "meaning", *,
        at_most: Mapping[str, float] | None = None, mbr: bool = False, tokenized: bool = False, **scoring: Any,
    ) -> None:  # fmt: skip
        self.mix = Mix.of(by)
        self.at_most = dict(at_most or {})
        self._text = Text.from_tokenized if tokenized else str
        self._mbr = mbr
        self._scorers: dict[bool, Scorer] = {}  # by whether rivals stand in the place of the source
        names = self.mix.metrics
        names += [name for name in self.at_most if name not in map(name_of, self.mix.metrics)]
        self.metrics: tuple[Metric, ...] = ()
        if names:
            scorer = Scorer(lang, names, **scoring)
            self.metrics = scorer.metrics
            kinds: dict[bool, list[Metric]] = {}
            for metric in self.metrics:
                kinds.setdefault(mbr and Need.REFERENCES not in metric.requires, []).append(metric)
            self._scorers = {as_source: scorer.with_metrics(metrics) for as_source, metrics in kinds.items()}

    def rank(self, lists: Sequence[NBest | SemaError]) -> list[Ranking]:
        """A ranking for each list; an error in the place of a list is passed on."""
        return list(self.stream(lists))

    def stream(self, lists: Sequence[NBest | SemaError]) -> Iterator[Ranking]:
        """The same, block by block."""
        for start in range(0, len(lists), BLOCK):
            block = lists[start : start + BLOCK]
            scored = iter(self._scores([nbest for nbest in block if isinstance(nbest, NBest)]))
            for index, nbest in enumerate(block, start):
                if isinstance(nbest, SemaError):
                    yield Ranking(index, error=nbest)
                else:
                    yield self._ranking(index, nbest, next(scored))

    def _scores(self, lists: Sequence[NBest]) -> list[list[MetricScores]]:
        """For each list and candidate its scores by metric; each pair of texts is scored once."""
        known: dict[tuple[bool, Pair], MetricScores] = {}
        for as_source, scorer in self._scorers.items():
            texts = ((nbest, text) for nbest in lists for text in dict.fromkeys(nbest.texts))
            asked = (pair for nbest, text in texts for pair in self._pairs(as_source, nbest, text))
            while taken := list(islice(asked, BATCH)):
                batch = [pair for pair in dict.fromkeys(taken) if (as_source, pair) not in known]
                items = score_texts(scorer, self._text, batch) if batch else ()
                for pair, item in zip(batch, items, strict=True):
                    known[as_source, pair] = item.scores if item.cause is None else item.cause
        return [[self._mean(nbest, text, known) for text in nbest.texts] for nbest in lists]

    def _pairs(self, as_source: bool, nbest: NBest, text: str) -> dict[Pair, int]:
        """What is scored for a candidate, and how often it counts; further copies of ``text`` are rivals too."""
        if not self._mbr:
            return {(nbest.source, text, nbest.references): 1}
        rivals = Counter(nbest.texts)
        rivals[text] -= 1
        return {
            (rival, text, ()) if as_source else (nbest.source, text, (rival,)): count
            for rival, count in (+rivals).items()
        }

    def _mean(self, nbest: NBest, text: str, known: Mapping[tuple[bool, Pair], MetricScores]) -> MetricScores:
        """The means of a candidate's scores; NaN without rivals, and an error if no pair could be scored."""
        means: dict[str, float] = {}
        for as_source, scorer in self._scorers.items():
            counted = [(count, known[as_source, pair]) for pair, count in self._pairs(as_source, nbest, text).items()]
            good = [(count, score) for count, score in counted if not isinstance(score, SemaError)]
            if counted and not good:
                return counted[0][1]
            total = sum(count for count, _ in good)
            for name in (metric.name for metric in scorer.metrics):
                summed = math.fsum(count * score[name] for count, score in good)
                means[name] = summed / total if total else math.nan
        return {metric.name: means[metric.name] for metric in self.metrics}

    def _ranking(self, index: int, nbest: NBest, scores: Sequence[MetricScores]) -> Ranking:
        errors = [score for score in scores if isinstance(score, SemaError)]
        if len(errors) == len(scores):
            error = errors[0]
            if isinstance(error, InputError) and error.file is None:  # its number is that of a pair of texts
                error = InputError(error.message, item=index)
                error.__cause__ = errors[0].__cause__
            return Ranking(index, error=error)
        if self.mix.uses_model and any(candidate.score is None for candidate in nbest.candidates):
            return Ranking(index, error=InputError("a candidate has no 'score', which 'model' in the mix asks for"))
        complete: list[dict[str, float]] = []
        for candidate, score in zip(nbest.candidates, scores, strict=True):
            own = {MODEL: float(candidate.score or 0.0)} if self.mix.uses_model else {}
            complete.append({} if isinstance(score, SemaError) else {**score, **own})
        values = [self.mix.value(score, self.metrics) if score else -math.inf for score in complete]
        gaps = [[score.get(name, math.nan) - limit for name, limit in self.at_most.items()] for score in complete]
        # A candidate for which a limited metric is not known comes last.
        over = [math.fsum(math.inf if math.isnan(gap) else max(0.0, gap) for gap in own) for own in gaps]
        order = sorted(range(len(values)), key=lambda place: (over[place], -values[place]))
        return Ranking(index, tuple(order), tuple(values), tuple(complete), tuple(over))


def rerank(lists: Sequence[NBest], by: str | Metric | Mix = "meaning", **options: Any) -> list[str]:
    """The text of the best candidate of each list; ``options`` are those of :class:`Reranker`.

    Raises:
        InputError: a list cannot be ranked; ``item`` is its number.
    """
    best = []
    for nbest, ranking in zip(lists, Reranker(by=by, **options).rank(lists), strict=True):
        if ranking.error is not None:
            raise InputError(getattr(ranking.error, "message", str(ranking.error)), item=ranking.index)
        best.append(nbest.candidates[ranking.best].text)
    return best
