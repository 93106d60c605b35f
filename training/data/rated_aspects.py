"""Rating sets whose licence allows shipping a model trained on them: QATS train, questeval, acl2018."""

from __future__ import annotations

import csv
import math
import zipfile
from collections.abc import Iterator
from pathlib import Path

from defusedxml import ElementTree

from sema.judges.examples import CLASSES, RatedPair

ASPECTS = {"fluency": "G", "meaning": "M", "simplicity": "S", "overall": "Overall"}
"""Our aspects, and QATS's names of them."""
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_QUESTIONS = {"fluency": 0, "meaning": 1, "simplicity": 2}
_DEFAULT = " (with the default model instead of w2v)"
_SYSTEMS = {
    "DSS": "DSS",
    "DSSm": "DSS^m",
    "Moses": "Moses",
    "SEMoses": "SEMoses",
    "SEMosesm": "SEMoses^m",
    "SEMosesLM": "SEMoses_LM",
    "SEMosesLMm": "SEMoses_LM^m",
    "SETrain1-Moses": "SETrain1-Moses",
    "SETrain1-MosesLM": "SETrain1-Moses_LM",
    "SETrain2-Moses": "SETrain2-Moses",
    "SETrain2-MosesLM": "SETrain2-Moses_LM",
    "NTSh1": "NTS-h1_w2v_model",
    "NTSh4": "NTS-h4_w2v_model",
    f"NTS-h1{_DEFAULT}": "NTS-h1_default_model",
    f"NTS-h4{_DEFAULT}": "NTS-h4_default_model",
    "SENTS-h1": "SENTS-h1_w2v_model",
    "SENTS-h4": "SENTS-h4_w2v_model",
    f"SENTS-h1{_DEFAULT}": "SENTS-h1_default_model",
    f"SENTS-h4{_DEFAULT}": "SENTS-h4_default_model",
    "SENTSm-h1": "SENTS-h1^m_w2v_model",
    "SENTSm-h4": "SENTS-h4^m_w2v_model",
    f"SENTSm-h1{_DEFAULT}": "SENTS-h1^m_default_model",
    f"SENTSm-h4{_DEFAULT}": "SENTS-h4^m_default_model",
}
"""The systems as the sheet names them, and their files."""
_SENTENCES = 70


def training_sets(data: Path, aspect: str) -> list[RatedPair]:
    """All pairs on which shipped judges may be trained; ratings in [0, 1]."""
    found = [*qats(data, aspect, "train")]
    if aspect != "overall":
        found += [*questeval(data, aspect), *acl2018(data, aspect)]
    return found


def qats(data: Path, aspect: str, part: str) -> list[RatedPair]:
    """QATS 2016, ``train`` or ``test``; good, ok and bad are 1, 0.5 and 0."""
    folder = data / "ratings/qats2016"
    rows = _tsv(folder / f"{part}.shared-task.tsv")
    labels = rows if part == "train" else _tsv(folder / "test.o+g+m+s.human-labels")
    column = ASPECTS[aspect]
    return [
        RatedPair(row["Original"].strip(), row["Simplified"].strip(), CLASSES[label[column].strip()], f"qats_{part}")
        for row, label in zip(rows, labels, strict=True)
    ]


def _tsv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def questeval(data: Path, aspect: str) -> list[RatedPair]:
    """The ratings of Scialom et al. (2021), 0-100, averaged over raters."""
    return averaged(data / "ratings/questeval/ratings.csv", aspect, ("source", "simplification"), "questeval")


def averaged(path: Path, aspect: str, columns: tuple[str, str], group: str) -> list[RatedPair]:
    """A table with a rating 0-100 in each row, averaged over the raters of a pair."""
    found: dict[tuple[str, str], list[float]] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            if row["aspect"] == aspect:
                found.setdefault((row[columns[0]], row[columns[1]]), []).append(float(row["rating"]))
    return [
        RatedPair(*pair, math.fsum(values) / len(values) / 100, group)
        for pair, values in found.items()
        if all(text.strip() for text in pair)
    ]


def acl2018(data: Path, aspect: str) -> list[RatedPair]:
    """The ratings of Sulem, Abend and Rappoport (ACL 2018): 70 sentences, the systems whose outputs are public."""
    from sacremoses import MosesDetokenizer

    folder = data / "ratings/acl2018"
    originals = (data / "simplification/turkcorpus/test.truecase.detok.orig").read_text(encoding="utf-8").split("\n")
    detokenize = MosesDetokenizer("en").detokenize
    outputs: dict[str, list[str]] = {}
    found: dict[tuple[str, str], list[float]] = {}
    for number, system, values in _sheet(folder / "Human_evaluation_benchmark_acl2018.ods", _QUESTIONS[aspect]):
        if system == "Identity":
            outputs[system] = originals
        elif system not in _SYSTEMS:
            continue
        if system not in outputs:
            path = folder / "Evaluation_system_outputs" / _SYSTEMS[system]
            lines = path.read_text(encoding="utf-8").split("\n")[:_SENTENCES]
            outputs[system] = [detokenize(line.replace("\\ ", "").split()) for line in lines]
        text = outputs[system][number - 1]
        if text.strip():
            found.setdefault((originals[number - 1], text[0].upper() + text[1:]), []).extend(values)
    low, high = (-2.0, 2.0) if aspect == "simplicity" else (1.0, 5.0)
    return [
        RatedPair(*pair, (math.fsum(values) / len(values) - low) / (high - low), "acl2018")
        for pair, values in found.items()
    ]


def _sheet(path: Path, question: int) -> Iterator[tuple[int, str, list[float]]]:
    """Sentence number, system and the three raters' answers of every row of the sheet."""
    with zipfile.ZipFile(path) as archive:
        root = ElementTree.fromstring(archive.read("content.xml"))
    system = ""
    for row in root.iter(f"{_TABLE}table-row"):
        cells: list[str] = []
        for cell in row:
            repeated = min(int(cell.get(f"{_TABLE}number-columns-repeated", "1")), 16)
            cells += ["".join(cell.itertext()).strip()] * repeated
        if len(cells) < 14 or not cells[0].isdigit():
            continue
        system = cells[1] or system
        answers = [cells[2 + 4 * rater + question] for rater in range(3)]
        if all(answers) and 1 <= int(cells[0]) <= _SENTENCES:
            yield int(cells[0]), system, [float(answer) for answer in answers]
