"""Public ratings of meaning by people, set by set: source, output, mean rating on the set's own scale."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from sema.datasets.folder import data_folder
from sema.judges.examples import RatedPair
from training.data.rated_aspects import asset, llm2025, qats, simplicity_da
from training.data.tables import json_lines, table

MEANING_ERRORS = frozenset({"Altered Meaning-L", "Altered Meaning-S", "Hallucination", "Coreference"})
"""The error labels of llm2025 that are about meaning."""


@dataclass(frozen=True)
class MeaningRating(RatedPair):
    """A pair with its rating, and what else its set says.

    ``details`` are error ``labels`` with their spans, or the ``severity`` of each kind of change.
    """

    details: Mapping[str, object] = field(default_factory=dict, compare=False)


def structural() -> list[RatedPair]:
    """acl2018 as the meta-evaluation paper published it, 1,750 pairs (1-5): benchmark only."""
    rows = table("ratings", "metaeval", "structural_simplicity.csv")
    return [RatedPair(r["orig_sent"], r["simp_sent"], float(r["meaning"])) for r in rows]


def llm2025_errors() -> list[MeaningRating]:
    """llm2025's 1,656 pairs with error labels; rated 0 where some is about meaning, else 1: benchmark only."""
    pairs = []
    for row in json_lines("ratings", "llm2025", "error.jsonl"):
        labels = row["label"]
        wrong = any(label["annotation"] in MEANING_ERRORS for label in labels)
        pairs.append(MeaningRating(row["source"], row["simple"], float(not wrong), details={"labels": labels}))
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
        MeaningRating(source, output, -float(max(severity.values())), details={"severity": severity})
        for (source, output, _), severity in severities.items()
    ]


MEANING_SETS: Mapping[str, Callable[[], Sequence[RatedPair]]] = {
    "Simplicity-DA": partial(simplicity_da, "meaning"),
    "acl2018": structural,
    "QATS test": partial(qats, "meaning", "test"),
    "asset": partial(asset, "meaning"),
    "llm2025": partial(llm2025, "meaning"),
    "llm2025 errors": llm2025_errors,
    "factuality": factuality,
}
"""The sets with reported figures, by name."""
