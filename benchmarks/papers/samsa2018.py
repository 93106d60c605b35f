"""The ratings of Sulem, Abend and Rappoport (NAACL 2018): 100 outputs of seven systems, five annotators.

The rows are not in the order of the published texts, so averages of systems can be used and single items cannot.
"""

from __future__ import annotations

from typing import NamedTuple

from sema_raters.questionnaires import QUESTIONNAIRES

from sema.datasets.folder import data_folder
from training.data.tables import sheet_rows

QUESTIONS = ("Qa", "Qb", "Qc", "Qd")
"""Grammatical? Information added? Important information removed? Simpler, whatever the words? 1 no, 2 maybe, 3 yes."""
ANNOTATORS = 5
FORM = QUESTIONNAIRES["structural"]


class Answers(NamedTuple):
    """One annotator's answers about one output."""

    system: str
    row: int
    annotator: int
    answers: tuple[float, float, float, float]

    @property
    def scores(self) -> dict[str, float]:
        """G, P, S and AvgHuman (section 5.2)."""
        return FORM.scores_of(dict(zip((question.name for question in FORM.questions), self.answers, strict=True)))


def read_answers() -> list[Answers]:
    """All 3,500 sets of answers.

    Raises:
        ResourceError: the public data is absent.
    """
    answers, system, row = [], "", 0
    for cells in list(sheet_rows(data_folder("ratings", "samsa2018", "Human_evaluation_benchmark.ods")))[2:]:
        named = cells[0].split(" (")[0] if cells else ""
        if named and named != system:
            system, row = named, 0
        numbers = [float(cell) for cell in cells[2:22] if cell]
        if len(numbers) != ANNOTATORS * len(QUESTIONS):
            continue
        for annotator in range(ANNOTATORS):
            a, b, c, d = numbers[annotator * 4 : annotator * 4 + 4]
            answers.append(Answers(system, row, annotator, (a, b, c, d)))
        row += 1
    return answers
