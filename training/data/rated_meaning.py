"""Public ratings of meaning by people, set by set: source, output, mean rating, system."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean

from sema.datasets.folder import data_folder
from sema.errors import InputError
from training.data.sheets import sheet_rows

QATS = {"good": 2.0, "ok": 1.0, "bad": 0.0}
MEANING_ERRORS = frozenset({"Altered Meaning-L", "Altered Meaning-S", "Hallucination", "Coreference"})
"""The error labels of llm2025 that are about meaning."""


@dataclass(frozen=True)
class RatedPair:
    """A source, a system's output and people's mean rating of its meaning, on the set's own scale (higher: better).

    ``details`` holds what else a set says: error ``labels`` with their spans, the ``severity`` of each kind of change.
    """

    source: str
    output: str
    rating: float
    system: str = ""
    details: Mapping[str, object] = field(default_factory=dict, compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """The letters and digits of both texts: equal for the same pair in different sets."""
        return letters(self.source), letters(self.output)


def letters(text: str) -> str:
    """A text's letters and digits, lower-cased."""
    return "".join(char for char in text.lower() if char.isalnum())


def simplicity_da() -> list[RatedPair]:
    """Simplicity-DA, 600 pairs (z-scores): benchmark only."""
    rows = _csv(data_folder("ratings", "metaeval", "simplicity_DA.csv"))
    return [RatedPair(r["orig_sent"], r["simp_sent"], float(r["meaning_zscore"]), r["sys_name"]) for r in rows]


def structural() -> list[RatedPair]:
    """acl2018 as the meta-evaluation paper published it, 1,750 pairs (1-5): benchmark only."""
    rows = _csv(data_folder("ratings", "metaeval", "structural_simplicity.csv"))
    return [RatedPair(r["orig_sent"], r["simp_sent"], float(r["meaning"]), r["sys_name"]) for r in rows]


def acl2018() -> list[RatedPair]:
    """acl2018 from its own files, the systems whose outputs are there (1-5); outputs detokenized."""
    from sacremoses import MosesDetokenizer

    folder = data_folder("ratings", "acl2018")
    sources = _lines(data_folder("simplification", "turkcorpus", "test.truecase.detok.orig"))
    detokenizer = MosesDetokenizer("en")
    pairs = []
    for system, number, ratings in acl2018_raters():
        file = folder / "Evaluation_system_outputs" / _acl2018_file(system)
        if file.exists():
            output = detokenizer.detokenize(_lines(file)[number - 1].replace("\\", "").split())
            pairs.append(RatedPair(sources[number - 1], output, fmean(ratings), file.name))
    return pairs


_MEANING_COLUMNS = (3, 7, 11)
"""Question b (meaning) of the three annotators."""


def acl2018_raters() -> Iterator[tuple[str, int, list[float]]]:
    """(system, sentence from 1, every annotator's rating) of the rows of acl2018's spreadsheet."""
    system = ""
    for cells in sheet_rows(data_folder("ratings", "acl2018") / "Human_evaluation_benchmark_acl2018.ods"):
        if len(cells) <= max(_MEANING_COLUMNS) or not cells[0].isdecimal():
            continue
        system = cells[1] or system
        yield system, int(cells[0]), [float(cells[column]) for column in _MEANING_COLUMNS]


def _acl2018_file(system: str) -> str:
    """The file of a system's outputs, whose name the spreadsheet writes without superscripts and underscores."""
    plain, _, note = system.partition(" (")
    name = plain.strip().replace("NTSh", "NTS-h").replace("LMm", "_LM^m").replace("MosesLM", "Moses_LM")
    for head in ("SENTSm-h1", "SENTSm-h4"):
        name = name.replace(head, f"SENTS-{head[-2:]}^m")
    if name in ("DSSm", "SEMosesm"):
        name = f"{name[:-1]}^m"
    if "NTS-h" in name:
        name += "_default_model" if note else "_w2v_model"
    return name


def qats(part: str) -> list[RatedPair]:
    """QATS 2016, ``train`` (505) or ``test`` (126): good 2, ok 1, bad 0."""
    folder = data_folder("ratings", "qats2016")
    rows = _csv(folder / f"{part}.shared-task.tsv", delimiter="\t")
    labels = rows if part == "train" else _csv(folder / "test.o+g+m+s.human-labels", delimiter="\t")
    return [
        RatedPair(row["Original"], row["Simplified"], QATS[label["M"].strip()])
        for row, label in zip(rows, labels, strict=True)
    ]


def questeval() -> list[RatedPair]:
    """questeval, 295 pairs (0-100)."""
    return _grouped(_csv(data_folder("ratings", "questeval", "ratings.csv")), "source", "system_name")


