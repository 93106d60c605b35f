"""The table that decides between candidates: ``python -m training.reader.choose WEIGHTS.pt …``.

Its figures are of ``probes/hands`` and the open rating sets, on which nothing was trained. A pair's scores are those of
the network's own heads, its meaning calibrated as for what ships (:mod:`training.reader.calibrate`); intervals are
bootstrapped over sources.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import kendalltau
from sema_reader.languages import all_pieces
from sema_reader.pieces import Cutter
from sema_reader.windows import LOGITS
from sklearn.metrics import roc_auc_score

from training.command import command
from training.data.rated_aspects import REPORTED, qats
from training.data.tables import json_lines, table
from training.data.text import detokenized
from training.e5 import embeddings
from training.loop import precision_of
from training.reader.batches import batches, encode
from training.reader.calibrate import MEANING, RECALL, fit
from training.reader.data import PAWS_HELD_OUT, plain
from training.reader.example import Example
from training.reader.network import PairNetwork, untrained

Floats = NDArray[np.float32]
Reader = Callable[[Sequence[tuple[str, str]]], Floats]
"""From pairs to their meaning, recall and precision, 0-100 (pairs, 3)."""
ONE_LANGUAGE = ("es", "fr", "de", "it", "pt", "nl", "ru", "ja")
ACROSS = ("en_es", "en_fr", "en_de", "en_zh")
SHORT = Path(__file__).with_name("short_statements.tsv")
"""Statements of one fact, each with a true and a false restatement, in English and Chinese."""
PASSAGES = Path(__file__).with_name("passages.jsonl")
"""Sources of several sentences, each with three free rewordings: faithful, with one wrong fact, with an invention. None
is much closer to its source, or longer, than the others on average."""
NEW_PASSAGES = Path(__file__).with_name("passages_2.jsonl")
"""The same, written when those had shown how passages are to be read."""
VERSIONS = ("good", "minor", "bad")
DRAWS = 200
PIECES, LONGEST = 4_000, 480
"""The pieces of a batch, and of a pair at most."""

Units = Sequence[Any]
Measure = Callable[[Reader], "Figures"]


class Figures(NamedTuple):
    """Figures of a set by name, each with its 95 % interval over ``n`` sources."""

    n: int
    values: dict[str, tuple[float, float, float]]


def measured(units: Units, compute: Callable[[Units], dict[str, float]]) -> Figures:
    """The figures of some sources with bootstrap intervals."""
    rng = np.random.default_rng(1)
    drawn = [compute([units[k] for k in rng.integers(0, len(units), len(units))]) for _ in range(DRAWS)]
    found = {}
    for name, value in compute(units).items():
        low, high = np.nanpercentile([one[name] for one in drawn], [2.5, 97.5])
        found[name] = value, float(low), float(high)
    return Figures(len(units), found)


def hands(name: str) -> list[dict[str, Any]]:
    """The rows of a set of ``probes/hands``."""
    return json_lines("probes", "hands", f"{name}.jsonl")


def graded(reader: Reader, names: Sequence[str]) -> Figures:
    """How often better outputs score higher; the AUC of good against bad; medians; the share of bad ones above 70."""
    rows = [row for name in names for row in hands(name)]
    pairs = [(row["source"], row[version]) for version in VERSIONS for row in rows]
    units = list(reader(pairs)[:, MEANING].reshape(len(VERSIONS), -1).T)
    return measured(units, _graded)


def _graded(units: Units) -> dict[str, float]:
    good, minor, bad = np.array(units).T
    labels = np.r_[np.ones(len(good)), np.zeros(len(bad))]
    return {
        "good > bad": float(np.mean(good > bad)), "AUC": float(roc_auc_score(labels, np.r_[good, bad])),
        "minor > bad": float(np.mean(minor > bad)), "good > minor": float(np.mean(good > minor)),
        "median good": float(np.median(good)), "median minor": float(np.median(minor)),
        "median bad": float(np.median(bad)), "bad over 70": float(np.mean(bad > 70)),
    }  # fmt: skip


def natural(reader: Reader, name: str) -> Figures:
    """Correlations with a careful reader's ratings, and Kendall's tau within a source."""
    rows = hands(name)
    scores = reader([(row["source"], row["output"]) for row in rows])
    rated = np.array([[float(row[part]) for part in ("meaning", "recall", "precision")] for row in rows])
    return measured(_by_source([row["source"] for row in rows], scores, rated), _natural)


def _natural(units: Units) -> dict[str, float]:
    scores, rated = (np.concatenate(part) for part in zip(*units, strict=True))
    parts = ("meaning", "recall", "precision")
    found = {f"r {part}": float(np.corrcoef(scores[:, k], rated[:, k])[0, 1]) for k, part in enumerate(parts)}
    taus = [kendalltau(a[:, MEANING], b[:, MEANING])[0] for a, b in units if len(set(b[:, MEANING])) > 1]
    return {**found, "tau": float(np.nanmean(taus))}


def _by_source(sources: Sequence[str], scores: Floats, rated: NDArray[Any]) -> list[tuple[Floats, NDArray[Any]]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, source in enumerate(sources):
        if not np.isnan(scores[place]).any():
            places[source].append(place)
    return [(scores[own], rated[own]) for own in places.values()]


def rated(reader: Reader, name: str) -> Figures:
    """Pearson's r with people's mean rating of meaning."""
    pairs = REPORTED[name]("meaning")
    scores = reader([(pair.source, pair.output) for pair in pairs])
    return measured(
        _by_source([pair.source for pair in pairs], scores, np.array([pair.rating for pair in pairs])), _rated
    )


def simpeval(reader: Reader) -> Figures:
    """A fourth of SimpEval_past: Pearson's r with the mean overall rating, which includes meaning."""
    rows = list(table("ratings", "simpeval", "simpeval_past.csv"))[::4]
    scores = reader([(row["original"], row["processed_generation"]) for row in rows])
    ratings = np.array([np.mean([float(row[f"rating_{k}"]) for k in range(1, 6)]) for row in rows])
    return measured(_by_source([row["original"] for row in rows], scores, ratings), _rated)


