"""What Stanza's tagger and parser know of a word by itself: its vector, its characters, its entry in a dictionary."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from sema_ud.numpy_inference.files import UNITS, Floats, ModelFile, read_model
from sema_ud.numpy_inference.layers import Linear, Lstm, Packing, sigmoid
from sema_ud.numpy_inference.vocabulary import FIRST, ROOT, Units

QUESTIONS = re.compile(r"[?？︖﹖⁇][?？︖﹖⁇!！︕﹗‼]+")
EXCLAMATIONS = re.compile(r"[!！︕﹗‼][?？︖﹖⁇!！︕﹗‼]+")
CHARACTERS_AT_ONCE = 20_000


def simplified(word: str) -> str:
    """A run of question or exclamation marks as the models know it: one mark."""
    if QUESTIONS.fullmatch(word):
        return "?"
    return "!" if EXCLAMATIONS.fullmatch(word) else word


class Dictionary:
    """Words with vectors, which several models share."""

    def __init__(self, model: ModelFile) -> None:
        self.words: Sequence[str] = model.vocab[UNITS][FIRST:]
        self.units = Units(model.vocab)
        self.vectors = model.weights["emb"]

    def number(self, word: str) -> int:
        """The row of a word's vector."""
        return self.units.number(word.lower().replace(" ", "\xa0"))


@lru_cache(maxsize=4)
def dictionary(path: Path) -> Dictionary:
    """The dictionary in a file, one for each process.

    Raises:
        Unsupported: it cannot be read.
    """
    return Dictionary(read_model(path))


class Characters:
    """A word's vector from its characters: an LSTM's states, weighted by attention and added up."""

    def __init__(self, model: ModelFile, *, bidirectional: bool) -> None:
        weights = model.weights
        self.units = Units(model.vocab["char"])
        self.vectors = weights["charmodel.char_emb.weight"]
        self.lstm = Lstm(weights, "charmodel.charlstm.lstm", bidirectional=bidirectional)
        self.lstm.start(weights["charmodel.charlstm_h_init"][:, 0], weights["charmodel.charlstm_c_init"][:, 0])
        self.attention = weights["charmodel.char_attn.weight"][0]
        self.projection = Linear(weights, "trans_char")

    def __call__(self, words: Sequence[str | None]) -> Floats:
        """One row a word; ``None`` stands for the root."""
        numbers = [[ROOT] if word is None else [self.units.number(char) for char in word] for word in words]
        order = sorted(range(len(words)), key=lambda at: -len(numbers[at]))
        rows = np.empty((len(words), self.projection.matrix.shape[1]), np.float32)
        first = 0
        while first < len(order):
            longest = max(1, len(numbers[order[first]]))
            some = order[first : first + max(1, CHARACTERS_AT_ONCE // longest)]
            rows[some] = self._projected([numbers[at] for at in some])
            first += len(some)
        return rows

    def _projected(self, numbers: list[list[int]]) -> Floats:
        packing = Packing([len(one) for one in numbers])
        flat = np.concatenate([np.asarray(one, np.intp) for one in numbers])
        which = np.empty_like(flat)
        which[packing.rows] = flat
        types, places = np.unique(which, return_inverse=True)
        states = self.lstm.run([rows[places] for rows in self.lstm.project(self.vectors[types])], packing)
        with np.errstate(over="ignore"):
            states *= sigmoid(states @ self.attention)[:, None]
        total = np.zeros((len(numbers), states.shape[1]), np.float32)
        for start, size in zip(packing.starts, packing.sizes, strict=False):
            total[:size] += states[start : start + size]
        return self.projection(total)


class WordVectors:
    """The three vectors of a word that do not depend on its sentence."""

    def __init__(self, model: ModelFile, dictionary: Dictionary) -> None:
        model.require(charlm=False, bert_model=None, char=True, pretrain=True)
        model.require(rec_dropout=0, char_rec_dropout=0, char_num_layers=1)
        self.units = Units(model.vocab["word"])
        self.vectors = model.weights["word_emb.weight"]
        self.dictionary = dictionary
        self.projection = Linear(model.weights, "trans_pretrained")
        self.characters = Characters(model, bidirectional=bool(model.config.get("char_bidirectional")))

    def __call__(self, words: Sequence[str | None]) -> Mapping[str, Floats]:
        """Rows of ``word``, ``pretrained`` and ``char``, one a word; ``None`` stands for the root."""
        plain = [None if word is None else simplified(word) for word in words]
        numbers = [ROOT if word is None else self.units.number(word) for word in plain]
        entries = [ROOT if word is None else self.dictionary.number(word) for word in plain]
        return {
            "word": self.vectors[numbers],
            "pretrained": self.projection(self.dictionary.vectors[entries]),
            "char": self.characters(plain),
        }
