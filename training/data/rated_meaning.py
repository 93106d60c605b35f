"""Public ratings of meaning by people, set by set: source, output, mean rating, system."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean

from sema.datasets.folder import data_folder
from training.data.rated_aspects import qats_rows
from training.data.tables import json_lines, table

QATS = {"good": 2.0, "ok": 1.0, "bad": 0.0}
MEANING_ERRORS = frozenset({"Altered Meaning-L", "Altered Meaning-S", "Hallucination", "Coreference"})
"""The error labels of llm2025 that are about meaning."""


@dataclass(frozen=True)
class MeaningRating:
    """A source, a system's output and people's mean rating of its meaning, on the set's own scale (higher: better).

    ``details`` holds what else a set says: error ``labels`` with their spans, the ``severity`` of each kind of change.
    """

    source: str
    output: str
    rating: float
    system: str = ""
    details: Mapping[str, object] = field(default_factory=dict, compare=False)


def letters(text: str) -> str:
    """A text's letters and digits, lower-cased."""
    return "".join(char for char in text.lower() if char.isalnum())


def simplicity_da() -> list[MeaningRating]:
    """Simplicity-DA, 600 pairs (z-scores): benchmark only."""
    rows = table("ratings", "metaeval", "simplicity_DA.csv")
    return [MeaningRating(r["orig_sent"], r["simp_sent"], float(r["meaning_zscore"]), r["sys_name"]) for r in rows]


def structural() -> list[MeaningRating]:
    """acl2018 as the meta-evaluation paper published it, 1,750 pairs (1-5): benchmark only."""
    rows = table("ratings", "metaeval", "structural_simplicity.csv")
    return [MeaningRating(r["orig_sent"], r["simp_sent"], float(r["meaning"]), r["sys_name"]) for r in rows]


def qats(part: str) -> list[MeaningRating]:
    """QATS 2016, ``train`` (505) or ``test`` (126): good 2, ok 1, bad 0."""
    rows = qats_rows(part, "M")
    return [MeaningRating(source, output, QATS[label]) for source, output, label in rows]


def asset() -> list[MeaningRating]:
    """asset, 100 pairs (0-100): benchmark only."""
    ratings: dict[tuple[str, str], list[float]] = {}
    for row in table("ratings", "asset", "human_ratings.csv"):
        if row["aspect"] == "meaning":
            ratings.setdefault((row["original"], row["simplification"]), []).append(float(row["rating"]))
    return [MeaningRating(*pair, fmean(given)) for pair, given in ratings.items()]


def llm2025() -> list[MeaningRating]:
    """llm2025, 3,033 pairs (1-3): development and benchmark only."""
    pairs = []
    for row in json_lines("ratings", "llm2025", "likert.jsonl"):
        given = [rating["meaning preservation"] for rating in row["label_annotations"].values()]
        pairs.append(MeaningRating(row["source"], row["simple"], fmean(given), row["model"]))
    return pairs


def llm2025_errors() -> list[MeaningRating]:
    """llm2025's 1,656 pairs with error labels; rated 0 where some is about meaning, else 1: benchmark only."""
    pairs = []
    for row in json_lines("ratings", "llm2025", "error.jsonl"):
        labels = row["label"]
        wrong = any(label["annotation"] in MEANING_ERRORS for label in labels)
        pairs.append(MeaningRating(row["source"], row["simple"], float(not wrong), row["model"], {"labels": labels}))
    return pairs


def factuality() -> list[MeaningRating]:
    """Severity (0-2) of deletion, insertion and substitution; rated minus the worst of them: benchmark only."""
    severities: dict[tuple[str, str, str], dict[str, int]] = {}
    for file in sorted(data_folder("ratings", "factuality").glob("*.json")):
        system, _, kind = file.stem.rpartition("_")
        for row in json.loads(file.read_text(encoding="utf-8")):
            severity = row.get(kind.capitalize())
            if severity is not None and severity >= 0:
                severities.setdefault((row["Complex"], row["Simplified"], system), {})[kind] = severity
    return [
        MeaningRating(source, output, -float(max(severity.values())), system, details={"severity": severity})
        for (source, output, system), severity in severities.items()
    ]


def multicochrane() -> list[MeaningRating]:
    """MultiCochrane's 1,622 English sheets as pairs, rated minus the mean severity of factual errors (0-2); details:
    whether most sheets name a ``hallucination`` and a ``deletion``: development and benchmark only."""
    sheets: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in table("ratings", "multicochrane", "ratings_en.tsv.gz"):
        if row["output"].strip() and row["factual"]:
            sheets.setdefault((row["source"], row["output"]), []).append(row)
    return [
        MeaningRating(
            *pair, -fmean(float(row["factual"]) for row in given), given[0]["system"],
            {name: fmean(row[column].startswith("Y") for row in given) > 0.5 for name, column in _COCHRANE.items()},
        )
        for pair, given in sheets.items()
    ]  # fmt: skip


_COCHRANE: Mapping[str, str] = {"hallucination": "hallucination", "deletion": "excessive_deletion"}


def dwikipedia() -> list[MeaningRating]:
    """D-Wikipedia, 247 paragraphs, lower-cased (1-5): development and benchmark only."""
    rows = table("ratings", "dwikipedia", "ratings.tsv.gz")
    return [MeaningRating(row["source"], row["output"], float(row["meaning"])) for row in rows if row["output"].strip()]


MEANING_SETS: Mapping[str, Callable[[], list[MeaningRating]]] = {
    "Simplicity-DA": simplicity_da,
    "acl2018": structural,
    "QATS test": partial(qats, "test"),
    "asset": asset,
    "llm2025": llm2025,
    "llm2025 errors": llm2025_errors,
    "factuality": factuality,
}
"""The sets with reported figures, by name."""
