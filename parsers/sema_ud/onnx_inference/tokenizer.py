"""Stanza's tokenizer (Qi et al. 2018) without a character language model: where the words of a sentence end."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sema.runtime.batching import batches
from sema.runtime.caching import remembered
from sema.runtime.onnx import Session
from sema.runtime.threads import each
from sema_ud.onnx_inference.vocabulary import described, dictionary

LONGEST = 999
"""Characters of a sentence that Stanza reads at once; a longer one is its own."""
BATCH_CHARACTERS = 1000
WHITE = re.compile(r"[\s\u0080-\u009f]")
NUMERIC = re.compile(r"\d")
CHARACTER_FEATURES: dict[str, Callable[[str], bool]] = {
    "space_before": lambda char: char == " ",
    "capitalized": str.isupper,
    "numeric": lambda char: NUMERIC.match(char) is not None,
}
PLACE_FEATURES: dict[str, Callable[[int, int], bool]] = {
    "end_of_para": lambda at, size: at == size - 1,
    "start_of_para": lambda at, size: at == 0,
}


class Lexicon:
    """Which windows of a sentence are words of a list, as the tokenizer's features have it."""

    def __init__(self, words: Sequence[str], width: int) -> None:
        """``width``: how many characters beside one are looked at, on either side."""
        self.width = width
        self.words = frozenset(word for word in words if len(word) > 1)

    def features(self, sentence: str) -> NDArray[np.float32]:
        """For each character whether the windows of 2, 3, … characters from it on are words, then those up to it.

        In a window all characters are lower-cased but the one that it is a feature of.
        """
        found = np.zeros((len(sentence), 2 * self.width), np.float32)
        lower = [char.lower() for char in sentence]
        plain = sentence == "".join(lower)
        for column in range(self.width):
            size = column + 2
            starts = range(len(sentence) - size + 1)
            if plain:
                forward = backward = [at for at in starts if sentence[at : at + size] in self.words]
            else:
                windows = ["".join(lower[at + 1 : at + size - 1]) for at in starts]
                ends = range(size - 1, len(sentence))
                triples = list(zip(starts, windows, ends, strict=True))
                forward = [at for at, inner, end in triples if sentence[at] + inner + lower[end] in self.words]
                backward = [at for at, inner, end in triples if lower[at] + inner + sentence[end] in self.words]
            found[forward, column] = 1
            found[[at + size - 1 for at in backward], self.width + column] = 1
        return found


class Tokenizer:
    """A loaded tokenizer, for sentences that are known to be one sentence each."""

    def __init__(self, folder: Path) -> None:
        """Read the model of a folder, and the words of its dictionary."""
        about = described(folder, "tokenize")
        config = about["config"]
        self._numbers = {unit: number for number, unit in enumerate(about["vocab"]["_id2unit"])}
        self._by_character = [CHARACTER_FEATURES[name] for name in config["feat_funcs"] if name in CHARACTER_FEATURES]
        self._by_place = [test for name, test in PLACE_FEATURES.items() if name in config["feat_funcs"]]
        self._lexicon = Lexicon(dictionary(folder).words, config["num_dict_feat"]) if config["use_dictionary"] else None
        self._known = remembered(self._character)
        self._width = config["feat_dim"]
        self._session = Session(folder / "tokenize.onnx")

    def ends(self, sentences: Sequence[str], *, threads: int) -> list[set[int]]:
        """The places behind each sentence's words, counted in characters; batches are computed beside each other.

        The sentences begin and end with something other than white space and have at most :data:`LONGEST` characters.
        """
        read = [_units(sentence) for sentence in sentences]
        found: dict[int, set[int]] = {}

        def work(group: list[int]) -> None:
            for at, cuts in zip(group, self._cuts([read[at][0] for at in group]), strict=True):
                found[at] = _word_ends(*read[at], cuts)

        groups = batches([(len(units),) for units, _ in read], lambda count, size: count * size[0] <= BATCH_CHARACTERS)
        each(work, groups[::-1], threads)
        return [found[at] for at in range(len(sentences))]

    def _cuts(self, sentences: Sequence[str]) -> list[list[bool]]:
        """Whether a word ends with each character."""
        lengths = np.asarray(
            [len(one) + 1 for one in sentences], np.int32
        )  # behind its last character Stanza puts a pad
        numbers = np.full((max(lengths), len(sentences)), self._numbers["<PAD>"], np.int64)
        features = np.zeros((*numbers.shape, self._width), np.float32)
        for at, sentence in enumerate(sentences):
            size = len(sentence)
            numbers[:size, at], features[:size, at] = self._rows(sentence)
        (cuts,) = self._session.run(("cuts",), {"characters": numbers, "features": features, "lengths": lengths})
        return [[*cuts[: len(one) - 1, at].tolist(), True] for at, one in enumerate(sentences)]

    def _rows(self, sentence: str) -> tuple[list[int], NDArray[np.float32]]:
        """The numbers of a sentence's characters, and their features."""
        size, known = len(sentence), len(self._by_character)
        own = [self._known(char) for char in sentence]
        rows = np.zeros((size, self._width), np.float32)
        rows[:, :known] = [features for _, features in own]
        for place, test in enumerate(self._by_place, known):
            rows[:, place] = [test(at, size) for at in range(size)]
        if self._lexicon is not None:
            rows[:, known + len(self._by_place) :] = self._lexicon.features(sentence)
        return [number for number, _ in own], rows

    def _character(self, char: str) -> tuple[int, list[bool]]:
        """A character's number and what it is."""
        return self._numbers.get(char, self._numbers["<UNK>"]), [test(char) for test in self._by_character]


@lru_cache(maxsize=4)
def shipped_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer in a folder of shipped models, one for each process."""
    return Tokenizer(folder)


def _units(sentence: str) -> tuple[str, list[int]]:
    """The characters that Stanza reads (one space for each run of white space) and their places in the sentence."""
    plain = WHITE.sub(" ", sentence)
    places = [at for at, char in enumerate(plain) if char != " " or plain[at - 1 : at] != " "]
    return "".join(plain[at] for at in places), places


def _word_ends(units: str, places: Sequence[int], cuts: Sequence[bool]) -> set[int]:
    """The places behind the last character, other than white space, of each word."""
    ends = set()
    last = None
    for char, place, cut in zip(units, places, cuts, strict=True):
        if char != " ":
            last = place + 1
        if cut and last is not None:
            ends.add(last)
            last = None
    return ends
