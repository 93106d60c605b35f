"""The trained networks of levels in NumPy, and the level of several sentences (``weights/levels``)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sema.runtime.checksums import checked
from sema.runtime.forks import cached_property
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


class Ensemble:
    """Networks of one shape, computed together: each is attention over words, by
    :class:`training.english.levels.Attention`."""

    def __init__(self, members: Sequence[Mapping[str, Numbers]]) -> None:
        """``members``: each network's arrays, the weights of a layer as (outputs, inputs)."""
        stacked = {name: np.stack([member[name] for member in members]) for name in members[0]}
        self._arrays = {
            name: np.ascontiguousarray(array.swapaxes(1, 2)) if name.endswith("weight") else array[:, None]
            for name, array in stacked.items()
        }

    def levels(self, x: Numbers, features: Numbers) -> Numbers:
        """The level of one sentence by each network, from its words (words, inputs) and its standardised features."""
        h = _gelu(self._layer("words", x))
        values, scores = self._layer("value", h), self._layer("choice", h)
        chosen = np.exp(scores - scores.max(1, keepdims=True))
        chosen /= chosen.sum(1, keepdims=True)
        sentence = _gelu(self._layer("sentence", features[None]))
        parts = [h.mean(1), sentence[:, 0], (chosen * values).sum(1), values.sum(1) / LENGTH_SCALE]
        hidden = _gelu(self._layer("hidden", np.concatenate(parts, 1)[:, None]))
        raw = self._layer("out", hidden) + self._layer("direct", features[None])
        cuts, shift = self._arrays["cuts"], self._arrays["shift"]
        found: Numbers = 1 + sum(_sigmoid(raw + sign * shift - cuts).sum((1, 2)) for sign in (-1, 1)) / 2
        return found

    def _layer(self, name: str, given: Numbers) -> Numbers:
        """A layer of every network (networks, rows, outputs)."""
        found: Numbers = given @ self._arrays[f"{name}.weight"] + self._arrays[f"{name}.bias"]
        return found


@dataclass(frozen=True)
class Levels:
    """All fitted parameters.

    Attributes:
        mean, scale: the standardisation of word states.
        features_mean, features_scale: the same for sentence features.
        members: the arrays of each network; the mean of their levels is the raw level.
        curve: raw levels, ascending, and the level of each; linear in between.
        words: two layers from a word's form and frequency to its level.
        constructions: the level of each construction, in table order; NaN where too few sentences contain it.
    """

    mean: Numbers
    scale: Numbers
    features_mean: Numbers
    features_scale: Numbers
    members: Sequence[Mapping[str, Numbers]]
    curve: Numbers
    words: dict[str, Numbers]
    constructions: Numbers

    @cached_property
    def _ensemble(self) -> Ensemble:
        return Ensemble(self.members)

    def sentence(self, states: Numbers, forms: Numbers, features: Numbers) -> float:
        """The level of one sentence, 1 to 6, from its words' states and forms and its own features."""
        x = np.hstack([np.clip((states - self.mean) / self.scale, -REACH, REACH), forms])
        f = np.clip((features - self.features_mean) / self.features_scale, -LOW_REACH, LOW_REACH)
        raw = float(np.mean(self._ensemble.levels(x, f), dtype=np.float64))
        return float(np.interp(raw, self.curve[0], self.curve[1]))

    def word_levels(self, forms: Numbers) -> Numbers:
        """The level of each word, 1 to 6."""
        hidden = np.tanh(forms @ self.words["hidden.weight"].T + self.words["hidden.bias"])
        found: Numbers = 1 + (TOP - 1) * _sigmoid(hidden @ self.words["out.weight"][0] + self.words["out.bias"])
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
        found = {name: arrays[name].astype(np.float32) for name in arrays.files}
    groups: dict[str, dict[str, Numbers]] = {}
    for name, array in found.items():
        group, dot, rest = name.partition(".")
        if dot:
            groups.setdefault(group, {})[rest] = array
    words = groups.pop("words")
    plain = {name: array for name, array in found.items() if "." not in name}
    members = [groups[f"member{number}"] for number in range(len(groups))]
    return Levels(**plain, members=members, words=words), digest
