"""Builds the index: ``python -m sema_wordnet.build DICT [--chinese TAB ...] [--languages TAB ...]``.

``DICT`` is the folder of WordNet 3.0's dictionary files (Debian's package ``wordnet-base`` has them in
``usr/share/wordnet``); ``TAB`` are wordnets in the Open Multilingual Wordnet's tab format over WordNet 3.0's synsets,
as text or compressed (``.gz``). Those of ``--languages`` say in how many languages a synset has a word: a file's
language is its name before the first ``.`` or ``_``. Those that :mod:`sema_wordnet.languages` names get an index.
"""

from __future__ import annotations

import argparse
import re
import sys
import unicodedata
import zipfile
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import log2
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sema.errors import InputError, SemaError
from sema.runtime.contents import text_content
from sema_wordnet.index import Arrays, HypernymGraph, save, word_arrays
from sema_wordnet.languages import WORDNETS, folded
from sema_wordnet.lexicon import DATA, ClassLimits
from sema_wordnet.wndb import PARTS_OF_SPEECH, POS_LETTERS, WordNet, read_wordnet

Synset = tuple[int, int]
"""Part of speech 0-3 and byte offset."""

_MOVED = {1: (613_018, 18), 2: (1_681_607, 1)}
"""In Debian's edition the glosses of one verb and one adjective are longer. By part of speech: the offset of the first
synset after it in Princeton's files, and by how many bytes that synset and all later ones are moved."""
_MOST = 2**16 - 1
_LONGEST = 3
"""The most words in a lemma that is kept, in languages other than English and Chinese."""
_SIGNS = " -'’·./"
"""Signs that a lemma may have beside letters, marks and digits; others belong to notes: *GAP!*, *šaka (mokslo)*."""


def princeton_offset(synset: Synset, synsets: Collection[Synset]) -> int:
    """A synset's offset in Princeton's files, by which other wordnets name it; ``synsets`` are all of an edition."""
    part_of_speech, offset = synset
    first, moved = _MOVED.get(part_of_speech, (0, 0))
    debian = moved and (part_of_speech, first + moved) in synsets
    return offset - moved if debian and offset > first else offset


def sense_counts(wordnet: WordNet, lemma: str) -> Iterator[int]:
    """Occurrences of a lemma's senses in the sense-tagged texts, in their order."""
    ranks = dict.fromkeys(range(len(PARTS_OF_SPEECH)), 0)
    for pos, _ in wordnet.senses[lemma]:
        ranks[pos] += 1
        yield wordnet.counts.get((lemma, pos, ranks[pos]), 0)


def synset_counts(wordnet: WordNet) -> Counter[Synset]:
    """Occurrences of each synset in the sense-tagged texts, by any of its words."""
    counts: Counter[Synset] = Counter()
    for lemma, synsets in wordnet.senses.items():
        for synset, count in zip(synsets, sense_counts(wordnet, lemma), strict=True):
            counts[synset] += count
    return counts


def information_content(
    hypernyms: Mapping[Synset, Sequence[Synset]], counts: Mapping[Synset, int]
) -> dict[Synset, float]:
    """The information content of each synset in bits (Resnik, IJCAI 1995): -log2 of its share of its part of speech.

    Its share is its occurrences and those of every synset below it; each synset counts once more, so that none has 0.
    """
    below: Counter[Synset] = Counter()
    whole: Counter[int] = Counter()
    for synset in hypernyms:
        own = counts.get(synset, 0) + 1
        whole[synset[0]] += own
        reached, level = {synset}, {synset}
        while level := {above for lower in level for above in hypernyms[lower]} - reached:
            reached |= level
        below.update(dict.fromkeys(reached, own))
    return {synset: log2(whole[synset[0]] / below[synset]) for synset in hypernyms}


