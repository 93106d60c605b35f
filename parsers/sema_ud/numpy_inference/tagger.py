"""Stanza's tagger (Qi et al. 2018) with linear classifiers: UPOS, language-specific tags and features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sema_ud.numpy_inference.files import Floats, ModelFile, Unsupported
from sema_ud.numpy_inference.layers import Highway, Linear, Packing, Rows
from sema_ud.numpy_inference.vocabulary import Features, Tags
from sema_ud.numpy_inference.words import Dictionary, WordVectors

COLUMNS = ["upos", "xpos", "feats"]


@dataclass(frozen=True)
class Tagged:
    """Numbers of a batch's tags, one row for each packed word."""

    upos: NDArray[np.intp]
    xpos: NDArray[np.intp]
    features: NDArray[np.intp]
    """One column for each feature."""


class Tagger:
    """A loaded tagger."""

    def __init__(self, model: ModelFile, dictionary: Dictionary) -> None:
        model.require(share_hid=True)
        declared = model.config.get("tag_columns")
        if declared is not None and [column[0] for column in declared] != COLUMNS:
            raise Unsupported(f"tags {declared}")
        self.words = WordVectors(model, dictionary)
        self.upos, self.xpos = Tags(model.vocab["upos"]), Tags(model.vocab["xpos"])
        self.features = Features(model.vocab["feats"])
        self._lstm = Highway(model.weights, "taggerlstm", model.config["num_layers"])
        self._hidden = Linear(model.weights, "upos_hid")
        names = ["upos_clf", "tag_clf.xpos", *(f"tag_clf.feats.{at}" for at in range(len(self.features)))]
        self._classifiers = [Linear(model.weights, name) for name in names]

    def vectors(self, words: Sequence[str | None]) -> Floats:
        """The input rows of words without their sentences."""
        found = self.words(words)
        return np.concatenate([found["word"], found["pretrained"], found["char"]], axis=1)

    def tag(self, types: Floats, which: Rows, packing: Packing) -> Tagged:
        """Tags of a batch whose packed words have the rows ``types[which]``."""
        hidden = self._hidden(self._lstm(types, which, packing))
        np.maximum(hidden, 0, out=hidden)
        upos, xpos, *features = (classify(hidden).argmax(axis=1) for classify in self._classifiers)
        return Tagged(upos, xpos, np.stack(features, axis=1))
