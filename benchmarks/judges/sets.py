"""Rating sets that judges are measured on; the benchmark-only ones train nothing that ships."""

from __future__ import annotations

import json
import math
from pathlib import Path

from sema.judges.examples import RatedPair
from training.data.rated_aspects import averaged
from training.data.tables import read_table


def simplicity_da(data: Path, aspect: str) -> list[RatedPair]:
    """Simplicity-DA (Alva-Manchego, Scarton and Specia 2021): 600 pairs, z-scores."""
    return [
        RatedPair(row["orig_sent"], row["simp_sent"], float(row[f"{aspect}_zscore"]), "Simplicity-DA")
        for row in read_table(data / "ratings/metaeval/simplicity_DA.csv")
    ]


def asset(data: Path, aspect: str) -> list[RatedPair]:
    """The ratings of ASSET (Alva-Manchego et al. 2020): 100 pairs."""
    return averaged(data / "ratings/asset/human_ratings.csv", aspect, ("original", "simplification"), "ASSET")


def llm2025(data: Path, aspect: str) -> list[RatedPair]:
    """The dev half of llm2025: outputs of today's systems."""
    with (data / "ratings/llm2025/likert.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        RatedPair(
            row["source"],
            row["simple"],
            _mean([rater[aspect] for rater in row["label_annotations"].values()]),
            "llm2025",
        )
        for row in rows
    ]


def simpeval(data: Path, aspect: str) -> list[RatedPair]:
    """SimpEval_past (Maddela et al. 2023): one rating of quality, z-scores of five raters."""
    return [
        RatedPair(
            row["original"],
            row["processed_generation"],
            _mean([float(row[f"rating_{rater}_z_score"]) for rater in range(1, 6)]),
            "SimpEval_past",
        )
        for row in read_table(data / "ratings/simpeval/simpeval_past.csv")
    ]


SETS = {"Simplicity-DA": simplicity_da, "ASSET": asset, "SimpEval_past": simpeval, "llm2025": llm2025}


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)
