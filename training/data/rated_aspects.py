"""Ratings of fluency, meaning, simplicity and quality by people, set by set.

The licences of QATS train, questeval and acl2018 allow shipping a model that was trained on them; the sets of
:data:`REPORTED` train nothing that ships.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from statistics import fmean

from sema.datasets.folder import data_folder
from sema.judges.examples import CLASSES, RatedPair
from training.data.tables import json_lines, read_lines, sheet_rows, table

ASPECTS = {"fluency": "G", "meaning": "M", "simplicity": "S", "overall": "Overall"}
"""The aspects, and QATS's names for them."""
_QUESTIONS = {"fluency": 0, "meaning": 1, "simplicity": 2}
_SENTENCES = 70
_BEAMS = "h1", "h4"
_DEFAULT = " (with the default model instead of w2v)"
_SYSTEMS: Mapping[str, str] = {
    "DSS": "DSS", "DSSm": "DSS^m", "Moses": "Moses", "SEMoses": "SEMoses", "SEMosesm": "SEMoses^m",
    "SEMosesLM": "SEMoses_LM", "SEMosesLMm": "SEMoses_LM^m",
    "SETrain1-Moses": "SETrain1-Moses", "SETrain1-MosesLM": "SETrain1-Moses_LM",
    "SETrain2-Moses": "SETrain2-Moses", "SETrain2-MosesLM": "SETrain2-Moses_LM",
    "NTSh1": "NTS-h1_w2v_model", "NTSh4": "NTS-h4_w2v_model",
    **{f"NTS-{beam}{_DEFAULT}": f"NTS-{beam}_default_model" for beam in _BEAMS},
    **{f"SENTS-{beam}": f"SENTS-{beam}_w2v_model" for beam in _BEAMS},
    **{f"SENTSm-{beam}": f"SENTS-{beam}^m_w2v_model" for beam in _BEAMS},
    **{f"SENTS-{beam}{_DEFAULT}": f"SENTS-{beam}_default_model" for beam in _BEAMS},
    **{f"SENTSm-{beam}{_DEFAULT}": f"SENTS-{beam}^m_default_model" for beam in _BEAMS},
}  # fmt: skip
"""The systems as the sheet of acl2018 names them, and the files of their outputs."""


def training_sets(aspect: str) -> list[RatedPair]:
    """All pairs on which shipped judges may be trained, with ratings in [0, 1]; in sets without ratings of ``overall``
    quality, the mean of the other aspects stands for it."""
    return [
        pair
        for name, read in TRAINED.items()
        for pair in (_mean_aspect(read) if aspect == "overall" and name != "QATS train" else read(aspect))
    ]


def _mean_aspect(read: Callable[[str], list[RatedPair]]) -> Iterator[RatedPair]:
    """The pairs of a set that were rated in all aspects, with the mean of the ratings."""
    by_pair: dict[tuple[str, str], list[RatedPair]] = {}
    for aspect in _QUESTIONS:
        for pair in read(aspect):
            by_pair.setdefault((pair.source, pair.output), []).append(pair)
    for rated in by_pair.values():
        if len(rated) == len(_QUESTIONS):
            yield replace(rated[0], rating=fmean(pair.rating for pair in rated))


def qats_rows(part: str, column: str) -> Iterator[tuple[str, str, str]]:
    """Source, output and label (good, ok, bad) of QATS 2016, ``train`` or ``test``; ``column``: G, M, S or Overall."""
    texts = list(table("ratings", "qats2016", f"{part}.shared-task.tsv"))
    labels = texts if part == "train" else table("ratings", "qats2016", "test.o+g+m+s.human-labels")
    for row, label in zip(texts, labels, strict=True):
        yield row["Original"], row["Simplified"], label[column].strip()


def qats(aspect: str, part: str) -> list[RatedPair]:
    """QATS 2016; good, ok and bad are 1, 0.5 and 0."""
    return [
        RatedPair(source.strip(), output.strip(), CLASSES[label], f"qats_{part}")
        for source, output, label in qats_rows(part, ASPECTS[aspect])
    ]


def questeval(aspect: str) -> list[RatedPair]:
    """The ratings of Scialom et al. (2021), 0-100, averaged over raters."""
    return _averaged(table("ratings", "questeval", "ratings.csv"), aspect, ("source", "simplification"), "questeval")


def _averaged(rows: Iterator[dict[str, str]], aspect: str, columns: tuple[str, str], group: str) -> list[RatedPair]:
    """Rows with a rating 0-100 each, averaged over the raters of a pair."""
    ratings: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if row["aspect"] == aspect:
            ratings.setdefault((row[columns[0]], row[columns[1]]), []).append(float(row["rating"]))
    return _on_scale({pair: own for pair, own in ratings.items() if all(map(str.strip, pair))}, 0, 100, group)


