"""Chooses the best candidate of each n-best list by any metric or mix, or by consensus, with the reason."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, islice
from statistics import fmean
from typing import Any

from sema import InputError, ItemScore, Language, Metric, Need, Scorer, SemaError, Text, UsageError
from sema.model.links import Aligner
from sema.model.scene_graph import SceneExtractor
from sema.options import Settings
from sema.runtime.caching import Cache
from sema_rerank.mixes import MODEL, Convert, Mix, score_texts
from sema_rerank.nbest import NBest, is_number

BLOCK = 4096
"""Candidates that are scored at a time."""
BATCH = 8192
"""Pairs of texts that are scored at a time."""

Pair = tuple[bool, str, str, str]
"""Whether the rival is a reference, source, candidate and rival."""
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


class Consensus:
    """Minimum Bayes risk: scores each candidate of a list against the others, its rivals.

    The work is quadratic in the length of a list; each pair of texts is scored once and cached.

    A metric that requires references scores the candidate against its source with the rival as the only reference; any
    other scores it with the rival in the place of the source. A candidate's score is the mean over its rivals, each
    counted as often as it occurs.
    """

    def __init__(self, scorer: Scorer, text: Convert) -> None:
        self._text = text
        self._names = [metric.name for metric in scorer.metrics]
        kinds: dict[bool, list[Metric]] = {}
        for metric in scorer.metrics:
            kinds.setdefault(Need.REFERENCES in metric.requires, []).append(metric)
        self._scorers = {references: scorer.with_metrics(metrics) for references, metrics in kinds.items()}
        self._kept: Cache[Pair, MetricScores] = Cache()

    def scores(self, lists: Sequence[NBest]) -> list[list[MetricScores]]:
        """For each list and candidate its mean scores by metric; NaN for one that has no rival."""
        known: dict[Pair, MetricScores] = {}
        for references in self._scorers:
            texts = ((nbest, text) for nbest in lists for text in dict.fromkeys(nbest.texts))
            pairs = (pair for nbest, text in texts for pair in _pairs(references, nbest, text))
            while batch := list(islice(pairs, BATCH)):
                known |= self._kept.lookup(batch, self._score)
        return [[self._mean(nbest, text, known) for text in nbest.texts] for nbest in lists]

    def _score(self, pairs: Sequence[Pair]) -> list[MetricScores]:
        references = pairs[0][0]
        asked = [(source, text, (rival,)) if references else (rival, text, ()) for _, source, text, rival in pairs]
        return list(map(_scores_of, score_texts(self._scorers[references], self._text, asked)))

    def _mean(self, nbest: NBest, text: str, known: dict[Pair, MetricScores]) -> MetricScores:
        means: dict[str, float] = {}
        for references, scorer in self._scorers.items():
            counts = _pairs(references, nbest, text)
            scores = ((count, known[pair]) for pair, count in counts.items())
            good = [(count, score) for count, score in scores if not isinstance(score, SemaError)]
            if counts and not good:
                return known[next(iter(counts))]
            total = sum(count for count, _ in good)
            for metric in scorer.metrics:
                summed = math.fsum(count * score[metric.name] for count, score in good)
                means[metric.name] = summed / total if total else math.nan
        return {name: means[name] for name in self._names}


def _scores_of(item: ItemScore) -> MetricScores:
    return item.scores if item.cause is None else item.cause


def _pairs(references: bool, nbest: NBest, text: str) -> dict[Pair, int]:
    """A candidate with each rival, and how often the rival occurs; further copies of ``text`` count as rivals."""
    counts = Counter(nbest.texts)
    counts[text] -= 1
    # A metric without references does not see the source, so that pairs of several lists may be the same.
    source = nbest.source if references else ""
    return {(references, source, text, rival): count for rival, count in counts.items() if count}


class Reranker:
    """Ranks candidates by a mix of metrics.

    Args:
        lang: a language code, or a language of your own.
        by: what decides (:meth:`sema_rerank.mixes.Mix.of`); ``model`` in it is the system's own score.
        at_most: limits by metric, as ``{"cefr": 3}``: candidates above one come after all others, those nearest to the
            limits first.
        mbr: minimum Bayes risk (Eikema and Aziz, EMNLP 2022): a metric that requires references scores each candidate
            with each rival as a pseudo-reference; any other scores it with each rival in the place of the source. The
            lists' own references are not used.
        tokenized: tokens are separated by spaces and kept as given; a text is one sentence.
        extractor, aligner, options, workers: as of :class:`~sema.scoring.scorer.Scorer`.

    >>> from sema_rerank.nbest import NBest
    >>> ranking, = Reranker(by="stem_recall").rank([NBest.of("The cat sat.", ["A dog.", "The cat sat down."])])
    >>> ranking.best
    1
    """

    def __init__(
        self,
        lang: str | Language = "en",
        by: str | Metric | Mapping[str, float] | Mix = "meaning",
        *,
        at_most: Mapping[str, float] | None = None,
        mbr: bool = False,
        tokenized: bool = False,
        extractor: str | SceneExtractor | None = None,
        aligner: str | Aligner | None = None,
        options: Mapping[str, object] | Settings | None = None,
        workers: int = 1,
    ) -> None:
        self.mix = Mix.of(by)
        self._text = Text.from_tokenized if tokenized else str
        self.at_most = _limits({} if at_most is None else at_most)
        names = self.mix.metrics
        mixed = [name if isinstance(name, str) else name.name for name in names]
        names += [name for name in self.at_most if name not in mixed]
        self._scorer = (
            Scorer(lang, names, extractor=extractor, aligner=aligner, options=options, workers=workers)
            if names
            else None
        )
        self._consensus = Consensus(self._scorer, self._text) if mbr and self._scorer is not None else None

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that take part."""
        return () if self._scorer is None else self._scorer.metrics

    def rank(self, lists: Sequence[NBest | SemaError]) -> list[Ranking]:
        """A ranking for each list; an error in the place of a list is passed on.

        Raises:
            UsageError: an entry is neither a list nor an error.
        """
        return list(self.stream(lists))

    def stream(self, lists: Sequence[NBest | SemaError]) -> Iterator[Ranking]:
        """The same, block by block."""
        for nbest in lists if isinstance(lists, Sequence) and not isinstance(lists, str) else [lists]:
            if not isinstance(nbest, NBest | SemaError):
                raise UsageError(f"an n-best list is an NBest, not {nbest!r}; write NBest.of(source, texts)")
        for block in _blocks(lists):
            scored = iter(self._scores([nbest for _, nbest in block if isinstance(nbest, NBest)]))
            for index, nbest in block:
                if isinstance(nbest, SemaError):
                    yield Ranking(index, error=nbest)
                else:
                    yield self._ranking(index, nbest, next(scored))

    def _scores(self, lists: Sequence[NBest]) -> Sequence[Sequence[MetricScores]]:
        """For each list and candidate its scores by metric."""
        if self._scorer is None or not lists:
            return [[{}] * len(nbest.candidates) for nbest in lists]
        if self._consensus is not None:
            return self._consensus.scores(lists)
        asked = list(dict.fromkeys((place, text) for place, nbest in enumerate(lists) for text in nbest.texts))
        pairs = [(lists[place].source, text, lists[place].references) for place, text in asked]
        known = dict(zip(asked, map(_scores_of, score_texts(self._scorer, self._text, pairs)), strict=True))
        return [[known[place, text] for text in nbest.texts] for place, nbest in enumerate(lists)]

    def _ranking(self, index: int, nbest: NBest, scores: Sequence[MetricScores]) -> Ranking:
        errors = [score for score in scores if isinstance(score, SemaError)]
        if len(errors) == len(scores):
            return Ranking(index, error=errors[0])
        if self.mix.uses_model and any(candidate.score is None for candidate in nbest.candidates):
            return Ranking(index, error=InputError("a candidate has no 'score', which 'model' in the mix asks for"))
        complete: list[dict[str, float]] = []
        for candidate, score in zip(nbest.candidates, scores, strict=True):
            own = {MODEL: float(candidate.score or 0.0)} if self.mix.uses_model else {}
            complete.append({} if isinstance(score, SemaError) else {**score, **own})
        values = [self.mix.value(score, self.metrics) if score else -math.inf for score in complete]
        over = [self._over(score) for score in complete]
        order = sorted(range(len(values)), key=lambda place: (over[place], -values[place]))
        return Ranking(index, tuple(order), tuple(values), tuple(complete), tuple(over))

    def _over(self, scores: Mapping[str, float]) -> float:
        """How far a candidate is above the limits; infinitely where a limited metric is not known."""
        if not self.at_most:
            return 0.0
        gaps = [scores.get(name, math.nan) - limit for name, limit in self.at_most.items()]
        return math.inf if any(map(math.isnan, gaps)) else math.fsum(max(0.0, gap) for gap in gaps)


