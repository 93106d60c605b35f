"""Fits the score of meaning to people's ratings: ``python -m training.reader.calibrate``, after the export.

On outputs of real systems a network that suspects wrong facts is often mistaken, and what is lost decides more than in
the pairs that it learned from; it is also too sure. So its logit of meaning takes a share of that of recall, and both
shrink, as the ratings of QATS train (Štajner et al. 2016) ask, which the network never reads. The middle of the scale
stays where it is, because QATS's classes have another. The combination becomes the row of the last layer that gives
meaning: the graph has no step more.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from scipy.optimize import minimize
from scipy.special import logit
from sema_english.segmentation import EnglishSegmenter
from sema_reader.languages import FILE, shipped
from sema_reader.reader import GRAPH, WEIGHTS, NetworkReader

from sema.judges.examples import RatedPair
from sema.runtime.checksums import write_sums
from training.command import command
from training.data.rated_aspects import qats

Floats = NDArray[np.floating[Any]]
LAST = "network.pair"
"""The last layer of the graph; its first rows give meaning and recall."""
MEANING, RECALL = 0, 1
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
"""The shares of recall that are compared."""
CLOSE = 0.001
"""The smallest share is chosen whose loss, in nats a pair, is as close to the least."""


def fit(logits: Floats, ratings: Floats) -> tuple[float, float]:
    """The share of recall in logits of meaning and recall (pairs, 2), and the factor of their mix, that fit ratings in
    [0, 1] by logistic regression."""
    found = []
    for share in SHARES:
        mix = (1 - share) * logits[:, MEANING] + share * logits[:, RECALL]

        def loss(line: Floats, mix: Floats = mix) -> float:
            sums = line[0] * mix + line[1]
            return float(np.mean(np.logaddexp(0, sums) - ratings * sums))

        best = minimize(loss, np.zeros(2))
        found.append((best.fun, share, float(best.x[0])))
    least = min(found)[0]
    return next((share, factor) for loss, share, factor in found if loss <= least + CLOSE)


def logits_of(pairs: Sequence[RatedPair]) -> Floats:
    """The logits of meaning and recall that the reader gives (pairs, 2)."""
    segmenter = EnglishSegmenter()
    texts = [segmenter.segment([getattr(pair, name) for pair in pairs]) for name in ("source", "output")]
    readings = NetworkReader(shipped()).read(list(zip(*texts, strict=True)))
    return np.asarray(logit([(one.meaning, one.recall) for one in readings]))


def combine(file: Path, share: float, factor: float) -> None:
    """Make the logit of meaning, in a graph's file, the mix with that share of recall, times the factor."""
    model = onnx.load(file)
    for tensor in model.graph.initializer:
        if tensor.name in (f"{LAST}.weight", f"{LAST}.bias"):
            values = numpy_helper.to_array(tensor).copy()
            values[MEANING] = factor * ((1 - share) * values[MEANING] + share * values[RECALL])
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    onnx.save(model, file)


@command
def main() -> None:
    """Fit, print the share and the factor, and change the graph that ships."""
    pairs = qats("meaning", "train")
    share, factor = fit(logits_of(pairs), np.array([pair.rating for pair in pairs]))
    print(f"recall's share {share}, factor {factor:.3f}")
    combine(WEIGHTS / GRAPH, share, factor)
    write_sums(WEIGHTS, [GRAPH, FILE])


if __name__ == "__main__":
    main()
