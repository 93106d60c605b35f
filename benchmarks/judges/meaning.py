"""Does `meaning` agree with people? Every public set of ratings against it and against what else is at hand.

    python -m benchmarks.judges.meaning [--sets NAME ...] [--limit N] [--scores FILE.jsonl] [--worst N]

Pearson's r with people's mean ratings, 95 % bootstrap intervals, and Williams' test of `meaning` against the next best;
on systems' means too. `bleu, source` and `bertscore, source` take the source for the reference (bertscore with the
MiniLM of the extra `train`, where it is installed); `sari` has TurkCorpus's and ASSET's references, on the sets whose
every source has some. `meaning` is fitted without any pair of the sets; acl2018's row is by cross-validation over its
sources, and the rows "unseen" leave every source of every set out of the fit. llm2025's errors: area under the ROC
curve for "some error of meaning" and for "hallucination", and precision, recall and F1 of the words marked as wrong.
"""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean

import numpy as np
from scipy.stats import rankdata
from sema_english.judge.features import WordFeatures
from sema_english.judge.model import EnglishMeaning, load
from sema_english.judge.reader import shipped_reader
from sema_english.language import english
from sema_english.relations import english_lexicon, relations
from sema_english.training.meaning import MeaningPlan, fit, told_stories
from sema_english.training.meaning_data import Example, analysed, examples, training_pairs
from sema_english.training.ranking import Ranking, rankings
from sema_english.training.rated_meaning import MEANING_SETS, RatedPair, letters
from sema_ucca.training.stages import base_folder

from benchmarks.records import CommandLine, Figures, run
from sema.analysis.analyser import Analyser
from sema.datasets.folder import data_folder
from sema.errors import SemaError
from sema.evaluation.significance import pearson, spearman, williams
from sema.metrics.base import Metric
from sema.metrics.meaning.metrics import MeaningMetric, MeaningPrecision, MeaningRecall, MeaningScore
from sema.metrics.registry import make_metric
from sema.model.item import Item, Need
from sema.model.language import Parts
from sema.options import Settings

FOLDS = 5
AT_A_TIME = 200
WRONG = 0.5
"""The probability below which a word counts as marked wrong."""


class Judged:
    """Scores of one set by the names of what scored it, and the evidence of `meaning`."""

    def __init__(self, pairs: Sequence[RatedPair]) -> None:
        self.pairs = pairs
        self.scores: dict[str, list[float]] = defaultdict(list)
        self.evidence: list[dict[str, object]] = []


KINDS: Mapping[str, type[MeaningMetric]] = {
    "meaning": MeaningScore,
    "meaning_recall": MeaningRecall,
    "meaning_precision": MeaningPrecision,
}


def _always(metric: Metric, pair: RatedPair) -> Metric:
    return metric


def _judged(
    kind: type[MeaningMetric], own: Callable[[RatedPair], EnglishMeaning], parts: Parts, pair: RatedPair
) -> Metric:
    return tier(kind, own(pair), parts)


def tier(metric: type[MeaningMetric], judge: EnglishMeaning | None, parts: Parts) -> Metric:
    bound = metric(tier="best" if judge else "transparent").bind(parts)
    bound._judge = judge
    return bound


def refits(
    found: Sequence[Example], ranked: Sequence[Ranking], features: WordFeatures, barred: set[str]
) -> EnglishMeaning:
    kept = [example for example in found if example.pair.key[0] not in barred]
    return EnglishMeaning(features, fit(kept, ranked, MeaningPlan()))


def auc(scores: Sequence[float], good: Sequence[bool]) -> float:
    """The chance that a good item scores above a bad one; ties count half."""
    right = np.array([s for s, g in zip(scores, good, strict=True) if g])
    wrong = np.array([s for s, g in zip(scores, good, strict=True) if not g])
    return float(fmean(((right > value).mean() + (right == value).mean() / 2) for value in wrong))


def words_marked(judged: Judged) -> tuple[float, float, float]:
    """P, R and F1 of output and source words that people marked, within the pairs that have an error of meaning."""
    right = found = wanted = 0
    for pair, evidence in zip(judged.pairs, judged.evidence, strict=True):
        labels = [label for label in pair.details["labels"] if _about_meaning(label)]  # type: ignore[attr-defined]
        if not labels:
            continue
        for side, spans in (("source", "orig-span"), ("output", "simp-span")):
            gold = marked(evidence[side], [span for label in labels for span in label[spans]])  # type: ignore[arg-type]
            said = {t for t, p in enumerate(evidence[f"{side}_words"]) if p < WRONG}  # type: ignore[arg-type]
            right, found, wanted = right + len(gold & said), found + len(said), wanted + len(gold)
    precision, recall = right / max(1, found), right / max(1, wanted)
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def _about_meaning(label: Mapping[str, object]) -> bool:
    return str(label["annotation"]).startswith(("Altered", "Hallucination", "Coreference"))