def asset() -> list[RatedPair]:
    """asset, 100 pairs (0-100): benchmark only."""
    return _grouped(_csv(data_folder("ratings", "asset", "human_ratings.csv")), "original", None)


def _grouped(rows: Sequence[Mapping[str, str]], source: str, system: str | None) -> list[RatedPair]:
    ratings: dict[tuple[str, str], list[float]] = {}
    systems: dict[tuple[str, str], str] = {}
    for row in rows:
        if row["aspect"] == "meaning":
            pair = row[source], row["simplification"]
            ratings.setdefault(pair, []).append(float(row["rating"]))
            systems[pair] = row[system] if system else ""
    return [RatedPair(*pair, fmean(given), systems[pair]) for pair, given in ratings.items()]


def llm2025() -> list[RatedPair]:
    """llm2025, 3,033 pairs (1-3): development and benchmark only."""
    pairs = []
    for row in _jsonl(data_folder("ratings", "llm2025", "likert.jsonl")):
        given = [rating["meaning preservation"] for rating in row["label_annotations"].values()]  # type: ignore[attr-defined]
        pairs.append(RatedPair(str(row["source"]), str(row["simple"]), fmean(given), str(row["model"])))
    return pairs


def llm2025_errors() -> list[RatedPair]:
    """llm2025's 1,656 pairs with error labels; rated 0 where some is about meaning, else 1: benchmark only."""
    pairs = []
    for row in _jsonl(data_folder("ratings", "llm2025", "error.jsonl")):
        labels = row["label"]
        wrong = any(label["annotation"] in MEANING_ERRORS for label in labels)  # type: ignore[attr-defined]
        pairs.append(
            RatedPair(
                str(row["source"]), str(row["simple"]), float(not wrong), str(row["model"]), details={"labels": labels}
            )
        )
    return pairs


def factuality() -> list[RatedPair]:
    """Severity (0-2) of deletion, insertion and substitution; rated minus the worst of them: benchmark only."""
    found: dict[tuple[str, str, str], dict[str, int]] = {}
    for file in sorted(data_folder("ratings", "factuality").glob("*.json")):
        system, _, kind = file.stem.rpartition("_")
        for row in json.loads(file.read_text(encoding="utf-8")):
            severity = row.get(kind.capitalize())
            if severity is not None and severity >= 0:
                found.setdefault((row["Complex"], row["Simplified"], system), {})[kind] = severity
    return [
        RatedPair(source, output, -float(max(severity.values())), system, details={"severity": severity})
        for (source, output, system), severity in found.items()
    ]


def multicochrane() -> list[RatedPair]:
    """MultiCochrane's 1,622 English sheets as pairs, rated minus the mean severity of factual errors (0-2); details:
    whether most sheets name a ``hallucination`` and a ``deletion``: development and benchmark only."""
    sheets: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in _gzipped(data_folder("ratings", "multicochrane", "ratings_en.tsv.gz")):
        if row["output"].strip() and row["factual"]:
            sheets.setdefault((row["source"], row["output"]), []).append(row)
    return [
        RatedPair(
            *pair, -fmean(float(row["factual"]) for row in given), given[0]["system"],
            {name: fmean(row[column].startswith("Y") for row in given) > 0.5 for name, column in _COCHRANE.items()},
        )
        for pair, given in sheets.items()
    ]  # fmt: skip


_COCHRANE: Mapping[str, str] = {"hallucination": "hallucination", "deletion": "excessive_deletion"}


def dwikipedia() -> list[RatedPair]:
    """D-Wikipedia, 247 paragraphs, lower-cased (1-5): development and benchmark only."""
    rows = _gzipped(data_folder("ratings", "dwikipedia", "ratings.tsv.gz"))
    return [RatedPair(row["source"], row["output"], float(row["meaning"])) for row in rows if row["output"].strip()]


MEANING_SETS: Mapping[str, Callable[[], list[RatedPair]]] = {
    "Simplicity-DA": simplicity_da,
    "acl2018": structural,
    "QATS test": partial(qats, "test"),
    "asset": asset,
    "llm2025": llm2025,
    "llm2025 errors": llm2025_errors,
    "factuality": factuality,
}
"""The sets with reported figures, by name."""


def _csv(file: Path, delimiter: str = ",") -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
        if delimiter == "\t":  # where quotes are the text's own
            rows = list(csv.DictReader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE))
        else:
            rows = list(csv.DictReader(lines, delimiter=delimiter))
    if not rows:
        raise InputError("has no rows; is it the right file?", file=str(file))
    return rows


def _gzipped(file: Path) -> list[dict[str, str]]:
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def _jsonl(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").split("\n")
