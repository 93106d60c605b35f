"""The index on disk: two kinds of ``.npz`` file (no pickle), the hypernym graph and a language's words."""

from __future__ import annotations

import zipfile
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sema.errors import ResourceError
from sema.runtime.forks import cached_property

FORMAT = 2
"""Increased when the layout changes; a file of another format is refused."""
_GRAPH = ("bounds", "offsets", "targets_per_synset", "targets", "individuals", "eighths", "languages")
"""The arrays of a graph's file."""
Arrays = Mapping[str, npt.NDArray[Any]]


class HypernymGraph:
    """Synsets 0 .. n-1 in order of part of speech, and their hypernyms, instance hypernyms included.

    Attributes:
        arrays: those of the file.
        limits: ``limits[p]:limits[p + 1]`` are the synsets of part of speech ``p`` (noun, verb, adj, adv).
        offsets: the synsets' byte offsets in Princeton's files of WordNet 3.0, which other wordnets use as names.
        individuals: the synsets of one person, place or other single thing.
        languages: the number of languages, English not counted, whose wordnets have a word for each synset.
    """

    def __init__(self, arrays: Arrays) -> None:
        """``arrays`` by name, as in the file: ``bounds``, ``offsets``, ``individuals`` and ``languages`` are the
        attributes, ``targets`` the hypernyms, synset by synset, ``targets_per_synset`` how many each has, ``eighths``
        the information content in eighths of a bit.
        """
        self.arrays = arrays
        self.limits: list[int] = arrays["bounds"].tolist()
        self.offsets = arrays["offsets"]
        self.individuals: frozenset[int] = frozenset(arrays["individuals"].tolist())
        self.languages, self._eighths = arrays["languages"].tobytes(), arrays["eighths"].tobytes()
        self._starts, self._above = _starts(arrays["targets_per_synset"]), _numbers(arrays["targets"])
        self._depths = _shortest_depths(arrays["targets_per_synset"], arrays["targets"]).tobytes()

    def hypernyms(self, synset: int) -> list[int]:
        """The synsets one step up."""
        return self._above[self._starts[synset] : self._starts[synset + 1]].tolist()

    def depth(self, synset: int) -> int:
        """The shortest distance to a root."""
        return self._depths[synset]

    def information(self, synset: int) -> float:
        """The information content (Resnik, IJCAI 1995) in bits, to an eighth: 0 for a root above all others."""
        return self._eighths[synset] / 8

    def use(self, synset: int, count: int) -> float:
        """A sense's use: its count in tagged texts, and a tenth of the number of languages with a word for it."""
        return count + (1 + self.languages[synset]) / 10

    def find(self, part_of_speech: int, offset: int) -> int | None:
        """The synset at this byte offset of WordNet's files, or ``None``."""
        start, end = self.limits[part_of_speech : part_of_speech + 2]
        at = start + int(np.searchsorted(self.offsets[start:end], offset))
        return at if at < end and self.offsets[at] == offset else None


def _shortest_depths(counts: npt.NDArray[np.uint8], targets: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """Each synset's shortest distance to a root: breadth first from the roots, a whole level at a time."""
    children = np.repeat(np.arange(len(counts)), counts)
    depths = np.full(len(counts), 255, dtype=np.uint8)
    depths[counts == 0] = 0
    for level in range(254):
        below = children[depths[targets] == level]
        below = below[depths[below] == 255]
        if not below.size:
            break
        depths[below] = level + 1
    return depths


class WordIndex:
    """A language's lemmas, each with its senses (synsets of the graph) and their counts, and its irregular forms."""

    def __init__(self, arrays: Arrays) -> None:
        """``arrays`` as :func:`word_arrays` makes them."""
        self._lemmas = _from_bytes(arrays["lemmas"])
        self._senses, self._counts = _numbers(arrays["senses"]), _numbers(arrays["counts"])
        self._starts = _starts(arrays["per_lemma"])
        self._exceptions: dict[tuple[str, int], tuple[str, ...]] = {}
        for line in _from_bytes(arrays["exceptions"]):
            form, pos, *lemmas = line.split("\t")
            self._exceptions[form, int(pos)] = tuple(lemmas)

    def __contains__(self, lemma: object) -> bool:
        return isinstance(lemma, str) and self._number(lemma) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._lemmas)

    def _number(self, lemma: str) -> int | None:
        """The lemma's index, by bisection: building a dictionary would take longer than all its look-ups."""
        at = bisect_left(self._lemmas, lemma)
        return at if at < len(self._lemmas) and self._lemmas[at] == lemma else None

    def synsets(self, lemma: str) -> list[int]:
        """The lemma's synsets by part of speech and, within it, the most frequent sense first."""
        return self._of(lemma, self._senses)

    def counts(self, lemma: str) -> list[int]:
        """How often the sense-tagged texts have each of :meth:`synsets`."""
        return self._of(lemma, self._counts)

    def _of(self, lemma: str, numbers: array[int]) -> list[int]:
        number = self._number(lemma)
        return [] if number is None else numbers[self._starts[number] : self._starts[number + 1]].tolist()

    def exceptions(self, form: str, part_of_speech: int) -> tuple[str, ...]:
        """The lemmas of an irregular form."""
        return self._exceptions.get((form, part_of_speech), ())

    def is_irregular(self, form: str) -> bool:
        """Whether lemmas are listed for a form."""
        return form in self._irregular

    @cached_property
    def _irregular(self) -> frozenset[str]:
        return frozenset(form for form, _ in self._exceptions)


