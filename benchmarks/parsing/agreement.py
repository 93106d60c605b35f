"""Scenes of the same sentence in many languages: do their numbers and main relations agree?

``python -m benchmarks.parsing.agreement [LANGUAGE ...] [--trees gold predicted]`` (default: all parallel treebanks)

The first halves of the parallel treebanks have the same sentences; their English (``text_en``) is parsed by UCCA,
Chinese and the others by dependencies, with a Scene for each clause. A sentence's main relations in two languages agree
if a word link joins them, one to one. Links join words that are each other's nearest by contextual vectors; how many
main relations have a link at all shows what the links themselves cost. Since the parser learns from these sentences,
its trees, from raw text, are those of the held-out tenth (Chinese ones may have been learned from).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import mean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sema_ud.conllu import Sentence, read_sentences
from sema_ud.extraction import extract_scenes

from benchmarks.parsing.parts import tools, treebank
from benchmarks.parsing.scores import Characters, match
from benchmarks.records import CommandLine, Figures, run
from sema.datasets.folder import data_folder
from sema.model.scene_graph import SceneGraph
from sema.model.text import is_punctuation
from training.trees.treebanks import HELD_OUT, contracted, files_of

ENGLISH = "en by UCCA"
LAYER = 6  # of layers 4, 6, 8 and 10 it links the most main relations of gold trees
CHINESE = ("ud", "zh_pud", "zh_pud-001-500.conllu")
DIGITS = {"mean difference": 2, "same number, %": 1, "main relations F1": 1, "main relations linked, %": 1}
"""The figures of two languages, and their decimals."""


class Reading(NamedTuple):
    """A sentence in one language: its words, their unit vectors, and the words of each Scene's main relation."""

    words: Sequence[str]
    relations: Sequence[Characters]
    vectors: NDArray[np.float32]


def encoded(sentences: Sequence[Sequence[SceneGraph]]) -> list[Reading]:
    """Sentences that were parsed as one or more, with vectors that all languages share."""
    from sema_reader.languages import all_languages
    from sema_reader.token_encoder import ReaderTokenEncoder

    read: list[tuple[list[str], list[Characters]]] = []
    for graphs in sentences:
        words: list[str] = []
        relations = []
        for graph in graphs:
            for scene in graph.scenes():
                relations.append(frozenset(len(words) + token for center in scene.main_relation for token in center))
            words += graph.tokens
        read.append((words, relations))
    vectors = ReaderTokenEncoder(all_languages(), layer=LAYER).words([words for words, _ in read])
    return [Reading(*one, own) for one, own in zip(read, vectors, strict=True)]


def links(first: Reading, second: Reading) -> list[tuple[int, int]]:
    """Pairs of words, without punctuation, that are each other's nearest."""
    rows, columns = ([i for i, word in enumerate(one.words) if not is_punctuation(word)] for one in (first, second))
    if not rows or not columns:
        return []
    near = first.vectors[rows] @ second.vectors[columns].T
    best = near.argmax(1)
    return [(rows[i], columns[j]) for i, j in enumerate(best.tolist()) if near[:, j].argmax() == i]


def agreement(first: Sequence[Reading], second: Sequence[Reading]) -> dict[str, float]:
    """How far the Scenes of the same sentences in two languages agree; a relation is linked if any word of it is."""
    difference = same = agreed = linked = total = 0
    for one, other in zip(first, second, strict=True):
        pairs = links(one, other)
        across = [frozenset(j for i, j in pairs if i in relation) for relation in one.relations]
        back = [any(j in relation for _, j in pairs) for relation in other.relations]
        apart = abs(len(one.relations) - len(other.relations))
        difference += apart
        same += not apart
        agreed += len(match(across, other.relations))
        linked += sum(map(bool, across)) + sum(back)
        total += len(one.relations) + len(other.relations)
    count, total = len(first), max(1, total)
    figures = (difference / count, 100 * same / count, 200 * agreed / total, 100 * linked / total)
    return dict(zip(DIGITS, figures, strict=True))


