"""Fits the scale: how the signals of a pair become the three scores.

The signals of each score and their proportions were chosen on the sets that are open to development: llm2025,
Simplicity-DA, asset, the development parts of PAWS, counterfactual edits and IteraTeR, and the graded probes. Where the
curve lies is fitted on stories that were held out: the median of their faithful versions, and of their misleading or
lossy ones.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from math import inf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sema_english.meaning.reader import EnglishReader
from sema_reader.reader import GRAPH, SCALE

from sema.analysis.analyser import Analyser
from sema.meaning.edits import all_conflicts
from sema.meaning.focus import find_strangers, read_all
from sema.meaning.scores import signals, word_sides
from sema.model.item import Item, Need
from sema.model.language import Parts
from sema.model.reading import Curve, PairReader, Signals
from sema.runtime.checksums import write_sums

log = logging.getLogger("training.english")
Numbers = NDArray[np.float64]

FILES = (GRAPH, SCALE)
HELD_OUT = Path(__file__).parent / "held_out.jsonl"
"""Stories that the reader was not taught with."""
CURVES: Mapping[str, Curve] = {
    "meaning": Curve(
        0.0,
        {
            "source_entailed": 0.08,
            "output_entailed": 0.27,
            "output_judged": 0.28,
            "linked_output": 0.28,
            "similar": 0.1,
            "conflicts": 1.2,
        },
        {"kept": 0.85, "linked_source": 0.15},
        power=1.5,
        ceiling=1.0,
    ),
    "meaning_recall": Curve(
        0.0,
        {"linked_source": 0.8, "source_entailed": 0.35, "source_judged": 0.15, "agrees": 0.2, "conflicts": 1.5},
        {"kept": 0.7, "linked_source": 0.2, "source_judged": 0.1},
        power=0.5,
    ),
    "meaning_precision": Curve(
        0.0, {"linked_output": 0.65, "output_entailed": 0.6, "output_judged": 0.4, "conflicts": 2.7}, ceiling=1.5
    ),
}
"""The weight of each signal, before bias and slope are fitted; recall counts none of the output's words, precision none
of the source's."""
VERSIONS = ("good", "good2", "minor", "bad_near", "bad_free")
ANCHORS: Mapping[str, tuple[tuple[tuple[str, ...], float], tuple[tuple[str, ...], float]]] = {
    "meaning": ((("good", "good2"), 0.80), (("bad_near", "bad_free"), 0.40)),
    "meaning_recall": ((("good", "good2"), 0.92), (("minor",), 0.60)),
    "meaning_precision": ((("good", "good2", "minor"), 0.90), (("bad_near", "bad_free"), 0.46)),
}
"""For each score two kinds of versions, and the scores that their medians are fitted to."""


def signals_of(pairs: Sequence[tuple[str, str]], parts: Parts, reader: PairReader) -> list[Signals]:
    """The signals of pairs, by a language's own parts and a reader."""
    needs = {Need.LINKS, Need.LINK_WEIGHTS, Need.GRAPHS, Need.OUTPUT_SCENES}
    found: list[Signals] = []
    for start in range(0, len(pairs), 200):
        some = pairs[start : start + 200]
        sources, outputs = [source for source, _ in some], [output for _, output in some]
        (items,) = Analyser(parts, needs).prepare(sources, [outputs], segment=False)
        whole = [item for item in items if isinstance(item, Item)]
        if len(whole) != len(some):
            raise ValueError(f"{len(some) - len(whole)} graded pairs cannot be analysed; is a text empty?")
        sides = [word_sides(item, parts.function_words) for item in whole]
        strangers = find_strangers(reader, whole, sides)
        for item, side, focused in zip(whole, sides, read_all(reader, whole, strangers), strict=True):
            found.append(signals(*side, focused.reading, len(all_conflicts(item, parts.fact_readers, side, reader))))
        log.info("%d of %d graded pairs read", len(found), len(pairs))
    return found


def fit_curve(name: str, found: Mapping[str, Sequence[Signals]], given: Curve) -> Curve:
    """The curve of a score through its two anchors; ``found`` are the signals of each version of the stories."""
    groups = [([one for version in versions for one in found[version]], aim) for versions, aim in ANCHORS[name]]

    def curve(bias: float, slope: float = 1.0) -> Curve:
        return replace(
            given,
            bias=round(float(bias), 4),
            weights={signal: round(abs(float(slope)) * weight, 4) for signal, weight in given.weights.items()},
        )

    def missed(chosen: Numbers) -> float:
        fitted = curve(*chosen)
        medians = [float(np.median([fitted.share(one) for one in some])) for some, _ in groups]
        return sum((median - aim) ** 2 for median, (_, aim) in zip(medians, groups, strict=True))

    # Beside coverage the slope is part of the choice; without, it is fitted too.
    start = [1.0] if given.coverage else [1.0, 1.0]
    best = minimize(missed, np.array(start), method="Nelder-Mead", options={"xatol": 1e-3, "fatol": 1e-7})
    return curve(*best.x)


def write_curves(curves: Mapping[str, Curve], folder: Path, files: Sequence[str]) -> None:
    """Write the scale of a folder's reader, and the sums of its files."""
    plain = {
        name: {key: value for key, value in asdict(curve).items() if value != inf} for name, curve in curves.items()
    }
    (folder / SCALE).write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    write_sums(folder, files)


def fitted(curves: Mapping[str, Curve], parts: Parts, reader: PairReader) -> dict[str, Curve]:
    """The curves as a reader's answers about the held-out stories have them."""
    stories = [json.loads(line) for line in HELD_OUT.read_text(encoding="utf-8").splitlines()]
    found = {
        version: signals_of([(story["source"], story[version]) for story in stories], parts, reader)
        for version in VERSIONS
    }
    return {name: fit_curve(name, found, curve) for name, curve in curves.items()}


def fit_scale(folder: Path) -> None:
    """Fit the scale of a folder's reader and write it beside it."""
    from sema_english.language import english

    write_curves({}, folder, FILES)
    write_curves(fitted(CURVES, english().parts(), EnglishReader(folder)), folder, FILES)
