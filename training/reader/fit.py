"""Fits the scales: how the signals of a pair become the three scores.

The signals of each score and their proportions were chosen on sets that are open to development: questeval, D-Wikipedia
and MultiCochrane (English and Spanish), the development parts of PAWS, counterfactual edits and MLQE-PE, the graded
probes, and stories that were held out. Where a curve lies is fitted on
stories that were held out, to the median of their faithful versions.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from math import inf
from pathlib import Path

import numpy as np
from scipy.optimize import brentq
from sema_chinese.language import chinese
from sema_chinese.meaning.reader import ChineseReader
from sema_english.language import english
from sema_english.meaning.reader import EnglishReader
from sema_reader.languages import any_language, cross_encoder
from sema_reader.reader import GRAPH, SCALE
from sema_reader.some_pieces import FILE

from sema.analysis.analyser import Analyser
from sema.meaning.evidence import find
from sema.model.item import Item, Need
from sema.model.language import Parts
from sema.model.reading import CrossEncoder, Curve, Signals
from sema.runtime.checksums import write_sums
from training.reader.stories import ACROSS, FOLDER, read_stories, stories

log = logging.getLogger("training.reader")
Curves = Mapping[str, Curve]

HELD_OUT = FOLDER / "older" / "held_out.jsonl"
"""Stories of an earlier form that teach nothing."""
_BIASES = -12.0, 12.0
_NAMES = {"minor": "side", "bad_near": "near", "bad_free": "free"}
"""What versions are called in them."""
ENGLISH: Curves = {
    "meaning": Curve(
        0.0,
        {
            "source_entailed": 0.07, "output_entailed": 0.34, "output_judged": 0.31, "linked_output": 0.2,
            "similar": 0.28, "conflicts": 2.7,
        },
        {"kept": 0.7, "linked_source": 0.4}, power=0.85, ceiling=1.2,
    ),
    "meaning_recall": Curve(
        0.0,
        {"linked_source": 0.45, "source_entailed": 0.2, "source_judged": 0.08, "agrees": 0.11, "conflicts": 0.85},
        {"kept": 0.7, "linked_source": 0.2, "source_judged": 0.1}, power=0.3,
    ),
    "meaning_precision": Curve(
        0.0, {"linked_output": 0.73, "output_entailed": 0.67, "output_judged": 0.45, "conflicts": 3.0}, ceiling=1.5
    ),
}  # fmt: skip
CHINESE: Curves = {
    "meaning": Curve(
        0.0,
        {
            "source_entailed": 0.05, "output_entailed": 0.45, "same": 0.4, "similar": 0.25, "linked_output": 0.1,
            "conflicts": 1.2,
        },
        {"kept": 0.7, "linked_source": 0.3}, power=0.7, ceiling=1.0,
    ),
    "meaning_recall": Curve(
        0.0,
        {"linked_source": 0.42, "source_entailed": 0.24, "agrees": 0.12, "conflicts": 2.0},
        {"kept": 0.5, "linked_source": 0.5}, power=0.15,
    ),
    "meaning_precision": Curve(
        0.0,
        {"linked_output": 0.25, "output_entailed": 0.3, "supported": 0.2, "agrees": 0.1, "conflicts": 2.0},
        ceiling=1.5,
    ),
}  # fmt: skip
ANY: Curves = {
    "meaning": Curve(
        0.0,
        {"output_entailed": 0.2, "output_judged": 0.2, "least_supported": 0.1, "similar": 0.05},
        {"kept": 0.8, "supported": 0.4, "source_judged": 0.1}, power=0.3,
    ),
    "meaning_recall": Curve(
        0.0,
        {"source_entailed": 0.35, "source_judged": 0.15, "agrees": 0.2}, {"kept": 0.9, "source_judged": 0.1}, power=0.5,
    ),
    "meaning_precision": Curve(0.0, {"output_entailed": 0.2, "output_judged": 0.1, "least_supported": 0.45}),
}  # fmt: skip
"""The weight of each signal, before the bias is fitted; recall counts none of the output's words, precision none
of the source's. No aligner knows all languages, so the last have no links."""
GOOD: Mapping[str, tuple[tuple[str, ...], float]] = {
    "meaning": (("good", "good2", "turned"), 0.80),
    "meaning_recall": (("good", "good2", "turned", "extra", "hint"), 0.92),
    "meaning_precision": (("good", "good2", "turned", "side", "main"), 0.90),
}
"""For each score the versions that are faithful in its sense, and what their median should be."""
FLATTER = {"zh": {"meaning": 0.84}, "across": {"meaning": 0.84}}
"""Other medians: these languages' curves are flatter, and their held-out stories harder than what people simplify."""


