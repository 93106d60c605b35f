"""Tables 2, 3 and 4 of Sulem, Abend and Rappoport (NAACL 2018), and its row on the QATS benchmark.

    python -m benchmarks.papers.samsa_tables agreement|systems|qats

Table 4 has six rated systems, of which five are public (Split-Deletion's outputs are not): our figures are over five
systems, the paper's over six. Figure 1 (r = .27 over the sources) cannot be reproduced, because the ratings are not in
the order of the texts. Table 2 agrees in 55 of its 64 cells. Of the others one is a half that is rounded up (TSM, Qa),
one has lost its sign (Split-Deletion, Qb: kappa -.02), two kappas of Qa are displaced by a row (Hybrid's .48 stands at
Split-Deletion), and five are agreements on Qc whose kappas, and whose total, are as printed.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from benchmarks.papers.samsa2018 import QUESTIONS, Answers, read_answers
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import first_lines
from sema import Scorer
from sema.datasets.folder import data_folder
from sema.evaluation.agreement import pair_agreement
from sema.evaluation.ratings import Ratings
from sema.evaluation.significance import pearson, spearman

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

CORRELATED_P = {"items": (0.0, 0.0, 0.0, 0.002, 0.0), "systems": (0.002, 0.1, 0.06, 0.4, 0.06)}
"""Table 3's p-values; 0 stands for p < 1e-5."""

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


LEADERBOARD = {
    "ter": (0.130, 0.323, 0.513, -0.242),
    "wer": (0.111, 0.308, 0.495, -0.260),
    "meteor_source": (0.196, 0.384, 0.527, -0.169),
}
"""The baselines of QATS 2016 as its leaderboards have them: r with Overall, G, M and S; tokenizers are not named."""
BASELINES = ("ter", "wer", "meteor_source", "tbleu", "cosine", "rougeL")

PAPER = "Sulem, Abend and Rappoport (NAACL 2018)"


def agreement(smoke: bool) -> None:
    """Tables 2 and 3: ours beside the paper's."""
    answers = read_answers()[: 700 if smoke else None]
    columns = {name: ratings(answers, question(place)) for place, name in enumerate(QUESTIONS)}
    for place, (name, what) in enumerate((("samsa_agreement", "agreement"), ("samsa_kappa", "kappa"))):
        peers = {
            (system, column): pair[place]
            for system, pairs in AGREEMENT.items()
            for column, pair in zip(columns, pairs, strict=True)
        }
        table = Figures(f"papers.{name}", what, digits=2, peers=peers, peer_source=f"{PAPER}, Table 2")
        for system in ["Total"] if smoke else AGREEMENT:
            parts = {
                column: column_ratings
                if system == "Total"
                else column_ratings.select(lambda item, system=system: item[0] == system)  # type: ignore[misc]
                for column, column_ratings in columns.items()
            }
            table.row(system, {column: getattr(pair_agreement(part), what) for column, part in parts.items()})
        print()
    columns["AvgHuman"] = ratings(answers, HUMAN["AvgHuman"])
    peers = {(row, column): rho for row, own in CORRELATED.items() for column, rho in zip(columns, own, strict=True)}
    table = Figures("papers.samsa_raters", "rho over", digits=2, peers=peers, peer_source=f"{PAPER}, Table 3")
    peers = {(row, column): p for row, own in CORRELATED_P.items() for column, p in zip(columns, own, strict=True)}
    p_values = Figures("papers.samsa_raters_p", "p over", peers=peers, peer_source=f"{PAPER}, Table 3; 0: below 1e-5")
    for label in CORRELATED:
        parts = {
            column: column_ratings if label == "items" else column_ratings.group_means(lambda item: item[0])
            for column, column_ratings in columns.items()
        }
        column_ratings = {column: pair_agreement(part) for column, part in parts.items()}
        table.row(label, {column: one.rho for column, one in column_ratings.items()})
        p_values.row(label, {column: one.p for column, one in column_ratings.items()})
    print()
    if not smoke:
        discussion(answers)


def discussion(answers: Sequence[Answers]) -> None:
    """Section 8: rho over the six systems between structural simplicity and meaning, and its two parts."""
    names = sorted({one.system for one in answers} - {"Reference"})

    def means(value: Callable[[Answers], float]) -> list[float]:
        return [fmean(value(one) for one in answers if one.system == name) for name in names]

    parts = {
        "P": lambda one: one.meaning,
        "non-addition": lambda one: 4 - one.answers[1],
        "non-removal": lambda one: 4 - one.answers[2],
    }
    peers = {("S", "P"): -0.77, ("S", "non-addition"): -0.43, ("S", "non-removal"): -0.77}
    table = Figures("papers.samsa_discussion", "rho", digits=2, peers=peers, peer_source=f"{PAPER}, section 8")
    simplicity = means(lambda one: one.simplicity)
    table.row("S", {name: spearman(simplicity, means(value)).value for name, value in parts.items()}, n=6)


