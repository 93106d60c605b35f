"""Sentences with a known number of Scenes, and how dense Scenes are.

    python -m benchmarks.sema_ucca.worked_cases [--convention NAME] [--weights FOLDER]

A copy of a sentence with one Scene keeps the whole Scene, so its SAMSA is 100; this should hold for all sentences of
``one_scene.txt``. A sentence of ``several_scenes.txt`` has one Scene for each main relation listed behind it. Both
files were written before any of their sentences was parsed. The last table has the Scenes per 100 words of TurkCorpus'
test originals, and the share of Scenes without a Participant. The papers' own examples are in
:mod:`benchmarks.papers.worked_examples`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sema_english.segmentation import EnglishSegmenter
from sema_ucca.encoder import UccaEncoder
from sema_ucca.parser import CONVENTIONS, PAPERS, UccaParser

import sema
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import turkcorpus
from sema.model.text import is_punctuation


def lines(name: str, most: int | None) -> list[list[str]]:
    """The lines of a file beside this one, each split at its bar."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return [line.split(" | ") for line in text.splitlines() if not line.startswith("#")][:most]


def main_relations(parser: UccaParser, sentences: Sequence[str]) -> list[list[list[str]]]:
    """For each text the words of the minimal centers of each Scene's main relation."""
    return [
        [
            [graph.tokens[token] for center in scene.main_relation for token in center]
            for graph in parser.extract(text.sentence_words)
            for scene in graph.scenes()
        ]
        for text in EnglishSegmenter().segment(sentences)
    ]


def counted(parser: UccaParser, most: int | None) -> None:
    """Print the sentences that are wrong, and how many are right."""
    table = Figures("parsing.worked_cases", "what", digits=0)
    copies = [sentence for (sentence,) in lines("one_scene.txt", most)]
    items = sema.Scorer("en", ["samsa"], extractor=parser).score(copies, copies).systems[0].items
    whole = [abs(item.scores["samsa"] - 100) < 0.01 for item in items]
    single = [len(relations) == 1 for relations in main_relations(parser, copies)]
    several = lines("several_scenes.txt", most)
    number, named = [], []
    for (sentence, words), relations in zip(several, main_relations(parser, [row[0] for row in several]), strict=True):
        wanted = words.split(", ")
        number.append(len(relations) == len(wanted))
        named.append(number[-1] and all(any(word in relation for relation in relations) for word in wanted))
        if not named[-1]:
            print(f"<!-- {sentence}: {words}; found {', '.join(map(' '.join, relations))} -->")
    for sentence, *right in zip(copies, whole, single, strict=True):
        if not all(right):
            print(f"<!-- {sentence}: one Scene -->")
    for name, marks in {
        "copies of sentences of one Scene: samsa 100": whole,
        "sentences of one Scene: one found": single,
        "sentences of several Scenes: their number right": number,
        "sentences of several Scenes: main relations too": named,
    }.items():
        table.row(name, {"right": sum(marks)}, n=len(marks))
    print()


def densities(encoder: UccaEncoder, most: int | None) -> None:
    """Print Scenes per 100 words of TurkCorpus' test originals, and those without a Participant, by convention."""
    texts = EnglishSegmenter().segment(turkcorpus("test")[0][:most])
    sentences = [words for text in texts for words in text.sentence_words]
    count = sum(not is_punctuation(word) for words in sentences for word in words)
    table = Figures("parsing.densities", "convention", digits=1, data="TurkCorpus test originals")
    for name in CONVENTIONS:
        graphs = UccaParser(convention=name, encoder=encoder).extract(sentences)
        scenes = [scene for graph in graphs for scene in graph.scenes()]
        bare = 100 * sum(not scene.participants for scene in scenes) / max(1, len(scenes))
        figures = {"Scenes per 100 words": 100 * len(scenes) / count, "without a Participant, %": bare}
        table.row(name, figures, n=len(texts))


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--convention", default=PAPERS, choices=CONVENTIONS)
    parser.add_argument("--weights", help="another folder of the parser's weights")
    arguments = parser.parse(argv)
    most = 4 if arguments.smoke else None
    encoder = UccaEncoder(weights=arguments.weights)
    counted(UccaParser(convention=arguments.convention, encoder=encoder), most)
    densities(encoder, most)


if __name__ == "__main__":
    run(main)
