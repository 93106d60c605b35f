"""The table that decides between candidates: ``python -m training.reader.choose WEIGHTS.pt …``.

``probes/hands`` and the open rating sets, which trained nothing. A pair's scores are the network's own heads.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import kendalltau
from sklearn.metrics import roc_auc_score

from sema.datasets.folder import data_folder
from training.data.rated_aspects import asset, llm2025, qats, simplicity_da
from training.data.tables import table
from training.data.text import detokenized
from training.reader.bases import BASES
from training.reader.data import PAWS_HELD_OUT, plain
from training.reader.inference import read
from training.reader.network import PairNetwork

Floats = NDArray[np.float32]
Reader = Callable[[Sequence[tuple[str, str]]], Floats]
"""From pairs to their meaning, recall and precision, 0-100 (pairs, 3)."""
ONE_LANGUAGE = ("es", "fr", "de", "it", "pt", "nl", "ru", "ja")
ACROSS = ("en_es", "en_fr", "en_de", "en_zh")
MEANING, RECALL, PRECISION = range(3)


def hands(name: str) -> list[dict[str, object]]:
    """The rows of a set of hands."""
    lines = data_folder("probes", "hands", f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def graded(reader: Reader, names: Sequence[str]) -> dict[str, float]:
    """Good above bad, the area under their curve, minor above bad; medians; bad ones above 70."""
    rows = [row for name in names for row in hands(name)]
    found = {
        version: reader([(str(row["source"]), str(row[version])) for row in rows])[:, MEANING]
        for version in ("good", "minor", "bad")
    }
    good, minor, bad = found["good"], found["minor"], found["bad"]
    labels = np.r_[np.ones(len(good)), np.zeros(len(bad))]
    return {
        "n": len(rows), "good>bad": float(np.mean(good > bad)), "auc": float(roc_auc_score(labels, np.r_[good, bad])),
        "minor>bad": float(np.mean(minor > bad)), "good>minor": float(np.mean(good > minor)),
        "med good": float(np.median(good)), "med minor": float(np.median(minor)), "med bad": float(np.median(bad)),
        "bad>70": float(np.mean(bad > 70)),
    }  # fmt: skip


def natural(reader: Reader, name: str) -> dict[str, float]:
    """Correlations with a careful reader's ratings, and Kendall's tau within a source."""
    rows = hands(name)
    scores = reader([(str(row["source"]), str(row["output"])) for row in rows])
    found = {}
    for place, part in enumerate(("meaning", "recall", "precision")):
        rated = np.array([float(row[part]) for row in rows])  # type: ignore[arg-type]
        found[f"r {part}"] = float(np.corrcoef(scores[:, place], rated)[0, 1])
    by_source: dict[object, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        by_source[row["source"]].append(place)
    rated = np.array([float(row["meaning"]) for row in rows])  # type: ignore[arg-type]
    taus = [kendalltau(scores[p, MEANING], rated[p])[0] for p in by_source.values() if len(set(rated[p])) > 1]
    return {"n": len(rows), **found, "tau": float(np.nanmean(taus))}


def rated(reader: Reader, name: str) -> dict[str, float]:
    """Pearson's r with people's mean rating of meaning."""
    sets = {
        "Simplicity-DA": partial(simplicity_da, "meaning"), "ASSET": partial(asset, "meaning"),
        "QATS": partial(qats, "meaning", "test"), "llm2025": partial(llm2025, "meaning"),
    }  # fmt: skip
    pairs = sets[name]()
    scores = reader([(pair.source, pair.output) for pair in pairs])
    known = ~np.isnan(scores[:, 0])
    ratings = np.array([pair.rating for pair in pairs])
    found = {"n": len(pairs)}
    for place, part in ((MEANING, "r"), (RECALL, "r recall head"), (PRECISION, "r precision head")):
        found[part] = float(np.corrcoef(scores[known, place], ratings[known])[0, 1])
    return found


def simpeval(reader: Reader) -> dict[str, float]:
    """SimpEval's past systems: r with the mean overall rating, an aspect that meaning is a part of."""
    rows = list(table("ratings", "simpeval", "simpeval_past.csv"))[::4]
    scores = reader([(row["original"], row["processed_generation"]) for row in rows])
    ratings = np.array([np.mean([float(row[f"rating_{k}"]) for k in range(1, 6)]) for row in rows])
    return {"n": len(rows), "r": float(np.corrcoef(scores[:, MEANING], ratings)[0, 1])}


