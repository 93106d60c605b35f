"""Fits the scale of the network of all languages: how the signals of a pair become the three scores.

No aligner knows all languages, so no score reads links. Where a curve lies is fitted to the medians of faithful and of
lossy or misleading versions of English stories that no network was taught with.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sema_english.language import english
from sema_reader.languages import pair_reader
from sema_reader.reader import GRAPH, SCALE

from sema.model.reading import Curve
from training.reader.english.fit import fitted, write_curves

CURVES: Mapping[str, Curve] = {
    "meaning": Curve(
        0.0,
        {"source_entailed": 0.08, "output_entailed": 0.27, "output_judged": 0.28, "same": 0.2, "similar": 0.1},
        {"kept": 1.0}, power=1.0,
    ),
    "meaning_recall": Curve(
        0.0,
        {"source_entailed": 0.35, "source_judged": 0.15, "agrees": 0.2}, {"kept": 0.9, "source_judged": 0.1}, power=0.5,
    ),
    "meaning_precision": Curve(0.0, {"output_entailed": 0.6, "output_judged": 0.4, "supported": 0.2}),
}  # fmt: skip
"""The weight of each signal, before the bias is fitted."""


def fit_scale(folder: Path) -> None:
    """Fit the scale of a folder's reader and write it beside it."""
    files = (GRAPH, SCALE)
    write_curves({}, folder, files)
    write_curves(fitted(CURVES, english().parts(), pair_reader(folder)), folder, files)
