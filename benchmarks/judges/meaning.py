"""Does `meaning` agree with people? Ratings, errors, references, probes and judged edits, each with its aim.

    python -m benchmarks.judges.meaning [--parts NAME ...] [--limit N] [--set meaning.reader=none] [--record]

``ratings``: Pearson's r with people's mean ratings, beside `stem_recall` and `compression`. ``errors``: area under the
ROC curve for errors of meaning. ``words``: F1 of the words that people marked. ``references``: scores of human
simplifications. ``graded``: an editor's good, slightly lossy and misleading versions. ``bands``: how often people agree
with the band of a score. ``blind``: probes by an author who had not seen the code. ``edits``: area under the curve for
faithful against other edits. ``reader``: accuracy of the reader's entailment. With `meaning.reader=none` the names of
all tables end in `_facts`, and ``reader`` is skipped.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median

import numpy as np
from sema_english.language import english

from benchmarks.judges.clusters import area_interval, pearson_interval
from benchmarks.records import CommandLine, record, run
from sema import Scorer
from sema.datasets.folder import data_folder
from sema.evaluation.significance import pearson
from sema.judges.examples import RatedPair, bare
from sema.model.reading import BANDS, band
from sema.model.text import is_punctuation
from training.data.rated_meaning import MEANING_SETS, MeaningRating
from training.reader.english.examples import PAWS_HELD_OUT, detokenized, rows

NAMES = ("meaning", "meaning_recall", "meaning_precision")
PROBES = Path(__file__).parent / "probes"
AIMS: Mapping[str, float] = {
    "llm2025": 0.48, "Simplicity-DA": 0.72, "asset": 0.79, "QATS test": 0.64, "acl2018": 0.86,
}  # fmt: skip
EDITS_AIMS: Mapping[str, float] = {"summedits": 0.90, "PAWS": 0.80, "counterfactual": 0.90, "iterater": 0.88}
READER_AIMS: Mapping[str, float] = {"mnli_matched": 79, "snli": 86, "sick": 86, "counterfactual": 74}
WRONG = 0.5
"""A word with a lower probability counts as wrong."""
Pairs = Sequence[tuple[str, str]]
Scores = dict[str, list[float]]


class Bench:
    """The scorer, and the largest number of items that it scores of a set."""

    def __init__(self, settings: Mapping[str, str], limit: int | None, lang: str = "en") -> None:
        others = ("stem_recall", "compression") if lang == "en" else ()
        self.scorer = Scorer(lang, [*NAMES, *others], options=settings)
        self.lang = lang
        self.facts_alone = settings.get("meaning.reader") == "none"
        self._suffix = ("" if lang == "en" else f"_{lang}") + ("_facts" if self.facts_alone else "")
        self._limit = limit

    def some(self, items: Sequence[object]) -> list:  # type: ignore[type-arg]
        """A set, or a random sample if it is larger than the limit."""
        few = self._limit is not None and len(items) > self._limit
        return random.Random(20).sample(list(items), self._limit) if few else list(items)  # type: ignore[arg-type]

    def scores(self, pairs: Pairs) -> Scores:
        """The scores of pairs, by metric."""
        report = self.scorer.score([source for source, _ in pairs], [output for _, output in pairs])
        items = report.systems[0].items
        return {name: [item.scores[name] for item in items] for name in items[0].scores}

    def put(
        self,
        table: str,
        row: str,
        column: str,
        figure: float,
        n: int,
        aim: float | None = None,
        digits: int = 3,
        lower: bool = False,
        interval: tuple[float, float] | None = None,
    ) -> None:
        """Print a figure and record it; ``lower``: the aim is an upper limit."""
        table += self._suffix
        print(
            f"{table:12} {row:32} {column:24} {figure:8.{digits}f}  n {n}" + (f"  aim {aim}" if aim else ""), flush=True
        )
        record(
            f"meaning.{table}",
            row,
            column,
            figure,
            digits=digits,
            data=row,
            n=n,
            aim=aim,
            lower_is_better=lower,
            interval=interval,
        )


def auc(scores: Sequence[float], good: Sequence[bool]) -> float:
    """The chance that a good item scores above another; ties count half."""
    right, wrong = (np.array([s for s, g in zip(scores, good, strict=True) if g is kind]) for kind in (True, False))
    if not right.size or not wrong.size:
        return float("nan")
    return float(fmean(((right > value).mean() + (right == value).mean() / 2) for value in wrong))


def share(right: Sequence[float]) -> float:
    """The mean in percent; NaN if there are no values."""
    return 100 * fmean(right) if right else float("nan")


def ratings(bench: Bench) -> None:
    """Pearson's r with people."""
    for name in ("Simplicity-DA", "asset", "QATS test", "acl2018", "llm2025"):
        pairs: list[RatedPair] = bench.some(MEANING_SETS[name]())
        by_metric = bench.scores([(pair.source, pair.output) for pair in pairs])
        people = [pair.rating for pair in pairs]
        for metric, values in by_metric.items():
            bench.put(
                "ratings",
                name,
                metric,
                pearson(people, values).value,
                len(pairs),
                AIMS.get(name) if metric == "meaning" else None,
                interval=pearson_interval(people, values, [pair.source for pair in pairs]),
            )


