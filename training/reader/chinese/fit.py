"""Fits the Chinese scale: how the signals of a pair become the three scores.

The signals of each score and their proportions were chosen on the graded Chinese probes and on the last 500 pairs of
the translated PAWS, which train nothing. Where the curves lie is fitted on the probes: the median of the good versions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.optimize import minimize_scalar
from sema_chinese.language import chinese
from sema_chinese.meaning.reader import VOCABULARY, ChineseReader
from sema_reader.reader import GRAPH, SCALE

from sema.datasets.folder import data_folder
from sema.model.reading import Curve, Signals
from training.reader.english.fit import signals_of, write_curves

FILES = (GRAPH, SCALE, VOCABULARY)
CURVES: Mapping[str, Curve] = {
    "meaning": Curve(
        0.0,
        {
            "source_entailed": 0.06,
            "output_entailed": 0.27,
            "same": 0.06,
            "linked_output": 0.09,
            "agrees": 0.06,
            "conflicts": 2.0,
        },
        {"kept": 0.6, "linked_source": 0.4},
        power=0.8,
        ceiling=1.5,
    ),
    "meaning_recall": Curve(
        0.0,
        {"linked_source": 0.42, "source_entailed": 0.24, "agrees": 0.12, "conflicts": 2.0},
        {"kept": 0.5, "linked_source": 0.5},
        power=0.3,
    ),
    "meaning_precision": Curve(
        0.0,
        {"linked_output": 0.25, "output_entailed": 0.3, "supported": 0.2, "agrees": 0.1, "conflicts": 2.0},
        ceiling=1.5,
    ),
}
"""The weight of each signal, before the bias is fitted."""
GOOD: Mapping[str, float] = {"meaning": 0.80, "meaning_recall": 0.90, "meaning_precision": 0.90}
"""The score that the median of the good versions is fitted to."""


def fit_curve(name: str, good: Sequence[Signals]) -> Curve:
    """The curve of a score through the median of the good versions."""

    def curve(bias: float) -> Curve:
        return replace(CURVES[name], bias=round(float(bias), 4))

    def missed(bias: float) -> float:
        return (float(np.median([curve(bias).share(one) for one in good])) - GOOD[name]) ** 2

    return curve(minimize_scalar(missed, bounds=(-4.0, 6.0), method="bounded").x)


def fit_scale(folder: Path) -> None:
    """Fit the scale of a folder's reader and write it beside it."""
    write_curves({}, folder, FILES)
    lines = data_folder("probes", "graded_zh.jsonl").read_text(encoding="utf-8").splitlines()
    probes = [json.loads(line) for line in lines]
    good = signals_of([(probe["source"], probe["good"]) for probe in probes], chinese().parts(), ChineseReader(folder))
    write_curves({name: fit_curve(name, good) for name in CURVES}, folder, FILES)