def _blocks(lists: Sequence[NBest | SemaError]) -> Iterator[list[tuple[int, NBest | SemaError]]]:
    """Stretches of numbered lists with about ``BLOCK`` candidates."""
    sizes = (len(nbest.candidates) if isinstance(nbest, NBest) else 0 for nbest in lists)
    for _, block in groupby(zip(accumulate(sizes), enumerate(lists), strict=True), lambda entry: entry[0] // BLOCK):
        yield [numbered for _, numbered in block]


def _limits(given: object) -> dict[str, float]:
    if not isinstance(given, Mapping):
        raise InputError(f"at_most is a mapping from metrics to limits, as {{'cefr': 3}}, not {type(given).__name__}")
    for name, limit in given.items():
        if not isinstance(name, str) or not is_number(limit):
            raise InputError(f"at_most[{name!r}] is a finite number, not {limit!r}")
    return dict(given)


def rerank(
    lists: Sequence[NBest],
    by: str | Metric | Mapping[str, float] | Mix = "meaning",
    *,
    lang: str | Language = "en",
    at_most: Mapping[str, float] | None = None,
    mbr: bool = False,
    tokenized: bool = False,
) -> list[str]:
    """The text of the best candidate of each list.

    Raises:
        InputError: a list cannot be ranked; ``item`` is its number.
    """
    best = []
    reranker = Reranker(lang, by, at_most=at_most, mbr=mbr, tokenized=tokenized)
    for nbest, ranking in zip(lists, reranker.rank(lists), strict=True):
        if ranking.error is not None:
            raise InputError(getattr(ranking.error, "message", str(ranking.error)), item=ranking.index)
        best.append(nbest.candidates[ranking.best].text)
    return best