def marked(words: Sequence[str], spans: Sequence[str]) -> set[int]:
    """The words that lie in some span, found by their letters."""
    places: set[int] = set()
    spelled = [letters(word) for word in words]
    for span in spans:
        wanted = letters(span)
        for start in range(len(words)):
            joined = ""
            for end in range(start, len(words)):
                joined += spelled[end]
                if joined == wanted and wanted:
                    places.update(t for t in range(start, end + 1) if spelled[t])
                if len(joined) >= len(wanted):
                    break
    return places


def references() -> dict[str, tuple[str, ...]]:
    """People's simplifications in TurkCorpus and ASSET, by the letters of the source."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder, name in (("turkcorpus", "test.truecase.detok"), ("asset", "asset.test")):
        files = sorted(data_folder("simplification", folder).glob(f"{name}.simp.*"))
        sources, *simple = (
            file.read_text(encoding="utf-8").splitlines()
            for file in (data_folder("simplification", folder, f"{name}.orig"), *files)
        )
        for source, *others in zip(sources, *simple, strict=True):
            found[letters(source)] += others
    return {source: tuple(texts) for source, texts in found.items()}


def against_references(pairs: Sequence[RatedPair], parts: Parts) -> dict[str, Callable[[Item], float]]:
    """The field's metrics by name: against the source, and SARI where every source has references."""
    compared = {"bleu, source": make_metric("bleu").bind(parts)}
    try:
        chosen = Settings({"bertscore_f1.model": base_folder()})
        compared["bertscore, source"] = make_metric("bertscore_f1", chosen).bind(parts)
    except SemaError as error:
        print(f"no bertscore: {error}", file=sys.stderr)

    def score(metric: Metric, texts: Callable[[Item], tuple[str, ...]], item: Item) -> float:
        return metric.item_value(metric.rows([replace(item, references=texts(item))])[0])

    found = {name: partial(score, metric, lambda item: (item.source.raw,)) for name, metric in compared.items()}
    known = references()
    if all(pair.key[0] in known for pair in pairs):
        found["sari"] = partial(score, make_metric("sari").bind(parts), lambda item: known[letters(item.source.raw)])
    return found


def judge_set(
    pairs: Sequence[RatedPair], analyser: Analyser, metrics: Mapping[str, Callable[[RatedPair], Metric]]
) -> Judged:
    judged = Judged(pairs)
    compared = against_references(pairs, analyser.parts)
    for start in range(0, len(pairs), AT_A_TIME):
        some = pairs[start : start + AT_A_TIME]
        (items,) = analyser.prepare([p.source for p in some], [[p.output for p in some]], segment=False)
        for pair, item in zip(some, items, strict=True):
            assert isinstance(item, Item), item
            for name, score in compared.items():
                judged.scores[name].append(score(item))
            for name, metric in metrics.items():
                judged.scores[name].append(metric(pair).item_value(metric(pair).rows([item])[0]))
            shown = metrics["meaning"](pair).explain(item)
            judged.evidence.append({**shown, "source": list(item.source.words)})
    return judged


def systems(judged: Judged, scores: Sequence[float]) -> float | None:
    by: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for pair, score in zip(judged.pairs, scores, strict=True):
        by[pair.system].append((pair.rating, score))
    if len(by) < 4:
        return None
    return pearson(*zip(*[(fmean(r for r, _ in v), fmean(s for _, s in v)) for v in by.values()], strict=True)).value


def report(name: str, judged: Judged) -> None:
    people = [pair.rating for pair in judged.pairs]
    count = len(people)
    print(f"\n## {name} ({count} pairs)\n")
    if name == "llm2025 errors":
        table = Figures("meaning.errors", "area under the curve", data=name)
        invented = ["Hallucination" in str(pair.details["labels"]) for pair in judged.pairs]
        for metric, scores in judged.scores.items():
            good, real = auc(scores, [r > 0 for r in people]), auc(scores, [not h for h in invented])
            table.row(metric, {"some error of meaning": good, "hallucination": real}, n=count)
        print()
        found_words = dict(zip(("P", "R", "F1"), words_marked(judged), strict=True))
        Figures("meaning.words", "words marked wrong", data=name).row("meaning", found_words, n=count)
        return
    if name == "factuality":
        severities(judged)
    print()
    table = Figures(f"meaning.{name}", "metric", data=name)
    found = {metric: pearson(people, scores) for metric, scores in judged.scores.items()}
    for metric, r in found.items():
        scores = judged.scores[metric]
        figures = {"r": r.value, "r of systems' means": systems(judged, scores)}
        table.row(metric, figures, n=count, intervals={"r": interval(people, scores)})
    rival = max((m for m in found if not m.startswith("meaning")), key=lambda m: found[m].value)
    between = pearson(judged.scores["meaning"], judged.scores[rival]).value
    test = williams(found["meaning"].value, found[rival].value, between, count)
    print(f"\nWilliams' test, meaning against {rival}: t = {test.t:.2f}, p = {test.p:.2g}")