def parallel() -> dict[str, list[Sentence]]:
    """The parallel sentences by language, in one order."""
    files = [file for file in [*files_of("learn"), data_folder(*CHINESE)] if "_pud-" in file.name]
    found = {treebank(file).partition("_")[0]: list(read_sentences(file)) for file in sorted(files)}
    first = [sentence.identifier for sentence in next(iter(found.values()))]
    for code, sentences in found.items():
        if [sentence.identifier for sentence in sentences] != first:
            raise ValueError(f"the parallel sentences of {code} are others")
    return found


def gold(code: str, sentences: Sequence[Sentence]) -> list[list[SceneGraph]]:
    """The Scenes of each sentence by the treebank's trees."""
    return [[extract_scenes(contracted(sentence).tree)] for sentence in sentences]


def predicted(code: str, sentences: Sequence[Sentence]) -> list[list[SceneGraph]]:
    """The Scenes of each sentence by the parser, from raw text."""
    segmenter, parser = tools(code)
    texts = segmenter.segment([sentence.text for sentence in sentences])
    trees = iter(parser.parse([words for text in texts for words in text.sentence_words]))
    return [[extract_scenes(next(trees)) for _ in text.sentences] for text in texts]


def english(raws: Sequence[str]) -> list[list[SceneGraph]]:
    """The Scenes of each English sentence by the UCCA parser that ships."""
    from sema_english.segmentation import EnglishSegmenter
    from sema_ucca.encoder import UccaEncoder
    from sema_ucca.parser import UccaParser

    texts = EnglishSegmenter().segment(raws)
    graphs = iter(UccaParser(encoder=UccaEncoder()).extract([words for text in texts for words in text.sentence_words]))
    return [[next(graphs) for _ in text.sentences] for text in texts]


def show(trees: str, readings: Mapping[str, Sequence[Reading]]) -> None:
    """Print and record the figures by language, and by pair of languages."""
    pairs = {(one, other): agreement(readings[one], readings[other]) for one, other in combinations(readings, 2)}
    codes = [code for code in readings if code != ENGLISH]
    digits = {"Scenes a sentence": 2, **DIGITS, **{f"{ENGLISH}: {name}": places for name, places in DIGITS.items()}}
    table = Figures(f"parallel.{trees}", "language", digits=digits)
    for code in readings:
        others = [figures for pair, figures in pairs.items() if code in pair and ENGLISH not in {*pair} - {code}]
        row: dict[str, float | None] = {"Scenes a sentence": mean(len(reading.relations) for reading in readings[code])}
        row |= {name: mean(figures[name] for figures in others) for name in DIGITS}
        row |= {f"{ENGLISH}: {name}": pairs.get((code, ENGLISH), {}).get(name) for name in DIGITS}
        table.row(code, row, n=len(readings[ENGLISH]))
    for place, name in enumerate(list(DIGITS)[:3], 1):
        print(f"\n{name}\n")
        by_pair = Figures(f"parallel.{trees}_{place}", "language", digits=dict.fromkeys(codes, DIGITS[name]))
        for code in [*codes[1:], ENGLISH]:
            by_pair.row(code, {one: pairs[one, code][name] if (one, code) in pairs else None for one in codes})
    print()


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="two or more, for example de es")
    parser.add_argument("--trees", nargs="+", choices=("gold", "predicted"), default=("gold", "predicted"))
    arguments = parser.parse(argv)
    found = parallel()
    wanted = arguments.languages or (["de", "es"] if arguments.smoke else list(found))
    if len({*wanted}) < 2 or not {*wanted} <= found.keys():
        parser.error(f"choose two or more of {' '.join(found)}")
    translations = {s.identifier: text for one in found.values() for s in one if (text := s.comments.get("text_en"))}
    for trees in arguments.trees:
        step = HELD_OUT if trees == "predicted" else 1
        some = {code: found[code][::step][: 4 if arguments.smoke else None] for code in sorted(wanted)}
        read = gold if trees == "gold" else predicted
        readings = {code: encoded(read(code, sentences)) for code, sentences in some.items()}
        raws = [translations[sentence.identifier] for sentence in next(iter(some.values()))]
        show(trees, {**readings, ENGLISH: encoded(english(raws))})


if __name__ == "__main__":
    run(main)
