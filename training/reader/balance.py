"""Weights for judged pairs under which nothing but the two texts tells how an output was rated.

The hands that wrote and rated pairs differ in how many faithful outputs they have, later outputs of a source are worse
than earlier ones, and wrong outputs are of another length. A network that reads such pairs learns these habits. So each
pair gets a weight: the weights closest to equal ones under which the hand, the place among a source's outputs and the
form of the output are not correlated with the rated meaning, and closeness to the source is as in people's ratings
(entropy balancing: Hainmueller, Political Analysis 20, 2012, equations 3 to 8).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from training.reader.example import Example

_SENTENCE_END = re.compile(r"[.!?。！？]+")
CLOSENESS = 0.2
"""The correlation of closeness with meaning; .14 to .65 in people's ratings."""
RIDGE = 1e-4
"""How much a weight may depend on one property: without it, few pairs would stand for a hand that has few faithful
ones."""
LEAST, MOST = 0.2, 5.0
"""The bounds of a weight."""
Floats = NDArray[np.float64]


def form(text: str) -> list[float]:
    """Numbers of a text's form: characters, characters a word and a sentence, shares of signs, digits and capitals."""
    size, words = max(len(text), 1), text.split()
    sentences = max(len(_SENTENCE_END.findall(text)), 1)
    signs = sum(not char.isalnum() and not char.isspace() for char in text)
    digits, capitals = sum(map(str.isdigit, text)), sum(map(str.isupper, text))
    lengths = [float(len(text)), len(text) / max(len(words), 1), len(text) / sentences]
    return [*lengths, signs / size, digits / size, capitals / size]


def places(pairs: Sequence[Example]) -> Floats:
    """The place of each output among those of its source (pairs, 1)."""
    seen: Counter[str] = Counter()
    found = []
    for pair in pairs:
        found.append([float(seen[pair.source])])
        seen[pair.source] += 1
    return np.array(found)


def closeness(pairs: Sequence[Example]) -> Floats:
    """The similarity of each output to its source (pairs,)."""
    return np.array([fuzz.ratio(pair.source.lower(), pair.output.lower()) for pair in pairs])


def traces(pairs: Sequence[Example]) -> dict[str, Floats]:
    """What could tell a pair's rating without reading it: its hand, its place, the form of its output."""
    return {
        "hand": OneHotEncoder(sparse_output=False).fit_transform(np.array([pair.hand for pair in pairs])[:, None]),
        "place": places(pairs),
        "form": np.array([form(pair.output) for pair in pairs]),
    }


def balanced(pairs: Sequence[Example], shares: Floats) -> Floats:
    """The weight of each pair, of mean 1 over a mix in which it is read ``shares`` times (pairs,)."""
    close = closeness(pairs)[:, None]
    table = StandardScaler().fit_transform(np.concatenate([*traces(pairs).values(), close], 1))
    meaning = StandardScaler().fit_transform(np.array([[pair.meaning] for pair in pairs]))
    together = table * meaning
    together[:, -1] -= CLOSENESS
    moments = np.concatenate([table, meaning, together], 1)
    base = np.log(shares)

    def dual(slopes: Floats) -> tuple[float, Floats]:
        logits = base + moments @ slopes
        return float(logsumexp(logits) + RIDGE * slopes @ slopes), softmax(logits) @ moments + 2 * RIDGE * slopes

    best = minimize(dual, np.zeros(moments.shape[1]), jac=True, method="L-BFGS-B").x
    weights = np.exp(moments @ best)
    weights = np.clip(weights / np.average(weights, weights=shares), LEAST, MOST)
    return np.asarray(weights / np.average(weights, weights=shares))