def _on_scale(ratings: Mapping[tuple[str, str], list[float]], low: float, high: float, group: str) -> list[RatedPair]:
    """Pairs with the means of their ratings, from 0 at the low end of their scale to 1 at its high end."""
    return [RatedPair(*pair, (math.fsum(own) / len(own) - low) / (high - low), group) for pair, own in ratings.items()]


def acl2018_answers(aspect: str) -> Iterator[tuple[str, int, list[float]]]:
    """System, number of the sentence from 1, and three raters' answers of every row of acl2018's sheet."""
    columns = [2 + 4 * rater + _QUESTIONS[aspect] for rater in range(3)]
    system = ""
    for cells in sheet_rows(data_folder("ratings", "acl2018", "Human_evaluation_benchmark_acl2018.ods")):
        if len(cells) > max(columns) and cells[0].isdecimal():
            system = cells[1] or system
            if all(answers := [cells[column] for column in columns]):
                yield system, int(cells[0]), [float(answer) for answer in answers]


def acl2018(aspect: str) -> list[RatedPair]:
    """The ratings of Sulem, Abend and Rappoport (ACL 2018): 70 sentences, the systems whose outputs are public."""
    from sacremoses import MosesDetokenizer

    originals = read_lines("simplification", "turkcorpus", "test.truecase.detok.orig")
    detokenize = MosesDetokenizer("en").detokenize
    outputs: dict[str, list[str]] = {"Identity": originals}
    ratings: dict[tuple[str, str], list[float]] = {}
    for system, number, answers in acl2018_answers(aspect):
        if number > _SENTENCES or (system not in outputs and system not in _SYSTEMS):
            continue
        if system not in outputs:
            own = read_lines("ratings", "acl2018", "Evaluation_system_outputs", _SYSTEMS[system])[:_SENTENCES]
            outputs[system] = [detokenize(line.replace("\\ ", "").split()) for line in own]
        text = outputs[system][number - 1]
        if text.strip():
            ratings.setdefault((originals[number - 1], text[0].upper() + text[1:]), []).extend(answers)
    return _on_scale(ratings, *((-2, 2) if aspect == "simplicity" else (1, 5)), "acl2018")


def simplicity_da(aspect: str) -> list[RatedPair]:
    """Simplicity-DA (Alva-Manchego, Scarton and Specia 2021): 600 pairs, z-scores."""
    rows = table("ratings", "metaeval", "simplicity_DA.csv")
    scored = ((row["orig_sent"], row["simp_sent"], float(row[f"{aspect}_zscore"])) for row in rows)
    return [RatedPair(*one, "Simplicity-DA") for one in scored]


def asset(aspect: str) -> list[RatedPair]:
    """The ratings of ASSET (Alva-Manchego et al. 2020): 100 pairs."""
    rows = table("ratings", "asset", "human_ratings.csv")
    return _averaged(rows, aspect, ("original", "simplification"), "ASSET")


def llm2025(aspect: str) -> list[RatedPair]:
    """llm2025: outputs of today's systems (1-3)."""
    key = "meaning preservation" if aspect == "meaning" else aspect
    rows = json_lines("ratings", "llm2025", "likert.jsonl")
    means = (fmean(rater[key] for rater in row["label_annotations"].values()) for row in rows)
    return [RatedPair(row["source"], row["simple"], mean, "llm2025") for row, mean in zip(rows, means, strict=True)]


def simpeval(aspect: str) -> list[RatedPair]:
    """SimpEval_past (Maddela et al. 2023): one rating of quality, whatever the aspect, z-scores of five raters."""
    rows = list(table("ratings", "simpeval", "simpeval_past.csv"))
    means = (fmean(float(row[f"rating_{rater}_z_score"]) for rater in range(1, 6)) for row in rows)
    texts = ((row["original"], row["processed_generation"]) for row in rows)
    return [RatedPair(*pair, mean, "SimpEval_past") for pair, mean in zip(texts, means, strict=True)]


TRAINED: Mapping[str, Callable[[str], list[RatedPair]]] = {
    "QATS train": partial(qats, part="train"),
    "QuestEval": questeval,
    "acl2018": acl2018,
}
"""The sets that judges are trained on, by name."""
REPORTED: Mapping[str, Callable[[str], list[RatedPair]]] = {
    "QATS test": partial(qats, part="test"),
    "Simplicity-DA": simplicity_da,
    "ASSET": asset,
    "SimpEval_past": simpeval,
    "llm2025": llm2025,
}
"""The sets that judges are measured on, by name."""