def severities(judged: Judged) -> None:
    """Spearman's rho with the severity of each kind of change."""
    table = Figures("meaning.severity", "rho with severity", data="factuality")
    for metric, scores in judged.scores.items():
        figures: dict[str, float | None] = {}
        for kind in ("deletion", "insertion", "substitution"):
            some = [
                (-p.details["severity"][kind], s)  # type: ignore[index]
                for p, s in zip(judged.pairs, scores, strict=True)
                if kind in p.details["severity"]  # type: ignore[operator]
            ]
            figures[kind] = spearman(*zip(*some, strict=True)).value
        table.row(metric, figures, n=len(judged.pairs))


def worst(judged: Judged, count: int) -> None:
    """Print the pairs whose rank among the set's is furthest from people's."""
    people, ours = (
        rankdata(values) / len(values) for values in ([p.rating for p in judged.pairs], judged.scores["meaning"])
    )
    print(f"\n{count} furthest from people:\n")
    for index in np.argsort(-np.abs(people - ours))[:count].tolist():
        pair, score = judged.pairs[index], judged.scores["meaning"][index]
        print(f"- people {pair.rating:.2f} (rank {people[index]:.0%}), meaning {score:.1f} (rank {ours[index]:.0%})")
        print(f"  {pair.source}\n  {pair.output}")


def interval(people: Sequence[float], scores: Sequence[float]) -> tuple[float, float]:
    a, b, rng = np.array(people), np.array(scores), np.random.default_rng(20)
    draws = rng.integers(0, len(a), (1000, len(a)))
    found = [np.corrcoef(a[rows], b[rows])[0, 1] for rows in draws]
    return float(np.nanquantile(found, 0.025)), float(np.nanquantile(found, 0.975))


@dataclass(frozen=True)
class Judges:
    """What scores `meaning`: as shipped, fitted without a fold of acl2018's sources, without any reported source."""

    shipped: EnglishMeaning
    crossed: Sequence[EnglishMeaning]
    unseen: EnglishMeaning


def judges(folds: Sequence[set[str]], *, fitted: bool) -> Judges:
    """The shipped judge, and the others fitted; unless ``fitted`` the shipped one stands for them."""
    network, digest = load()
    features = WordFeatures(relations(english_lexicon()), shipped_reader())
    shipped = EnglishMeaning(features, network, digest)
    if not fitted:
        return Judges(shipped, [shipped] * len(folds), shipped)
    learned = training_pairs()
    found = examples(learned, analysed([(p.source, p.output) for rated in learned.values() for p in rated]), features)
    ranked = rankings(told_stories(), features)
    reported = {pair.key[0] for name in MEANING_SETS if name != "acl2018" for pair in MEANING_SETS[name]()}
    crossed = [refits(found, ranked, features, fold) for fold in folds]
    return Judges(shipped, crossed, refits(found, ranked, features, reported))


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--sets", nargs="+", default=list(MEANING_SETS), choices=list(MEANING_SETS))
    parser.add_argument("--limit", type=int, help="at most so many pairs of a set, drawn by chance")
    parser.add_argument(
        "--worst", type=int, default=0, help="print so many pairs of each set that it ranks most unlike people"
    )
    parser.add_argument("--scores", type=Path, help="write every pair's scores there")
    arguments = parser.parse(argv)
    if arguments.smoke:
        arguments.sets, arguments.limit = ["QATS test"], 4
    parts = english().parts()
    sources = sorted({pair.key[0] for pair in MEANING_SETS["acl2018"]()}) if "acl2018" in arguments.sets else []
    random.Random(20).shuffle(sources)
    folds = [set(sources[k::FOLDS]) for k in range(FOLDS)]
    judge = judges(folds, fitted=not arguments.smoke)
    analyser = Analyser(parts, frozenset(Need) - {Need.REFERENCES})
    plain = {name: make_metric(name).bind(parts) for name in ("copied", "stem_recall", "meteor_source", "sema")}
    rows = []
    for name in arguments.sets:
        pairs = MEANING_SETS[name]()
        if arguments.limit and len(pairs) > arguments.limit:
            pairs = random.Random(20).sample(pairs, arguments.limit)

        def own(pair: RatedPair, name: str = name) -> EnglishMeaning:
            if name != "acl2018":
                return judge.shipped
            return judge.crossed[next(k for k, fold in enumerate(folds) if pair.key[0] in fold)]

        metrics: dict[str, Callable[[RatedPair], Metric]] = {
            **{metric: partial(_always, plain[metric]) for metric in plain},
            **{f"{k}, transparent": partial(_always, tier(v, None, parts)) for k, v in KINDS.items()},
            **{k: partial(_judged, v, own, parts) for k, v in KINDS.items()},
            "meaning, unseen sources": partial(_always, tier(MeaningScore, judge.unseen, parts)),
        }
        judged = judge_set(pairs, analyser, metrics)
        report(name, judged)
        if arguments.worst:
            worst(judged, arguments.worst)
        for index, pair in enumerate(pairs):
            scores = {metric: values[index] for metric, values in judged.scores.items()}
            rows.append({"set": name, "source": pair.source, "output": pair.output, "rating": pair.rating, **scores})
    if arguments.scores:
        arguments.scores.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    run(main)
