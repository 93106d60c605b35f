"""Tables 2, 3 and 4 of Sulem, Abend and Rappoport (NAACL 2018), and its row on the QATS benchmark.

    python benchmarks/papers/samsa_tables.py agreement|systems|qats

Of the six rated systems of Table 4 five are public (Split-Deletion's outputs are not), so its figures are over five and
stand beside the paper's over six. Figure 1 cannot be had: the ratings are not in the order of the texts.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from benchmarks.papers.samsa2018 import QUESTIONS, Answers, read_answers
from sema import Scorer
from sema.datasets.folder import data_folder
from sema.display.tables import Table, number, to_markdown
from sema.evaluation.agreement import pair_agreement
from sema.evaluation.ratings import Ratings
from sema.evaluation.significance import CORRELATIONS, spearman

SYSTEMS = {
    "TSM": "TSM.tok",
    "RevILP": "QG+ILP.tok",
    "PBMT-R": "PBMT-R.tok",
    "Hybrid": "Hybrid.tok.low",
    "UNSUP": "UNSUP.tok",
}
"""The public rated systems and their files."""

AGREEMENT = {
    "Total": ((0.58, 0.56), (0.74, 0.30), (0.53, 0.45), (0.57, 0.10)),
    "TSM": ((0.59, 0.47), (0.75, 0.27), (0.50, 0.40), (0.43, 0.08)),
    "RevILP": ((0.61, 0.59), (0.78, 0.27), (0.60, 0.43), (0.62, 0.11)),
    "PBMT-R": ((0.47, 0.42), (0.70, 0.20), (0.58, 0.31), (0.76, 0.10)),
    "Hybrid": ((0.59, 0.46), (0.77, 0.26), (0.52, 0.48), (0.72, 0.15)),
    "UNSUP": ((0.51, 0.42), (0.59, 0.10), (0.45, 0.17), (0.52, 0.04)),
    "Split-Deletion": ((0.59, 0.48), (0.93, 0.02), (0.45, 0.29), (0.55, 0.04)),
    "Reference": ((0.70, 0.40), (0.66, 0.46), (0.52, 0.58), (0.41, 0.12)),
}
"""Table 2: absolute agreement and quadratic weighted kappa by system and question."""

CORRELATED = {"items": (0.63, 0.30, 0.48, 0.11, 0.49), "systems": (0.92, 0.54, 0.64, 0.14, 0.64)}
"""Table 3: Spearman's rho between annotators, for the four questions and AvgHuman."""

HUMAN: Mapping[str, Callable[[Answers], float]] = {
    "G": lambda one: one.grammaticality,
    "P": lambda one: one.meaning,
    "S": lambda one: one.simplicity,
    "AvgHuman": lambda one: one.average,
}
METRICS = {
    "samsa": (0.37, -0.37, 0.71, 0.35),
    "samsa_abl": (0.14, 0.54, -0.71, 0.09),
    "bleu": (0.09, 0.37, -0.60, 0.06),
    "sari": (-0.77, -0.14, -0.43, -0.81),
    "ld_reference": (-0.43, 0.03, -0.43, -0.46),
    "ld_source": (-0.09, 0.37, -0.54, -0.12),
    "splits": (0.09, -0.49, 0.83, 0.14),
}
"""Table 4 (automatic setting, six systems): rho with G, P, S and AvgHuman."""


def ratings(answers: Sequence[Answers], value: Callable[[Answers], float]) -> Ratings:
    return Ratings.from_entries([((one.system, str(one.row)), str(one.annotator), value(one)) for one in answers])


def question(number_of: int) -> Callable[[Answers], float]:
    return lambda one: one.answers[number_of]


def agreement() -> None:
    """Tables 2 and 3: ours beside the paper's."""
    answers = read_answers()
    columns = {name: ratings(answers, question(place)) for place, name in enumerate(QUESTIONS)}
    rows = []
    for system, paper in AGREEMENT.items():
        cells = []
        for found, (equal, kappa) in zip(columns.values(), paper, strict=True):
            part = found if system == "Total" else found.select(lambda item, system=system: item[0] == system)  # type: ignore[misc]
            ours = pair_agreement(part)
            cells.append(f"{number(ours.agreement)} ({number(ours.kappa)}) / {number(equal)} ({number(kappa)})")
        rows.append([system, *cells])
    title = "Table 2: absolute agreement (quadratic weighted kappa), ours / paper"
    print(to_markdown(Table(title, ["", *QUESTIONS], rows)), end="\n\n")
    columns["AvgHuman"] = ratings(answers, HUMAN["AvgHuman"])
    rows = []
    for label, paper_row in CORRELATED.items():
        cells = []
        for found, paper_rho in zip(columns.values(), paper_row, strict=True):
            ours = pair_agreement(found if label == "items" else found.group_means(lambda item: item[0]))
            cells.append(f"{number(ours.rho)} (p {number(ours.p, 3)}) / {number(paper_rho)}")
        rows.append([label, *cells])
    print(to_markdown(Table("Table 3: Spearman's rho between annotators, ours / paper", ["", *columns], rows)))