def _rated(units: Units) -> dict[str, float]:
    scores, ratings = (np.concatenate(part) for part in zip(*units, strict=True))
    return {
        name: float(np.corrcoef(scores[:, place], ratings)[0, 1])
        for place, name in enumerate(("meaning", "meaning_recall", "meaning_precision"))
    }


def paws(reader: Reader, lang: str) -> Figures:
    """The area under the curve on held-out pairs of PAWS."""
    path = ("train", "paws.tsv.gz") if lang == "en" else ("zh", "train", "paws.tsv.gz")
    rows = list(table("entailment", *path))[-PAWS_HELD_OUT[lang] :][:500]
    clean = detokenized if lang == "en" else str
    scores = reader([(clean(row["premise"]), clean(row["hypothesis"])) for row in rows])[:, MEANING]
    units = [(row["label"] == "1", score) for row, score in zip(rows, scores, strict=True)]
    return measured(units, lambda some: {"AUC": float(roc_auc_score(*zip(*some, strict=True)))})


def passages(reader: Reader, lang: str) -> Figures:
    """How often a faithful passage scores above one with a wrong fact, and above one with an invention.

    These passages were read many times: never choose by them.
    """
    rows = json_lines("probes", f"passages_{lang}.jsonl")
    texts = [{one["verdict"]: one["text"] for one in row["versions"]} for row in rows]
    names = ("faithful", "one_error", "hallucination")
    return _of_versions(reader, [(row["source"], *map(own.get, names)) for row, own in zip(rows, texts, strict=True)])


