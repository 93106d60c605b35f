"""Tables 2, 3 and 4 of Sulem, Abend and Rappoport (NAACL 2018).

    python -m benchmarks.papers.samsa_tables agreement|systems

Table 4 has six rated systems, of which five are public (Split-Deletion's outputs are not): our figures are over five
systems, the paper's over six. The ratings are not in the order of the published texts, so averages of systems can be
used and single items cannot: Figure 1 (r = .27 over the sources) cannot be reproduced. Table 2 agrees in 55 of its 64
cells. Of the others one is a half that is rounded up (TSM, Qa), one has lost its sign (Split-Deletion, Qb: kappa -.02),
two kappas of Qa are displaced by a row (Hybrid's .48 stands at Split-Deletion), and five are agreements on Qc whose
kappas, and whose total, are as printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from sema_raters.agreement import pair_agreement
from sema_raters.questionnaires import QUESTIONNAIRES
from sema_raters.ratings import Ratings

from benchmarks.papers import TABLES
from benchmarks.records import CommandLine, Figures, cells, run
from benchmarks.sets import first_lines
from sema import Scorer
from sema.datasets.folder import data_folder
from sema.evaluation.significance import spearman
from training.data.tables import sheet_rows

QUESTIONS = ("Qa", "Qb", "Qc", "Qd")
"""Grammatical? Information added? Important information removed? Simpler, whatever the words? 1 no, 2 maybe, 3 yes."""
ANNOTATORS = 5
FORM = QUESTIONNAIRES["structural"]
SYSTEMS = {"TSM": "TSM.tok", "RevILP": "QG+ILP.tok", "PBMT-R": "PBMT-R.tok", "Hybrid": "Hybrid.tok.low",
           "UNSUP": "UNSUP.tok"}  # fmt: skip
"""The public rated systems and their files."""
SOURCES, REFERENCES = "pwkp/pwkp.test.orig", "system_outputs/pwkp/Reference.tok"
PRINTED = TABLES["samsa2018"]
PAPER = "Sulem, Abend and Rappoport (NAACL 2018)"


class Answers(NamedTuple):
    """One annotator's answers about one output, and the scores that follow from them (section 5.2), by name."""

    system: str
    row: int
    annotator: int
    values: Mapping[str, float]


def read_answers() -> list[Answers]:
    """All 3,500 sets of answers: 100 outputs of seven systems, five annotators.

    Raises:
        ResourceError: the public data is absent.
    """
    answers, system, row = [], "", 0
    for line in list(sheet_rows(data_folder("ratings", "samsa2018", "Human_evaluation_benchmark.ods")))[2:]:
        named = line[0].split(" (")[0] if line else ""
        if named and named != system:
            system, row = named, 0
        numbers = [float(cell) for cell in line[2:22] if cell]
        if len(numbers) != ANNOTATORS * len(QUESTIONS):
            continue
        for annotator in range(ANNOTATORS):
            given = numbers[annotator * 4 : annotator * 4 + 4]
            scores = FORM.scores_of(dict(zip((question.name for question in FORM.questions), given, strict=True)))
            unchanged = {"non-addition": 4 - given[1], "non-removal": 4 - given[2]}
            values = {**dict(zip(QUESTIONS, given, strict=True)), **scores, **unchanged}
            answers.append(Answers(system, row, annotator, values))
        row += 1
    return answers


def means(answers: Sequence[Answers], systems: Sequence[str], name: str) -> list[float]:
    return [fmean(one.values[name] for one in answers if one.system == system) for system in systems]


def agreement(smoke: bool) -> None:
    """Tables 2 and 3, and section 8."""
    answers = read_answers()[: 700 if smoke else None]
    rated = {
        name: Ratings.from_entries(
            [((one.system, str(one.row)), str(one.annotator), one.values[name]) for one in answers]
        )
        for name in (*QUESTIONS, "AvgHuman")
    }
    for what in ("agreement", "kappa"):
        table = Figures(f"papers.samsa_{what}", what, digits=2, peers=cells(PRINTED[what], QUESTIONS),
                        peer_source=f"{PAPER}, Table 2")  # fmt: skip
        for system in ["Total"] if smoke else PRINTED[what]:
            chosen = {name: rated[name].select(lambda item, of=system: of in ("Total", item[0])) for name in QUESTIONS}
            table.row(system, {name: getattr(pair_agreement(own), what) for name, own in chosen.items()})
        print()
    rho = Figures("papers.samsa_raters", "rho over", digits=2, peers=cells(PRINTED["rho"], rated),
                  peer_source=f"{PAPER}, Table 3")  # fmt: skip
    p_values = Figures("papers.samsa_raters_p", "p over", peers=cells(PRINTED["p"], rated),
                       peer_source=f"{PAPER}, Table 3; 0: below 1e-5")  # fmt: skip
    for label in PRINTED["rho"]:
        pairs = {
            column: pair_agreement(own if label == "items" else own.group_means(lambda item: item[0]))
            for column, own in rated.items()
        }
        rho.row(label, {column: one.rho for column, one in pairs.items()})
        p_values.row(label, {column: one.p for column, one in pairs.items()})
    if smoke:
        return
    names = sorted({one.system for one in answers} - {"Reference"})
    parts_of_meaning = ("P", "non-addition", "non-removal")
    peers = cells({"S": (-0.77, -0.43, -0.77)}, parts_of_meaning)
    table = Figures("papers.samsa_discussion", "rho", digits=2, peers=peers, peer_source=f"{PAPER}, section 8")
    simplicity = means(answers, names, "S")
    found = {name: spearman(simplicity, means(answers, names, name)).value for name in parts_of_meaning}
    table.row("S", found, n=len(names))


def systems(smoke: bool) -> None:
    """Table 4, and the same on the sources that have several Scenes."""
    answers, count = read_answers(), 3 if smoke else 100
    human = {name: means(answers, list(SYSTEMS), name) for name in FORM.scores}
    files = {name: f"system_outputs/pwkp/{file}" for name, file in SYSTEMS.items()}
    outputs = {name: first_lines(file, count) for name, file in files.items()}
    sources, references = (first_lines(name, count) for name in (SOURCES, REFERENCES))
    scorer = Scorer("en", [*PRINTED["systems"], "sema_base", "sema_part", "sema"])
    report = scorer.score(sources, outputs, references)
    several = [index for index, item in enumerate(report.systems[0].items) if item.item and len(item.item.scenes) > 1]
    for name, chosen, peers in (
        ("samsa_systems", range(len(sources)), cells(PRINTED["systems"], human)),
        ("samsa_systems_several_scenes", several, {}),  # printed for semi-automatic SAMSA alone
    ):
        table = Figures(f"papers.{name}", "rho of", digits=2, peers=peers, peer_source=f"{PAPER}, Table 4",
                        data="PWKP test")  # fmt: skip
        for metric in scorer.metrics:
            scores = [metric.corpus([system.items[i].rows[metric.name] for i in chosen]) for system in report.systems]
            found = {column: spearman(scores, values).value for column, values in human.items()}
            table.row(metric.name, found, n=len(chosen))
        print()
    print(f"signature: {report.signature}")


def main(argv: Sequence[str] | None = None) -> None:
    parser, parts = CommandLine(__doc__), {"agreement": agreement, "systems": systems}
    parser.add_argument("table", nargs="?", choices=parts, default="agreement")
    arguments = parser.parse(argv)
    for name in parts if arguments.smoke else [arguments.table]:
        parts[name](arguments.smoke)


if __name__ == "__main__":
    run(main)