def systems() -> None:
    """Table 4, and the same on the sources that have several Scenes."""

    def lines(name: str) -> list[str]:
        text = data_folder("simplification", *name.split("/")).read_text(encoding="utf-8")
        return [*text.split("\n")[:100], *[""] * (100 - len(text.split("\n")))]  # two files have lost a last empty line

    answers = read_answers()
    human = {
        name: {system: fmean(value(one) for one in answers if one.system == system) for system in SYSTEMS}
        for name, value in HUMAN.items()
    }
    sources, references = lines("pwkp/pwkp.test.orig"), lines("system_outputs/pwkp/Reference.tok")
    outputs = {system: lines(f"system_outputs/pwkp/{file}") for system, file in SYSTEMS.items()}
    scorer = Scorer("en", [*METRICS, "sema_base", "sema_part", "sema"])
    report = scorer.score(sources, outputs, references)
    several = [index for index, item in enumerate(report.systems[0].items) if item.item and len(item.item.scenes) > 1]
    for title, chosen in (("all sources", range(len(sources))), ("sources with several Scenes", several)):
        rows = []
        for metric in scorer.metrics:
            scores = [metric.corpus([system.items[i].rows[metric.name] for i in chosen]) for system in report.systems]
            paper = METRICS.get(metric.name, (float("nan"),) * 4)
            cells = []
            for values, theirs in zip(human.values(), paper, strict=True):
                ours = spearman(scores, [values[system] for system in SYSTEMS], sides="one-sided")
                cells.append(f"{number(ours.value)} (p {number(ours.p)}) / {number(theirs)}")
            rows.append([metric.name, *cells])
        notes = [f"signature: {report.signature}"] if chosen is several else []
        what = f"Table 4, {len(chosen)} {title}: rho (one-tailed p), ours over five systems / paper over six"
        print(to_markdown(Table(what, ["metric", *HUMAN], rows, notes)), end="\n\n")
    print(
        "Ratings and scores of the paper's multi-Scene row (S: semi-automatic 0.89, splits 0.77) are over six systems."
    )


def qats() -> None:
    """Section 9: Pearson's r with the four labels of the QATS test set (126 pairs), with intervals."""
    folder = data_folder("ratings", "qats2016")
    with (folder / "test.shared-task.tsv").open(encoding="utf-8", newline="") as file:
        pairs = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    with (folder / "test.o+g+m+s.human-labels").open(encoding="utf-8", newline="") as file:
        labels = list(csv.DictReader(file, delimiter="\t"))
    worth = {"bad": 0.0, "ok": 1.0, "good": 2.0}
    aspects = {"Overall": "O", "G": "G", "M": "M", "S": "S"}
    report = Scorer("en", ["samsa", "samsa_abl", "sema"]).score(
        [pair["Original"] for pair in pairs], [pair["Simplified"] for pair in pairs], keep_items=False
    )
    rows = []
    for metric in report.metrics:
        scores = [item.scores[metric] for item in report.systems[0].items]
        cells = []
        for column in aspects:
            found = CORRELATIONS["pearson"](scores, [worth[row[column].strip().lower()] for row in labels])
            cells.append(f"{number(found.value, 3)} [{number(found.low)}, {number(found.high)}]")
        rows.append([metric, *cells])
    notes = [
        "The paper's SAMSA: Overall 0.28 (automatic), 0.32 (semi-automatic); the shared task's best: 0.343, 0.334.",
        f"signature: {report.signature}",
    ]
    print(to_markdown(Table(f"QATS test, {len(pairs)} pairs: Pearson's r", ["metric", *aspects], rows, notes)))


def main() -> None:
    """Print one set of tables."""
    {"agreement": agreement, "systems": systems, "qats": qats}[sys.argv[1]]()


if __name__ == "__main__":
    main()
