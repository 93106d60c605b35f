"""Sentences with teachers' CEFR levels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.data.tables import read_table


def read_rated(file: Path) -> tuple[list[str], NDArray[np.float64]]:
    """The texts and levels of a table of CEFR-SP or README++."""
    rows = list(read_table(file))
    if "Rating" in rows[0]:
        # A cell that contains quotes is in quotes itself, with those inside doubled.
        texts = [row["Sentence"].removeprefix('"').removesuffix('"').replace('""', '"') for row in rows]
        return texts, np.array([[float(row["Rating"])] for row in rows])
    return [row["sentence"] for row in rows], np.array(
        [[float(row["annotator_a"]), float(row["annotator_b"])] for row in rows]
    )