def errors(bench: Bench) -> None:
    """llm2025's labelled errors."""
    pairs: list[MeaningRating] = bench.some(MEANING_SETS["llm2025 errors"]())
    texts = [(pair.source, pair.output) for pair in pairs]
    report = bench.scorer.score([s for s, _ in texts], [o for _, o in texts], keep_items=True)
    correct = [pair.rating > 0 for pair in pairs]
    grounded = ["Hallucination" not in str(pair.details["labels"]) for pair in pairs]
    for metric in ("meaning", "meaning_precision"):
        values = [item.scores[metric] for item in report.systems[0].items]
        for what, good, aim in (("any error", correct, 0.68), ("hallucination", grounded, 0.80)):
            ends = area_interval(values, good, [source for source, _ in texts])
            bench.put("errors", "llm2025", f"{metric}, {what}", auc(values, good), len(pairs), aim, interval=ends)
    right = told = wanted = 0
    for index, pair in enumerate(pairs):
        labels = [label for label in pair.details["labels"] if _about_meaning(label)]  # type: ignore[attr-defined]
        shown = report.evidence(index)["output"] if labels else {}
        for side, spans in (("source", "orig-span"), ("output", "simp-span")) if labels else ():
            gold = marked(shown[side], [span for label in labels for span in label[spans]])
            predicted = {t for t, p in enumerate(shown[f"{side}_words"]) if p < WRONG}
            right, told, wanted = right + len(gold & predicted), told + len(predicted), wanted + len(gold)
    bench.put("errors", "llm2025", "words marked, F1", 2 * right / max(1, told + wanted), len(pairs))


def words(bench: Bench) -> None:
    """Words that people marked: without support (WiCE), and lost from the source (infoloss)."""
    claims = bench.some(list(rows("dev", "wice_unsupported_words.tsv.gz")))
    wanted = [[word.strip() for word in row["unsupported_tokens"].split("|")] for row in claims]
    _word_figures(bench, "WiCE", "output", [(row["premise"], row["hypothesis"]) for row in claims], wanted)
    texts = bench.some(list(rows("dev", "infoloss_documents.tsv.gz")))
    lost: dict[str, list[str]] = defaultdict(list)
    for row in rows("dev", "infoloss_spans.tsv.gz"):
        lost[row["pmcid"]].append(row["source_span"])
    spans = [lost[row["id"]] for row in texts]
    _word_figures(bench, "infoloss", "source", [(row["premise"], row["hypothesis"]) for row in texts], spans)


def _word_figures(bench: Bench, name: str, side: str, pairs: Pairs, spans: Sequence[Sequence[str]]) -> None:
    report = bench.scorer.score([s for s, _ in pairs], [o for _, o in pairs], keep_items=True)
    right = told = wanted = 0
    for index, gold in enumerate(spans):
        shown = report.evidence(index)["output"]
        people = marked(shown[side], gold)
        below = {t for t, p in enumerate(shown[f"{side}_words"]) if p < WRONG}
        predicted = {t for t in below if not is_punctuation(shown[side][t])}
        right, told, wanted = right + len(people & predicted), told + len(predicted), wanted + len(people)
    bench.put("words", name, "marked, F1", 2 * right / max(1, told + wanted), len(pairs))
    bench.put("words", name, "marked, precision", right / max(1, told), len(pairs))


def _about_meaning(label: Mapping[str, object]) -> bool:
    return str(label["annotation"]).startswith(("Altered", "Hallucination", "Coreference"))


def marked(words: Sequence[str], spans: Sequence[str]) -> set[int]:
    """The words inside a span; spans are found by their letters."""
    places: set[int] = set()
    spelled = [bare(word) for word in words]
    for wanted in filter(None, map(bare, spans)):
        for start in range(len(words)):
            joined = ""
            for end in range(start, len(words)):
                joined += spelled[end]
                if joined == wanted:
                    places.update(t for t in range(start, end + 1) if spelled[t])
                if len(joined) >= len(wanted):
                    break
    return places