def systems(smoke: bool) -> None:
    """Table 4, and the same on the sources that have several Scenes."""
    count = 3 if smoke else 100

    answers = read_answers()
    human = {
        name: {system: fmean(value(one) for one in answers if one.system == system) for system in SYSTEMS}
        for name, value in HUMAN.items()
    }
    sources, references = (
        first_lines(name, count) for name in ("pwkp/pwkp.test.orig", "system_outputs/pwkp/Reference.tok")
    )
    outputs = {system: first_lines(f"system_outputs/pwkp/{file}", count) for system, file in SYSTEMS.items()}
    scorer = Scorer("en", [*METRICS, "sema_base", "sema_part", "sema"])
    report = scorer.score(sources, outputs, references)
    several = [index for index, item in enumerate(report.systems[0].items) if item.item and len(item.item.scenes) > 1]
    printed = {(name, column): rho for name, row in METRICS.items() for column, rho in zip(human, row, strict=True)}
    for name, chosen, peers in (
        ("samsa_systems", range(len(sources)), printed),
        ("samsa_systems_several_scenes", several, {}),  # printed for semi-automatic SAMSA alone
    ):
        print(f"\n{len(chosen)} sources\n")
        source = f"{PAPER}, Table 4"
        table = Figures(f"papers.{name}", "rho of", digits=2, peers=peers, peer_source=source, data="PWKP test")
        for metric in scorer.metrics:
            scores = [metric.corpus([system.items[i].rows[metric.name] for i in chosen]) for system in report.systems]
            correlations = {
                column: spearman(scores, [values[system] for system in SYSTEMS], sides="one-sided").value
                for column, values in human.items()
            }
            table.row(metric.name, correlations, n=len(chosen))
    print(f"signature: {report.signature}")


def qats(smoke: bool) -> None:
    """Section 9: Pearson's r with the four labels of the QATS test set (126 pairs), with intervals; then baselines.

    Baselines compare the output with the source, as the shared task's did; error rates are turned around.
    """
    folder = data_folder("ratings", "qats2016")
    count = 6 if smoke else None
    with (folder / "test.shared-task.tsv").open(encoding="utf-8", newline="") as file:
        pairs = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[:count]
    with (folder / "test.o+g+m+s.human-labels").open(encoding="utf-8", newline="") as file:
        labels = list(csv.DictReader(file, delimiter="\t"))[:count]
    worth = {"bad": 0.0, "ok": 1.0, "good": 2.0}
    aspects = ("Overall", "G", "M", "S")
    printed = {(metric, name): r for metric, row in LEADERBOARD.items() for name, r in zip(aspects, row, strict=True)}
    for title, metrics, options, peers, source in (
        ("samsa_qats", ("samsa", "samsa_abl", "sema"), {}, {("samsa", "Overall"): 0.28}, f"{PAPER}, section 9"),
        ("qats_baselines", BASELINES, {"against": "source", "tokenizer": "13a"}, printed, "QATS 2016, leaderboards"),
    ):
        report = Scorer("en", metrics, options=options).score(
            [pair["Original"] for pair in pairs], [pair["Simplified"] for pair in pairs], keep_items=False
        )
        table = Figures(f"papers.{title}", "r of", peers=peers, peer_source=source, data="QATS test")
        for metric in report.metrics:
            sign = 1 if report.metric(metric).higher_is_better else -1
            scores = [sign * item.scores[metric] for item in report.systems[0].items]
            found = {name: pearson(scores, [worth[row[name].strip().lower()] for row in labels]) for name in aspects}
            intervals = {name: (r.low, r.high) for name, r in found.items()}
            table.row(metric, {name: r.value for name, r in found.items()}, n=len(pairs), intervals=intervals)
        print(f"signature: {report.signature}\n")


TABLES = {"agreement": agreement, "systems": systems, "qats": qats}


def main(argv: Sequence[str] | None = None) -> None:
    """Print one set of tables; with ``--smoke`` the beginning of each."""
    parser = CommandLine(__doc__)
    parser.add_argument("table", nargs="?", choices=TABLES, default="agreement")
    arguments = parser.parse(argv)
    for name in TABLES if arguments.smoke else [arguments.table]:
        TABLES[name](arguments.smoke)


if __name__ == "__main__":
    run(main)