def paws(reader: Reader, lang: str) -> dict[str, float]:
    """The area under the curve on pairs of PAWS that were left out."""
    path = ("train", "paws.tsv.gz") if lang == "en" else ("zh", "train", "paws.tsv.gz")
    rows = list(table("entailment", *path))[-PAWS_HELD_OUT[lang] :][:500]
    clean = detokenized if lang == "en" else str
    scores = reader([(clean(row["premise"]), clean(row["hypothesis"])) for row in rows])
    return {"n": len(rows), "auc": float(roc_auc_score([row["label"] == "1" for row in rows], scores[:, MEANING]))}


def passages(reader: Reader, name: str) -> dict[str, float]:
    """A faithful passage above one with a wrong fact and above one with an invention (read many times: never to choose
    by)."""
    file = data_folder("probes", f"{name}.jsonl")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    names = [one for one in rows[0] if one not in ("id", "source") and isinstance(rows[0][one], str)]
    found = {one: reader([(row["source"], row[one]) for row in rows])[:, MEANING] for one in names}
    good = found["faithful"]
    return {
        "n": len(rows), "faithful>one_error": float(np.mean(good > found["one_error"])),
        "faithful>hallucination": float(np.mean(good > found["hallucination"])),
        **{f"med {one}": float(np.median(values)) for one, values in found.items()},
    }  # fmt: skip


QUICK: dict[str, Callable[[Reader], dict[str, float]]] = {
    "graded en": lambda r: graded(r, ("en_news", "en_leaflets")),
    "graded zh": lambda r: graded(r, ("zh_graded",)),
    "graded others": lambda r: graded(r, ONE_LANGUAGE),
    "graded across": lambda r: graded(r, ACROSS),
    "natural en": lambda r: natural(r, "en_natural"),
    "natural zh": lambda r: natural(r, "zh_natural"),
    "ASSET": lambda r: rated(r, "ASSET"),
}
ALL = QUICK | {
    "Simplicity-DA": lambda r: rated(r, "Simplicity-DA"), "QATS": lambda r: rated(r, "QATS"),
    "llm2025": lambda r: rated(r, "llm2025"), "SimpEval past": simpeval, "PAWS": lambda r: paws(r, "en"),
    "PAWS zh": lambda r: paws(r, "zh"), "passages en": lambda r: passages(r, "passages_en"),
    "passages zh": lambda r: passages(r, "passages_zh"),
}  # fmt: skip


def report(network: PairNetwork, name: str, *, quick: bool) -> None:
    """Print the table of a network."""
    base = BASES[name]
    table, cutter = _table(name), base.cutter()

    def reader(pairs: Sequence[tuple[str, str]]) -> Floats:
        logits = read(network, table, cutter, [(plain(source), plain(output)) for source, output in pairs])
        return np.asarray(100 / (1 + np.exp(-logits[:, :3])))

    for what, measure in (QUICK if quick else ALL).items():
        found = measure(reader)
        print(f"{what:14}", "  ".join(f"{key} {value:.2f}" for key, value in found.items()), flush=True)


_TABLES: dict[str, torch.Tensor] = {}


def _table(name: str) -> torch.Tensor:
    if name not in _TABLES:
        _TABLES[name] = BASES[name].table()
    return _TABLES[name]


def main() -> None:
    """Print the table of each file of weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path, nargs="+")
    parser.add_argument("--base", choices=BASES, default="student")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    for file in given.weights:
        network = BASES[given.base].network()
        network.load_state_dict(torch.load(file, weights_only=True))
        print(file)
        report(network, given.base, quick=given.quick)


if __name__ == "__main__":
    main()
