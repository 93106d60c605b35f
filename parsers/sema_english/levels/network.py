"""The trained networks of levels in NumPy, and the level of several sentences (``weights/levels``)."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sema.runtime.checksums import checked
from sema_english.features.lexical import is_content

Numbers = NDArray[np.float32]

WEIGHTS = Path(__file__).parents[1] / "weights" / "levels"
FILE, PASSAGES = "levels.npz", "passages.json"
VERSION = 1
HEADS = 4
REACH, LOW_REACH = 6.0, 4.0
"""Standard deviations at which a word's state, and a sentence's feature, are clipped."""
TOP = 6
LENGTH_SCALE = 20.0


class Levels:
    """All fitted parameters; each network is attention over words, by :class:`training.english.levels.Attention`.

    Attributes:
        members: the arrays of each network, the weights of a layer as (outputs, inputs).
        constructions: the level of each construction, in table order; NaN where too few sentences contain it.
    """

    def __init__(self, arrays: Mapping[str, Numbers]) -> None:
        """Take the arrays of a file.

        Args:
            arrays: ``mean`` and ``scale`` standardise word states, ``features_mean`` and ``features_scale`` features of
                sentences. The raw level is the mean of the networks' (``member0`` and on); ``curve`` has raw levels,
                ascending, and the level of each, linear in between. ``words`` are two layers from a word's form and
                frequency to its level.
        """
        self._arrays = arrays
        self.constructions = arrays["constructions"]
        members: defaultdict[str, dict[str, Numbers]] = defaultdict(dict)
        for name, array in arrays.items():
            group, _, rest = name.partition(".")
            if group.startswith("member"):
                members[group][rest] = array
        self.members = [members[f"member{number}"] for number in range(len(members))]
        stacked = {name: np.stack([member[name] for member in self.members]) for name in self.members[0]}
        self._networks = {
            name: np.ascontiguousarray(array.swapaxes(1, 2)) if name.endswith("weight") else array[:, None]
            for name, array in stacked.items()
        }

    def sentence(self, states: Numbers, forms: Numbers, features: Numbers) -> float:
        """The level of one sentence, 1 to 6, from its words' states and forms and its own features."""
        known = self._arrays
        x = np.hstack([np.clip((states - known["mean"]) / known["scale"], -REACH, REACH), forms])
        f = np.clip((features - known["features_mean"]) / known["features_scale"], -LOW_REACH, LOW_REACH)
        raw = float(np.mean(self._raw_levels(x, f), dtype=np.float64))
        return float(np.interp(raw, *known["curve"]))

    def word_levels(self, forms: Numbers) -> Numbers:
        """The level of each word, 1 to 6."""
        known = self._arrays
        hidden = np.tanh(forms @ known["words.hidden.weight"].T + known["words.hidden.bias"])
        found: Numbers = 1 + (TOP - 1) * _sigmoid(hidden @ known["words.out.weight"][0] + known["words.out.bias"])
        return found

    def _raw_levels(self, x: Numbers, features: Numbers) -> Numbers:
        """The level of one sentence by each network, from its words (words, inputs) and its standardised features."""
        h = _gelu(self._layer("words", x))
        values, scores = self._layer("value", h), self._layer("choice", h)
        chosen = np.exp(scores - scores.max(1, keepdims=True))
        chosen /= chosen.sum(1, keepdims=True)
        sentence = _gelu(self._layer("sentence", features[None]))
        parts = [h.mean(1), sentence[:, 0], (chosen * values).sum(1), values.sum(1) / LENGTH_SCALE]
        hidden = _gelu(self._layer("hidden", np.concatenate(parts, 1)[:, None]))
        raw = self._layer("out", hidden) + self._layer("direct", features[None])
        cuts, shift = self._networks["cuts"], self._networks["shift"]
        found: Numbers = 1 + sum(_sigmoid(raw + sign * shift - cuts).sum((1, 2)) for sign in (-1, 1)) / 2
        return found

    def _layer(self, name: str, given: Numbers) -> Numbers:
        """A layer of every network (networks, rows, outputs)."""
        found: Numbers = given @ self._networks[f"{name}.weight"] + self._networks[f"{name}.bias"]
        return found


@dataclass(frozen=True)
class PassageLevels:
    """A linear model of a passage's level, from the mean levels of its sentences and of its distinct words.

    Repeated words are easier than new ones, so each word counts once; function words do not count.

    Attributes:
        start: the intercept.
        sentences, words: the weights of the two means.
    """

    start: float
    sentences: float
    words: float

    def level(self, sentences: Sequence[tuple[float, int]], words: Mapping[str, float]) -> float:
        """The level of a text, 1 to 6; NaN without sentences.

        A single sentence has its own level; with more sentences, the linear model gets more weight than their mean.

        Args:
            sentences: the level and number of words of each.
            words: the level of each word that has one.
        """
        count = sum(size for _, size in sentences)
        if not count:
            return math.nan
        mean = math.fsum(level * size for level, size in sentences) / count
        content = [level for word, level in words.items() if is_content(word)]
        if not content:
            return mean
        passage = self.start + self.sentences * mean + self.words * math.fsum(content) / len(content)
        return min(max(mean + (1 - 1 / len(sentences)) * (passage - mean), 1.0), float(TOP))


def load_passages() -> PassageLevels:
    """The shipped model; :func:`load` checks the folder's checksums."""
    return PassageLevels(**json.loads((WEIGHTS / PASSAGES).read_text(encoding="utf-8")))


def _gelu(x: Numbers) -> Numbers:
    from scipy.special import erf

    found: Numbers = x * 0.5 * (1 + erf(x / np.float32(np.sqrt(2))))
    return found


def _sigmoid(x: Numbers) -> Numbers:
    low = np.maximum(x, np.float32(-80))  # further down the result is 0 all the same, and the exponential overflows
    found: Numbers = (1 / (1 + np.exp(-low))).astype(np.float32)
    return found


@lru_cache(maxsize=2)
def load(folder: Path = WEIGHTS) -> tuple[Levels, str]:
    """The networks of a folder and the digest of their weights.

    Raises:
        ResourceError: a file is missing or damaged.
    """
    digest = checked(folder, "weights of the levels")
    with np.load(folder / FILE, allow_pickle=False) as arrays:
        return Levels({name: arrays[name].astype(np.float32) for name in arrays.files}), digest