def build_graph(wordnet: WordNet, languages: Sequence[Path] = ()) -> HypernymGraph:
    """Number the synsets by part of speech and offset, and lay out the index's data on them as arrays."""
    synsets = sorted(wordnet.hypernyms)
    numbers = {synset: number for number, synset in enumerate(synsets)}
    bounds = [sum(pos < limit for pos, _ in synsets) for limit in range(len(PARTS_OF_SPEECH) + 1)]
    above = [sorted({numbers[target] for target in wordnet.hypernyms[synset]}) for synset in synsets]
    bits = information_content(wordnet.hypernyms, synset_counts(wordnet))
    arrays: Arrays = {
        "bounds": np.array(bounds, dtype=np.uint32),
        "offsets": np.array([princeton_offset(synset, wordnet.hypernyms) for synset in synsets], dtype=np.uint32),
        "targets_per_synset": np.array([len(targets) for targets in above], dtype=np.uint8),
        "targets": np.array([target for targets in above for target in targets], dtype=np.uint32),
        "individuals": np.array(sorted(numbers[synset] for synset in wordnet.individuals), dtype=np.uint32),
        "eighths": np.array([round(8 * bits[synset]) for synset in synsets], dtype=np.uint8),
        "languages": np.zeros(len(synsets), dtype=np.uint8),
    }
    return HypernymGraph({**arrays, "languages": count_languages(languages, HypernymGraph(arrays))})


def count_languages(paths: Sequence[Path], graph: HypernymGraph) -> npt.NDArray[np.uint8]:
    """For each synset the number of languages whose wordnets have a word for it."""
    named: dict[str, set[int]] = {}
    for path in paths:
        named.setdefault(re.split(r"[._]", path.name)[0], set()).update(synset for _, synset in read_tab(path, graph))
    counts = Counter(synset for synsets in named.values() for synset in synsets)
    return np.array([counts[number] for number in range(len(graph.offsets))], dtype=np.uint8)


def build_english(wordnet: WordNet, graph: HypernymGraph) -> Arrays:
    """The lemmas of WordNet itself, with the counts of its sense-tagged texts."""
    senses: dict[str, list[int]] = {}
    for lemma, synsets in wordnet.senses.items():
        found = [graph.find(pos, princeton_offset((pos, offset), wordnet.hypernyms)) for pos, offset in synsets]
        senses[lemma] = [number for number in found if number is not None]  # all: the reader has checked every synset
    counts = {lemma: list(sense_counts(wordnet, lemma)) for lemma in senses}
    return word_arrays(senses, counts, wordnet.exceptions)