def word_arrays(
    senses: Mapping[str, Sequence[int]],
    counts: Mapping[str, Sequence[int]],
    exceptions: Mapping[tuple[str, int], Sequence[str]],
) -> Arrays:
    """The arrays of a :class:`WordIndex`: the senses of each lemma and their counts, and the lemmas of each irregular
    form by form and part of speech."""
    lemmas = sorted(senses)
    irregular = [f"{form}\t{pos}\t" + "\t".join(found) for (form, pos), found in exceptions.items()]
    return {
        "lemmas": _to_bytes(lemmas),
        "senses": np.array([synset for lemma in lemmas for synset in senses[lemma]], dtype=np.uint32),
        "counts": np.array([count for lemma in lemmas for count in counts[lemma]], dtype=np.uint16),
        "per_lemma": np.array([len(senses[lemma]) for lemma in lemmas], dtype=np.uint8),
        "exceptions": _to_bytes(irregular),
    }


@cache
def load_graph(path: Path) -> HypernymGraph:
    """The graph of a file, which is read once in a process."""
    return HypernymGraph(_load(path, _GRAPH))


@cache
def load_words(path: Path) -> WordIndex:
    """The words of a file, which is read once in a process."""
    return WordIndex(_load(path))


def _numbers(given: npt.NDArray[Any]) -> array[int]:
    """Numbers for access one by one: a list takes ten times the memory, a NumPy array five times the time."""
    return array("I", given.astype(np.uintc).tobytes())


def _starts(sizes: npt.NDArray[np.uint8]) -> array[int]:
    """The start of each group, from the groups' sizes, and the end of the last."""
    return _numbers(np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]))


def _to_bytes(lines: Sequence[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode("utf-8"), dtype=np.uint8)


def _from_bytes(array: npt.NDArray[np.uint8]) -> list[str]:
    text = array.tobytes().decode("utf-8")
    return text.split("\n") if text else []


def save(path: Path, arrays: Arrays, compression: int = zipfile.ZIP_DEFLATED) -> None:
    """Write an ``.npz`` whose bytes depend only on its content (``numpy.savez`` would store the time).

    ``zipfile.ZIP_LZMA`` makes the file a sixth smaller and slower to read.
    """
    with zipfile.ZipFile(path, "w", compression, compresslevel=9) as archive:
        for name, array in {"format": np.array(FORMAT, dtype=np.uint8), **arrays}.items():
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = compression
            with archive.open(entry, "w") as stream:
                np.lib.format.write_array(stream, np.asarray(array, order="C"), allow_pickle=False)


def _load(path: Path, wanted: Sequence[str] = ()) -> dict[str, npt.NDArray[Any]]:
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        message = f"{path}: not a readable WordNet index; rebuild it with python -m sema_wordnet.build"
        raise ResourceError(message) from error
    if int(arrays.get("format", -1)) != FORMAT or not arrays.keys() >= {*wanted}:
        raise ResourceError(f"{path}: a WordNet index of another version; rebuild it with python -m sema_wordnet.build")
    return arrays