def references(bench: Bench) -> None:
    """Scores of human simplifications."""
    folder = data_folder("simplification")
    sets = {
        "ASSET valid": (folder / "asset/asset.valid.orig", sorted((folder / "asset").glob("asset.valid.simp.*"))),
        "ASSET test": (folder / "asset/asset.test.orig", sorted((folder / "asset").glob("asset.test.simp.*"))),
        "TurkCorpus test": (
            folder / "turkcorpus/test.truecase.detok.orig", sorted((folder / "turkcorpus").glob("test.*.simp.*"))
        ),
        "HSplit": (folder / "hsplit/hsplit.tok.src", sorted((folder / "hsplit").glob("hsplit.tok.[1-4]"))),
        "WikiSplit": (
            folder / "wikisplit/wikisplit.valid.untok.orig", [folder / "wikisplit/wikisplit.valid.untok.split"]
        ),
    }  # fmt: skip
    for name, (source, files) in sets.items():
        sources = source.read_text(encoding="utf-8").splitlines()
        pairs = [
            (sources[number], line.replace("<::::>", " "))
            for file in files
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()) if line.strip()
        ]  # fmt: skip
        by_metric = bench.scores(bench.some(pairs))
        n = len(by_metric["meaning"])
        bench.put("references", name, "precision, median", median(by_metric["meaning_precision"]), n, 92, 1)
        bench.put("references", name, "recall, median", median(by_metric["meaning_recall"]), n, 85, 1)
        low = share([value < 60 for value in by_metric["meaning_precision"]])
        bench.put("references", name, "precision under 60, %", low, n, 5, 1, lower=True)
        bench.put("references", name, "meaning, median", median(by_metric["meaning"]), n, None, 1)