def free_passages(reader: Reader, file: Path, lang: str) -> Figures:
    """The same of :data:`PASSAGES` or :data:`NEW_PASSAGES`."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    names = ("source", "faithful", "one_error", "invention")
    return _of_versions(reader, [tuple(row[name] for name in names) for row in rows if row["lang"] == lang])


def _of_versions(reader: Reader, rows: Sequence[tuple[Any, ...]]) -> Figures:
    pairs = [(row[0], row[version]) for version in (1, 2, 3) for row in rows]
    return measured(list(reader(pairs)[:, MEANING].reshape(3, -1).T), _passages)


def _passages(units: Units) -> dict[str, float]:
    good, wrong, invented = np.array(units).T
    return {
        "faithful > one error": float(np.mean(good > wrong)), "faithful > invention": float(np.mean(good > invented)),
        "points of one error": float(np.median(good - wrong)),
    }  # fmt: skip


def short(reader: Reader, lang: str) -> Figures:
    """How often a true restatement of one fact scores above a false one: converses, units, limits, conditions."""
    lines = SHORT.read_text(encoding="utf-8").splitlines()[1:]
    rows = [texts for own, *texts in (line.split("\t") for line in lines) if own == lang]
    pairs = [(texts[0], texts[place]) for place in (1, 2) for texts in rows]
    return measured(list(reader(pairs)[:, MEANING].reshape(2, -1).T), _short)


def _short(units: Units) -> dict[str, float]:
    true, false = np.array(units).T
    labels = np.r_[np.ones(len(true)), np.zeros(len(false))]
    return {
        "true > false": float(np.mean(true > false)), "AUC": float(roc_auc_score(labels, np.r_[true, false])),
        "true over 70": float(np.mean(true >= 70)), "false over 70": float(np.mean(false >= 70)),
    }  # fmt: skip


QUICK: dict[str, Measure] = {
    "graded en": lambda reader: graded(reader, ("en_news", "en_leaflets")),
    "graded zh": lambda reader: graded(reader, ("zh_graded",)),
    "graded others": lambda reader: graded(reader, ONE_LANGUAGE),
    "graded across": lambda reader: graded(reader, ACROSS),
    "natural en": lambda reader: natural(reader, "en_natural"),
    "natural zh": lambda reader: natural(reader, "zh_natural"),
    "asset": partial(rated, name="ASSET"),
}
ALL: dict[str, Measure] = QUICK | {
    **{name: partial(rated, name=name) for name in ("Simplicity-DA", "QATS test", "llm2025")},
    "SimpEval past": simpeval,
    "PAWS en": partial(paws, lang="en"), "PAWS zh": partial(paws, lang="zh"),
    "short en": partial(short, lang="en"), "short zh": partial(short, lang="zh"),
    "passages en": partial(passages, lang="en"), "passages zh": partial(passages, lang="zh"),
    "free passages en": partial(free_passages, file=PASSAGES, lang="en"),
    "free passages zh": partial(free_passages, file=PASSAGES, lang="zh"),
    "new passages en": partial(free_passages, file=NEW_PASSAGES, lang="en"),
    "new passages zh": partial(free_passages, file=NEW_PASSAGES, lang="zh"),
}  # fmt: skip


@torch.inference_mode()
def read(
    network: PairNetwork, table: torch.Tensor, cutter: Cutter, pairs: Sequence[tuple[str, str]]
) -> NDArray[np.float32]:
    """The logits of pairs (pairs, 10); not a number for those that are too long."""
    pack = encode(cutter, [Example("", source, output) for source, output in pairs], LONGEST)
    precision = precision_of(table.device)
    network = network.to(precision).eval()
    found = np.full((len(pairs), LOGITS), np.nan, np.float32)
    for chosen in batches(pack, [[place] for place in range(len(pack))], PIECES, np.random.default_rng(0)):
        batch = pack.batch(chosen)
        pair, _, _ = network(table[batch.ids].to(precision), batch.types, batch.marks, batch.mask)
        found[[pack.rows[one] for one in chosen]] = pair.float().numpy()
    return found


@command
def main(*weights: Path, quick: bool = False) -> None:
    """Print the table of each file of weights."""
    table, cutter, network = embeddings(), all_pieces(), untrained()

    def logits_of(pairs: Sequence[tuple[str, str]]) -> Floats:
        return read(network, table, cutter, [(plain(source), plain(output)) for source, output in pairs])[:, :3]

    people = qats("meaning", "train")
    for file in weights:
        network.float().load_state_dict(torch.load(file, weights_only=True))
        rated_logits = logits_of([(pair.source, pair.output) for pair in people])
        share, factor = fit(rated_logits, np.array([pair.rating for pair in people]))
        print(f"{file}: recall's share {share}, factor {factor:.3f}")

        def reader(pairs: Sequence[tuple[str, str]], share: float = share, factor: float = factor) -> Floats:
            logits = logits_of(pairs)
            logits[:, MEANING] = factor * ((1 - share) * logits[:, MEANING] + share * logits[:, RECALL])
            return np.asarray(100 / (1 + np.exp(-logits)))

        for what, measure in (QUICK if quick else ALL).items():
            found = measure(reader)
            shown = (f"{key} {value:.2f} ({low:.2f}-{high:.2f})" for key, (value, low, high) in found.values.items())
            print(f"{what:14} n {found.n}  ", "  ".join(shown), flush=True)


if __name__ == "__main__":
    main()