def signals_of(pairs: Sequence[tuple[str, str]], parts: Parts, reader: CrossEncoder) -> list[Signals]:
    """The signals of pairs, by a language's own parts and a reader."""
    needs = {Need.LINKS, Need.LINK_WEIGHTS}
    if parts.language.extractors:
        needs |= {Need.GRAPHS, Need.OUTPUT_SCENES}
    found: list[Signals] = []
    for start in range(0, len(pairs), 200):
        some = pairs[start : start + 200]
        sources, outputs = [source for source, _ in some], [output for _, output in some]
        (items,) = Analyser(parts, needs).prepare(sources, [outputs], segment=False)
        whole = [item for item in items if isinstance(item, Item)]
        if len(whole) != len(some):
            raise ValueError(f"{len(some) - len(whole)} graded pairs cannot be analysed; is a text empty?")
        found += [one.signals for one in find(whole, parts.fact_readers, parts.function_words, reader)]
        log.info("%d of %d graded pairs read", len(found), len(pairs))
    return found


def fit_curve(name: str, found: Mapping[str, Sequence[Signals]], given: Curve, lang: str) -> Curve:
    """The curve whose median of the faithful versions is what it should be; ``found`` are the signals of each version
    of a language's stories."""
    versions, usual = GOOD[name]
    wanted = FLATTER.get(lang, {}).get(name, usual)
    good = [one for version in versions for one in found.get(version, ())]

    def above(bias: float) -> float:
        return float(np.median([replace(given, bias=bias).share(one) for one in good])) - wanted

    return replace(given, bias=round(brentq(above, *_BIASES, xtol=1e-4), 4))


def write_curves(curves: Curves, folder: Path, files: Sequence[str]) -> None:
    """Write the scale of a folder's reader, and the sums of its files."""
    plain = {
        name: {key: value for key, value in asdict(curve).items() if value != inf} for name, curve in curves.items()
    }
    (folder / SCALE).write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    write_sums(folder, files)


def held_out(lang: str) -> list[dict[str, str]]:
    """The stories of a language, or of those across languages (``across``), that teach nothing."""
    files = sorted(ACROSS.glob("*.jsonl") if lang == "across" else FOLDER.glob(f"{lang}_*.jsonl"))
    found = [dict(story) for file in files for story in stories(file, held_out=True)]
    if lang == "en":
        found += [{_NAMES.get(name, name): text for name, text in story.items()} for story in read_stories(HELD_OUT)]
    return found


def fitted(curves: Curves, lang: str, parts: Parts, reader: CrossEncoder) -> dict[str, Curve]:
    """The curves as a reader's answers about the held-out stories have them."""
    told = held_out(lang)
    found = {
        version: signals_of([(one["source"], one[version]) for one in told if version in one], parts, reader)
        for version in sorted({version for versions, _ in GOOD.values() for version in versions})
    }
    return {name: fit_curve(name, found, curve, lang) for name, curve in curves.items()}


def fit_english(folder: Path) -> None:
    """Fit the scale of the English network in a folder and write it beside it."""
    files = (GRAPH, SCALE)
    write_curves({}, folder, files)
    write_curves(fitted(ENGLISH, "en", english().parts(), EnglishReader(folder)), folder, files)


def fit_languages(folder: Path) -> None:
    """Fit the scale of the network of all languages in a folder and write it beside it."""
    files = (GRAPH, SCALE)
    write_curves({}, folder, files)
    write_curves(fitted(ANY, "across", any_language("en-es").parts(), cross_encoder(folder)), folder, files)


def fit_chinese(folder: Path, network: Path) -> None:
    """Fit the scale of Chinese, with the network of all languages, and write it beside its pieces."""
    files = (SCALE, FILE)
    write_curves({}, folder, files)
    write_curves(fitted(CHINESE, "zh", chinese().parts(), ChineseReader(folder, network=network)), folder, files)