def _lines(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def graded(bench: Bench) -> None:
    """An editor's versions: the share of pairs in the right order, and medians."""
    probes = bench.some(_lines(data_folder("probes", f"graded_{bench.lang}.jsonl")))
    by_version = {
        kind: bench.scores([(p["source"], p[kind]) for p in probes])["meaning"] for kind in ("good", "minor", "bad")
    }
    near = [int(str(p["id"]).removeprefix(bench.lang)) % 2 == 1 for p in probes]

    def right(first: str, second: str, chosen: Sequence[bool] | None = None) -> float:
        pairs = [
            (a, b)
            for a, b, c in zip(by_version[first], by_version[second], chosen or [True] * len(near), strict=True)
            if c
        ]
        return share([(a > b) + (a == b) / 2 for a, b in pairs])

    n = len(probes)
    bench.put("graded", "good above bad", "%", right("good", "bad"), n, 87, 0)
    bench.put("graded", "good above bad, near copies", "%", right("good", "bad", near), sum(near), 85, 0)
    bench.put(
        "graded",
        "good above bad, free",
        "%",
        right("good", "bad", [not x for x in near]),
        n - sum(near),
        None,
        0,
    )
    bench.put("graded", "minor above bad", "%", right("minor", "bad"), n, 80, 0)
    bench.put("graded", "good above minor", "%", right("good", "minor"), n, 68, 0)
    across = auc([*by_version["good"], *by_version["bad"]], [True] * n + [False] * n)
    bench.put("graded", "good against bad, all texts", "AUC", across, n, 0.87, 2)
    for kind, aim in (("good", 80), ("minor", None), ("bad", 50)):
        bench.put("graded", f"{kind}, median", "meaning", median(by_version[kind]), n, aim, 0, lower=kind == "bad")


def bands(bench: Bench) -> None:
    """How often people agree with the band of a score.

    Graded texts: good versions lost nothing or details, slightly lossy ones details or something that matters,
    misleading ones something that matters, or they mislead. Ratings: the mean in each band, in percent of the set's
    range.
    """
    probes = bench.some(_lines(data_folder("probes", "graded_en.jsonl")))
    for kind, fits in (("good", (70, 101)), ("minor", (50, 90)), ("bad", (0, 70))):
        predicted = bench.scores([(p["source"], p[kind]) for p in probes])["meaning"]
        bench.put(
            "bands",
            f"graded, {kind}",
            "in a band that fits, %",
            share([fits[0] <= x < fits[1] for x in predicted]),
            len(predicted),
            None,
            0,
        )
    for name in ("llm2025", "Simplicity-DA", "asset"):
        pairs: list[RatedPair] = bench.some(MEANING_SETS[name]())
        predicted = bench.scores([(pair.source, pair.output) for pair in pairs])["meaning"]
        low, high = (limit(pair.rating for pair in pairs) for limit in (min, max))
        for least, words in BANDS:
            rated = [p.rating for p, x in zip(pairs, predicted, strict=True) if band(x) == words]
            if rated:
                mean = 100 * (fmean(rated) - low) / (high - low)
                bench.put("bands", f"{name}, from {least:.0f}", "people's mean, %", mean, len(rated), None, 0)


def blind(bench: Bench) -> None:
    """Probes by an author who had not seen the code, scored before anyone read them."""
    probes = bench.some(_lines(PROBES / f"blind_{bench.lang}.jsonl"))
    good, bad = (
        bench.scores([(p["source"], p[kind]) for p in probes])["meaning"] for kind in ("faithful", "unfaithful")
    )
    n = len(probes)
    for form in ("near", "free"):
        some = [a > b for a, b, p in zip(good, bad, probes, strict=True) if p["form"] == form]
        bench.put("blind", f"ranked right, {form}", "%", share(some), len(some), None, 0)
    bench.put("blind", "ranked right", "%", share([a > b for a, b in zip(good, bad, strict=True)]), n, 85, 0)
    bench.put("blind", "faithful, median", "meaning", median(good), n, 80, 0)
    bench.put("blind", "unfaithful, median", "meaning", median(bad), n, 45, 0, lower=True)


def edits(bench: Bench) -> None:
    """Faithful edits against others: area under the curve of `meaning` and of its precision."""
    sets: dict[str, list[tuple[str, str, bool]]] = {
        "PAWS": [
            (detokenized(r["premise"]), detokenized(r["hypothesis"]), r["label"] == "1")
            for r in list(rows("train", "paws.tsv.gz"))[-PAWS_HELD_OUT:]
        ],
        "counterfactual": [
            (r["premise"], r["hypothesis"], r["label"] == "entailment") for r in rows("dev", "counterfactual.tsv.gz")
        ],
        "iterater": [
            (r["premise"], r["hypothesis"], r["label"] != "meaning-changed") for r in rows("dev", "iterater.tsv.gz")
        ],
        "summedits": [
            (r["seed_summary"], r["hypothesis"], r["label"] == "consistent") for r in rows("dev", "summedits.tsv.gz")
        ],
    }
    for name, examples in sets.items():
        some = bench.some(examples)
        scores = bench.scores([(source, output) for source, output, _ in some])
        for metric in ("meaning", "meaning_precision"):
            bench.put(
                "edits", name, metric, auc(scores[metric], [good for _, _, good in some]), len(some), EDITS_AIMS[name]
            )


def reader(bench: Bench) -> None:
    """The reader's accuracy on entailment, %: for three labels, and for entailed or not.

    SICK labels captions of different pictures as neutral, SNLI, by far the largest training set, as contradiction; so
    SICK's aim is for entailed or not.
    """
    if bench.facts_alone:
        return
    parts = english().parts()
    assert parts.cross_encoder is not None
    for name, aim in READER_AIMS.items():
        some = bench.some([r for r in rows("dev", f"{name}.tsv.gz") if r["label"] in LABELS])
        texts = parts.segmenter.segment([text for r in some for text in (r["premise"], r["hypothesis"])])
        read = parts.cross_encoder.read(list(zip(texts[::2], texts[1::2], strict=True)))
        predicted = [LABELS[int(np.argmax(pair.output_judged))] for pair in read]
        right = share([label == r["label"] for label, r in zip(predicted, some, strict=True)])
        entailed = share(
            [(label == LABELS[0]) == (r["label"] == LABELS[0]) for label, r in zip(predicted, some, strict=True)]
        )
        binary = name in ENTAILED_OR_NOT
        bench.put("reader", name, "accuracy, %", right, len(some), None if binary else aim, 1)
        bench.put("reader", name, "entailed or not, %", entailed, len(some), aim if binary else None, 1)


LABELS = ("entailment", "neutral", "contradiction")
ENTAILED_OR_NOT = ("sick",)
PARTS: Mapping[str, Callable[[Bench], None]] = {
    part.__name__: part for part in (ratings, errors, words, references, graded, bands, blind, edits, reader)
}


def run_parts(
    parser: CommandLine, parts: Mapping[str, Callable[[Bench], None]], lang: str, argv: Sequence[str] | None
) -> None:
    """Run the parts that the command line names."""
    parser.add_argument("--parts", nargs="+", default=list(parts), choices=list(parts))
    parser.add_argument("--limit", type=int, help="the largest number of items of a set, drawn at random")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the scorer")
    arguments = parser.parse(argv)
    settings = dict(option.split("=", 1) for option in arguments.set)
    bench = Bench(settings, 6 if arguments.smoke else arguments.limit, lang)
    for name in arguments.parts:
        parts[name](bench)


def main(argv: Sequence[str] | None = None) -> None:
    run_parts(CommandLine(__doc__), PARTS, "en", argv)


if __name__ == "__main__":
    run(main)
