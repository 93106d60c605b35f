"""The trained networks of levels in NumPy (``weights/levels``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.runtime.checksums import checked

Numbers = NDArray[np.float32]

WEIGHTS = Path(__file__).parents[1] / "weights" / "levels"
FILE = "levels.npz"
VERSION = 1
HEADS = 4
REACH, LOW_REACH = 6.0, 4.0
"""Standard deviations at which a word's state, and a sentence's feature, are clipped."""
TOP = 6
LENGTH_SCALE = 20.0


@dataclass(frozen=True)
class Member:
    """One network of the ensemble: attention over words, by :class:`training.english.levels_model.Attention`."""

    arrays: dict[str, Numbers]

    def level(self, x: Numbers, features: Numbers) -> float:
        """The level of one sentence from its words (words, inputs) and its standardised features."""
        get = self.arrays.__getitem__
        h = _gelu(x @ get("words.weight").T + get("words.bias"))
        values = h @ get("value.weight").T + get("value.bias")
        scores = h @ get("choice.weight").T + get("choice.bias")
        chosen = np.exp(scores - scores.max(0))
        chosen /= chosen.sum(0)
        sentence = _gelu(get("sentence.weight") @ features + get("sentence.bias"))
        joined = np.concatenate([h.mean(0), sentence, (chosen * values).sum(0), values.sum(0) / LENGTH_SCALE])
        hidden = _gelu(get("hidden.weight") @ joined + get("hidden.bias"))
        raw = get("out.weight") @ hidden + get("out.bias") + get("direct.weight") @ features + get("direct.bias")
        shift = get("shift")
        return float(1 + sum(_sigmoid(raw + sign * shift - get("cuts")).sum() for sign in (-1, 1)) / 2)


@dataclass(frozen=True)
class Levels:
    """All fitted parameters.

    Attributes:
        mean, scale: the standardisation of word states.
        features_mean, features_scale: the same for sentence features.
        members: the networks whose mean is the raw level.
        curve: raw levels, ascending, and the level of each; linear in between.
        words: two layers from a word's form and frequency to its level.
        constructions: the level of each construction, in table order; NaN where too few sentences contain it.
    """

    mean: Numbers
    scale: Numbers
    features_mean: Numbers
    features_scale: Numbers
    members: Sequence[Member]
    curve: Numbers
    words: dict[str, Numbers]
    constructions: Numbers

    def sentence(self, states: Numbers, forms: Numbers, features: Numbers) -> float:
        """The level of one sentence, 1 to 6, from its words' states and forms and its own features."""
        x = np.hstack([np.clip((states - self.mean) / self.scale, -REACH, REACH), forms])
        f = np.clip((features - self.features_mean) / self.features_scale, -LOW_REACH, LOW_REACH)
        raw = float(np.mean([member.level(x, f) for member in self.members]))
        return float(np.interp(raw, self.curve[0], self.curve[1]))

    def word_levels(self, forms: Numbers) -> Numbers:
        """The level of each word, 1 to 6."""
        hidden = np.tanh(forms @ self.words["hidden.weight"].T + self.words["hidden.bias"])
        found: Numbers = 1 + (TOP - 1) * _sigmoid(hidden @ self.words["out.weight"][0] + self.words["out.bias"])
        return found


def _gelu(x: Numbers) -> Numbers:
    from scipy.special import erf

    found: Numbers = x * 0.5 * (1 + erf(x / np.float32(np.sqrt(2))))
    return found


def _sigmoid(x: Numbers) -> Numbers:
    low = np.maximum(x, np.float32(-80))  # further down the result is 0 all the same, and the exponential overflows
    found: Numbers = (1 / (1 + np.exp(-low))).astype(np.float32)
    return found


def save(levels: Levels, file: Path) -> None:
    """Write arrays, the networks' in half precision."""
    plain: dict[str, Any] = {
        "mean": levels.mean,
        "scale": levels.scale,
        "curve": levels.curve,
        "constructions": levels.constructions,
    }
    plain |= {"features_mean": levels.features_mean, "features_scale": levels.features_scale}
    plain |= {f"words.{name}": array for name, array in levels.words.items()}
    half: dict[str, Any] = {
        f"member{number}.{name}": array.astype(np.float16)
        for number, member in enumerate(levels.members)
        for name, array in member.arrays.items()
    }
    np.savez_compressed(file, **plain, **half)


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
    members = [Member(groups[f"member{number}"]) for number in range(len(groups))]
    return Levels(**plain, members=members, words=words), digest
