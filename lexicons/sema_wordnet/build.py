"""Builds the index: ``python -m sema_wordnet.build DICT [--chinese TAB ...]``.

``DICT`` is the folder of WordNet 3.0's dictionary files (Debian's package ``wordnet-base`` has them in
``usr/share/wordnet``); ``TAB`` are wordnets in the Open Multilingual Wordnet's tab format over WordNet 3.0's synsets.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from sema.errors import InputError, SemaError
from sema_wordnet.index import HypernymGraph, WordIndex
from sema_wordnet.lexicon import DATA
from sema_wordnet.wndb import PARTS_OF_SPEECH, POS_LETTERS, WordNet, read_wordnet


def build_graph(wordnet: WordNet) -> HypernymGraph:
    """Number the synsets by part of speech and offset, and lay their hypernyms out as arrays."""
    synsets = sorted(wordnet.hypernyms)
    numbers = {synset: number for number, synset in enumerate(synsets)}
    bounds = [sum(pos < limit for pos, _ in synsets) for limit in range(len(PARTS_OF_SPEECH) + 1)]
    above = [sorted({numbers[target] for target in wordnet.hypernyms[synset]}) for synset in synsets]
    return HypernymGraph(
        np.array(bounds, dtype=np.uint32),
        np.array([offset for _, offset in synsets], dtype=np.uint32),
        np.array([len(targets) for targets in above], dtype=np.uint8),
        np.array([target for targets in above for target in targets], dtype=np.uint32),
        np.array(sorted(numbers[synset] for synset in wordnet.individuals), dtype=np.uint32),
    )


def build_english(wordnet: WordNet, graph: HypernymGraph) -> WordIndex:
    """The lemmas of WordNet itself, with the counts of its sense-tagged texts."""
    senses: dict[str, list[int]] = {}
    counts: dict[str, list[int]] = {}
    for lemma, synsets in wordnet.senses.items():
        ranks = dict.fromkeys(range(len(PARTS_OF_SPEECH)), 0)
        for pos, offset in synsets:
            ranks[pos] += 1
            number = graph.find(pos, offset)
            assert number is not None  # the reader has checked every synset
            senses.setdefault(lemma, []).append(number)
            counts.setdefault(lemma, []).append(wordnet.counts.get((lemma, pos, ranks[pos]), 0))
    return WordIndex(senses, counts, wordnet.exceptions)


def read_tab(path: Path, graph: HypernymGraph) -> Iterable[tuple[str, int]]:
    """The (lemma, synset) pairs of a wordnet in tab format; pairs whose synset WordNet 3.0 lacks are left out."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise InputError(f"cannot read this wordnet ({error.strerror})", file=path) from error
    for number, line in enumerate(lines, start=1):
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


def build_chinese(paths: Sequence[Path], graph: HypernymGraph) -> WordIndex:
    """The lemmas of Chinese wordnets, each in its own script and, if different, in the other one.

    Chinese wordnets rank no senses: a lemma's synsets come in the order of WordNet's numbers, the first file's first.
    """
    from opencc import OpenCC

    converters = [OpenCC("s2t"), OpenCC("t2s")]
    senses: dict[str, list[int]] = {}
    for path in paths:
        for lemma, synset in read_tab(path, graph):
            for form in {lemma, *(converter.convert(lemma) for converter in converters)}:
                listed = senses.setdefault(form, [])
                if synset not in listed:
                    listed.append(synset)
    return WordIndex(senses, {lemma: [0] * len(listed) for lemma, listed in senses.items()}, {})


def main(arguments: Sequence[str] | None = None) -> int:
    """Command-line entry point; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m sema_wordnet.build", description=__doc__)
    parser.add_argument("dict", type=Path, help="folder of WordNet 3.0's dictionary files")
    parser.add_argument("--chinese", type=Path, nargs="*", default=[], metavar="TAB", help="Chinese wordnets")
    parser.add_argument("--to", type=Path, default=DATA, help="output folder (default: the package's data folder)")
    options = parser.parse_args(arguments)
    try:
        wordnet = read_wordnet(options.dict)
        graph = build_graph(wordnet)
        indexes = {"english": build_english(wordnet, graph)}
        if options.chinese:
            indexes["chinese"] = build_chinese(options.chinese, graph)
    except SemaError as error:
        print(error, file=sys.stderr)
        return 1
    options.to.mkdir(parents=True, exist_ok=True)
    graph.save(options.to / "graph.npz")
    for name, index in indexes.items():
        index.save(options.to / f"{name}.npz")
        print(f"{name}: {len(index):,} lemmas, {(options.to / f'{name}.npz').stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