def read_tab(path: Path, graph: HypernymGraph) -> Iterable[tuple[str, int]]:
    """The (lemma, synset) pairs of a wordnet in tab format; pairs whose synset WordNet 3.0 lacks are left out."""
    for number, line in enumerate(text_content(path).split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            synset, kind, lemma = line.split("\t")[:3]
            offset, letter = synset.split("-")
            found = graph.find(POS_LETTERS[letter], int(offset))
        except (ValueError, KeyError) as error:
            raise InputError("expected OFFSET-POS, a tab, LANG:lemma, a tab, LEMMA", file=path, line=number) from error
        if found is not None and kind.endswith("lemma"):
            yield lemma.strip().replace("_", " ").lower(), found


def read_senses(
    paths: Sequence[Path], graph: HypernymGraph, spellings: Callable[[str], Iterable[str]]
) -> dict[str, list[int]]:
    """The synsets of each lemma, in the order of the files, under all spellings of the lemma."""
    senses: dict[str, dict[int, None]] = {}
    for path in paths:
        for lemma, synset in read_tab(path, graph):
            for form in spellings(lemma):
                senses.setdefault(form, {})[synset] = None
    return {form: list(synsets) for form, synsets in senses.items()}


def counts_by_number(wordnet: WordNet) -> list[int]:
    """The occurrences of each synset, in the order of the graph; wordnets of other languages have no counts."""
    english = synset_counts(wordnet)
    return [min(english[synset], _MOST) for synset in sorted(wordnet.hypernyms)]


def build_chinese(paths: Sequence[Path], graph: HypernymGraph, counts: Sequence[int]) -> Arrays:
    """The lemmas of Chinese wordnets, each in its own script and, if different, in the other one.

    A lemma's synsets come in the order of WordNet's numbers, the first file's first.
    """
    from opencc import OpenCC

    converters = [OpenCC("s2t"), OpenCC("t2s")]
    senses = read_senses(paths, graph, lambda lemma: {lemma, *(one.convert(lemma) for one in converters)})
    return word_arrays(senses, {lemma: [counts[synset] for synset in listed] for lemma, listed in senses.items()}, {})


def build_language(paths: Sequence[Path], graph: HypernymGraph, counts: Sequence[int]) -> Arrays:
    """The lemmas of a language's wordnets as :func:`sema_wordnet.languages.folded` writes them.

    A lemma's synsets come by part of speech and then by use, the most used first. Senses with a small share of the
    lemma's uses are left out. The counts are logarithms of those of the synset's English words: that *guy* is frequent
    does not make it the usual sense of *chat*.
    """
    weights = [round(log2(1 + count)) for count in counts]
    given = read_senses(paths, graph, lambda lemma: [folded(lemma)] if _is_lemma(lemma) else [])
    senses = {}
    for lemma, synsets in given.items():
        uses = {synset: graph.use(synset, weights[synset]) for synset in synsets}
        least = ClassLimits().wider_share * sum(uses.values())
        kept = [synset for synset in synsets if uses[synset] >= least]
        order = {synset: (bisect_right(graph.limits, synset), -uses[synset], synset) for synset in kept}
        if kept:
            senses[lemma] = sorted(kept, key=order.__getitem__)
    return word_arrays(senses, {lemma: [weights[synset] for synset in listed] for lemma, listed in senses.items()}, {})


def _is_lemma(lemma: str) -> bool:
    signs = all(char in _SIGNS or unicodedata.category(char)[0] in "LMN" for char in lemma)
    return signs and any(map(str.isalpha, lemma)) and len(lemma.split()) <= _LONGEST


def languages_of(paths: Sequence[Path]) -> dict[str, list[Path]]:
    """The files of each language, by its code; files of languages without an index are left out."""
    by_name = {path.name.partition(".")[0]: path for path in paths}
    found = {code: [by_name[name] for name in names if name in by_name] for code, names in WORDNETS.items()}
    return {code: files for code, files in found.items() if files}


def main(arguments: Sequence[str] | None = None) -> int:
    """Command-line entry point; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m sema_wordnet.build", description=__doc__)
    parser.add_argument("dict", type=Path, help="folder of WordNet 3.0's dictionary files")
    parser.add_argument("--chinese", type=Path, nargs="*", default=[], metavar="TAB", help="Chinese wordnets")
    parser.add_argument(
        "--languages", type=Path, nargs="*", default=[], metavar="TAB", help="wordnets of other languages"
    )
    parser.add_argument("--to", type=Path, default=DATA, help="output folder (default: the package's data folder)")
    options = parser.parse_args(arguments)
    try:
        wordnet = read_wordnet(options.dict)
        graph = build_graph(wordnet, options.languages)
        indexes = {"english": build_english(wordnet, graph)}
        counts = counts_by_number(wordnet)
        if options.chinese:
            indexes["chinese"] = build_chinese(options.chinese, graph, counts)
        small = {code: build_language(files, graph, counts) for code, files in languages_of(options.languages).items()}
    except SemaError as error:
        print(error, file=sys.stderr)
        return 1
    options.to.mkdir(parents=True, exist_ok=True)
    save(options.to / "graph.npz", graph.arrays)
    for name, index in (indexes | small).items():
        save(options.to / f"{name}.npz", index, zipfile.ZIP_LZMA if name in small else zipfile.ZIP_DEFLATED)
        print(f"{name}: {len(index):,} lemmas, {(options.to / f'{name}.npz').stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
