"""Stanza's tokenizer (Qi et al. 2018) without a character language model: where the words of a sentence end."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import numpy as np

from sema.runtime.batching import batches
from sema.runtime.threads import one_blas_thread
from sema_ud.models import DICTIONARY, ModelSet, file_of
from sema_ud.numpy_inference.files import Floats, ModelFile, Unsupported, read_model
from sema_ud.numpy_inference.layers import Linear, Lstm, Packing, log_sigmoid, sigmoid
from sema_ud.numpy_inference.words import dictionary

LONGEST = 999
"""Characters of a sentence that Stanza reads at once; a longer one is its own."""
BATCH_CHARACTERS = 4000
KNOWN_CHARACTERS = 20_000
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

    def features(self, sentence: str) -> Floats:
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
        """Read the model of a folder, and the words of its dictionary.

        Raises:
            Unsupported: it is of another architecture, or cannot be read.
        """
        try:
            self._set_up(read_model(file_of(folder, "tokenize")), file_of(folder, DICTIONARY))
        except (KeyError, IndexError, ValueError) as error:
            raise Unsupported(f"the tokenizer lacks {error}") from error

    def _set_up(self, model: ModelFile, words: Path) -> None:
        weights, config = model.weights, model.config
        model.require(charlm=False, charlm_forward_file=None, conv_res=None, rnn_layers=1, hierarchical=True)
        if config.get("use_mwt", True):
            raise Unsupported("a tokenizer of multiword tokens")
        if unknown := set(config["feat_funcs"]) - CHARACTER_FEATURES.keys() - PLACE_FEATURES.keys():
            raise Unsupported(f"features {sorted(unknown)}")
        self._numbers: dict[str, int] = model.vocab["_unit2id"]
        self._unknown = self._numbers["<UNK>"]
        self._pad = self._numbers["<PAD>"]
        self._by_character = [CHARACTER_FEATURES[name] for name in config["feat_funcs"] if name in CHARACTER_FEATURES]
        self._by_place = [test for name, test in PLACE_FEATURES.items() if name in config["feat_funcs"]]
        known = dictionary(words).words if config["use_dictionary"] else None
        self._lexicon = None if known is None else Lexicon(known, config["num_dict_feat"])
        self._known = lru_cache(KNOWN_CHARACTERS)(self._character)
        self._vectors = weights["embeddings.weight"]
        self._lstm = Lstm(weights, "rnn", bidirectional=True)
        self._second = Lstm(weights, "rnn2", bidirectional=True)
        self._temperature = float(config["hier_invtemp"])
        self._ends = [Linear(weights, f"{name}_clf{layer}") for name in ("tok", "sent") for layer in ("", "2")]

    def ends(self, sentences: Sequence[str], *, threads: int) -> list[set[int]]:
        """The places behind each sentence's words, counted in characters; batches are computed beside each other.

        The sentences begin and end with something other than white space and have at most :data:`LONGEST` characters.
        """
        found: list[set[int]] = [set() for _ in sentences]
        sizes = [(len(one),) for one in sentences]
        groups = batches(sizes, lambda count, size: count * size[0] <= BATCH_CHARACTERS)

        def work(group: list[int]) -> None:
            longest_first = sorted(group, key=lambda at: -len(places[at]))
            labels = self._labels([units[at] for at in longest_first])
            for at, cuts in zip(longest_first, labels, strict=True):
                found[at] = _word_ends(units[at], places[at], cuts)

        units, places = [], []
        for sentence in sentences:
            unit, place = _units(sentence)
            units.append(unit)
            places.append(place)
        with one_blas_thread(), ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, reversed(groups)))
        return found

    def _labels(self, sentences: Sequence[str]) -> list[list[bool]]:
        """Whether a word ends with each character, for sentences of falling length."""
        packing = Packing([len(one) + 1 for one in sentences])  # behind its last character Stanza puts a pad
        rows = np.concatenate([self._rows(one) for one in sentences])
        packed = packing.pack(rows)
        states = self._lstm.run(self._lstm.project(packed), packing)
        words, words2, ends, ends2 = self._ends
        word = words(states)
        end = ends(states)
        if self._temperature > 0:
            with np.errstate(over="ignore"):
                states *= 1 - sigmoid(-word * self._temperature)
        states = self._second.run(self._second.project(states), packing)
        word += words2(states)
        end += ends2(states)
        inside, is_word = log_sigmoid(-word), log_sigmoid(word)
        cut = np.maximum(is_word + log_sigmoid(-end), is_word + log_sigmoid(end)) > inside
        flat = cut[packing.rows, 0].tolist()
        found = []
        first = 0
        for one in sentences:
            found.append([*flat[first : first + len(one) - 1], True])
            first += len(one) + 1
        return found

    def _rows(self, sentence: str) -> Floats:
        """The input rows of a sentence's characters and of the pad behind them."""
        size, width = len(sentence), self._vectors.shape[1]
        own = [self._known(char) for char in sentence]
        rows = np.zeros((size + 1, self._lstm.inputs), np.float32)
        rows[:, :width] = self._vectors[[*(number for number, _ in own), self._pad]]
        place = width + len(self._by_character)
        rows[:size, width:place] = [features for _, features in own]
        for test in self._by_place:
            rows[:size, place] = [test(at, size) for at in range(size)]
            place += 1
        if self._lexicon is not None:
            rows[:size, place:] = self._lexicon.features(sentence)
        return rows

    def _character(self, char: str) -> tuple[int, list[bool]]:
        """A character's number and what it is."""
        return self._numbers.get(char, self._unknown), [test(char) for test in self._by_character]


@lru_cache(maxsize=4)
def numpy_tokenizer(models: ModelSet) -> Tokenizer | None:
    """The tokenizer of a set of models, one for each process; None if only Stanza can run it."""
    try:
        return Tokenizer(models.folder) if models.shipped else None
    except Unsupported:
        return None


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
