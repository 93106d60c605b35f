"""The papers' worked examples and copies of one-Scene sentences, from raw text: expected and actual scores.

    python -m benchmarks.sema_ucca.worked_cases [--convention NAME] [--weights FOLDER]

The examples are those of the papers on SAMSA (Sulem, Abend and Rappoport 2018) and SEMA, and of Alva-Manchego, Scarton
and Specia (2021), parsed and aligned like a user's texts. A copy of a sentence with one Scene keeps the whole Scene, so
its SAMSA is 100; so it should be for all sentences of ``one_scene.txt``. A sentence of ``several_scenes.txt`` has one
Scene for each main relation listed behind it. Both files were written before any of their sentences was parsed. The
last table has the Scenes per 100 words of TurkCorpus' test originals, and the share of Scenes without a Participant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sema_english.segmentation import EnglishSegmenter
from sema_ucca.conventions import CONVENTIONS, PAPERS
from sema_ucca.encoder import UccaEncoder
from sema_ucca.parser import UccaParser

import sema
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import turkcorpus
from sema.model.text import is_punctuation

METRICS = ("samsa", "samsa_abl", "sema_base", "sema_part")
Scores = Mapping[str, float]


@dataclass(frozen=True)
class Case:
    """A source, its simplification, the scores that the paper expects, and a check of scores against them."""

    source: str
    output: str
    wanted: str
    holds: Callable[[Scores], bool]


def near(metric: str, value: float) -> Callable[[Scores], bool]:
    """Whether a metric has a value, to a hundredth."""
    return lambda scores: abs(scores[metric] - value) < 0.01


BOOK = "I read the book that John wrote."
CALL = "John got home and gave Mary a call."
TOWER = (
    "Central Park Tower has just become the tallest residential building in the world.",
    "Central Park Tower is a building in New York. There are only apartments in this building. There are no offices in "
    "this building. Now, it is the tallest building with apartments in the world.",
)
CASES = (
    Case(BOOK, "John wrote a book. I read that book.", "samsa 100", near("samsa", 100)),
    Case(BOOK, "John wrote. I read the book.", "samsa < 100", lambda scores: scores["samsa"] < 99.99),
    Case(CALL, "John got home. John gave Mary a call.", "samsa 100", near("samsa", 100)),
    Case(CALL, "John got home and gave. Mary called.", "samsa < 100", lambda scores: scores["samsa"] < 99.99),
    Case(
        "About 13 million Syrians had to leave their homes because of danger.",
        "About 13 million had to leave their homes.",
        "samsa_abl 83.33",
        near("samsa_abl", 250 / 3),
    ),
    Case(
        "I like banana, apple and orange.",
        "I love apple.",
        "sema_part 8.33 above sema_base",
        lambda scores: abs(scores["sema_part"] - scores["sema_base"] - 25 / 3) < 0.01,
    ),
    Case(*TOWER, "samsa 0", near("samsa", 0)),
    Case(*TOWER, "sema_base > 0", lambda scores: scores["sema_base"] > 0),
    Case(
        "The combination of new weapons and tactics marks this battle as the end of chivalry.",
        "The combination of new weapons and tactics. It is the end of chivalry.",
        "samsa 0",
        near("samsa", 0),
    ),
    Case(
        "Graham attended Wheaton College from 1939 to 1943, when he graduated with a BA in anthropology.",
        "Graham attended Wheaton College from 1939 to 1943. He graduated with a BA in anthropology.",
        "samsa 100",
        near("samsa", 100),
    ),
    *(
        Case(text, text, "samsa 100", near("samsa", 100))
        for text in (
            "Orton and his wife welcomed Alanna Marie Orton on July 12 2008.",
            "John kicked his ball.",
            "John took a shower.",
            "The big brown dogs slept in the box.",
        )
    ),
)
COPIES = (
    "The old bridge collapsed.",
    "The tall young man opened the heavy wooden door.",
    "A famous British scientist discovered the tiny blue planet.",
    "Her brother sold his car.",
    "The king's daughter loved the painter's work.",
    "Their new neighbours painted their house in spring.",
    "Mary took a walk in the park.",
    "The committee made a decision yesterday.",
    "The boys had lunch at school.",
    "He gave his mother a kiss.",
    "The castle was built in 1450.",
    "The letters were burned by the soldiers.",
    "The prize has been won by a Swedish team.",
    "Paris is the capital of France.",
    "The water was very cold.",
    "His uncle is a doctor.",
    "The children have been in the garden.",
    "Angela Merkel, the German chancellor, visited the small town.",
    "The capital city, Oslo, lies on the coast.",
    "The band released their second studio album in March 2004.",
)


Row = Callable[[str, int, int], None]
"""Takes a name, the number of right texts, and the number of texts."""


def report(scorer: sema.Scorer, row: Row) -> None:
    """Print every case, and how many are right."""
    cases = [*CASES, *(Case(text, text, "samsa 100", near("samsa", 100)) for text in COPIES)]
    system = scorer.score([case.source for case in cases], [case.output for case in cases]).systems[0]
    right = []
    for case, item in zip(cases, system.items, strict=True):
        right.append(case.holds(item.scores))
        shown = "  ".join(f"{name} {item.scores[name]:.2f}" for name in METRICS)
        print(f"{'right' if right[-1] else 'WRONG'}  {case.wanted:32} {shown}  {case.source}")
    count = len(CASES)
    row("worked cases of the papers", sum(right[:count]), count)
    row("copies of one-Scene sentences: samsa 100", sum(right[count:]), len(COPIES))


def lines(name: str) -> list[list[str]]:
    """The lines of a file beside this one, each split at its bar."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return [line.split(" | ") for line in text.splitlines() if not line.startswith("#")]


def one_scene(scorer: sema.Scorer, parser: UccaParser, row: Row, most: int | None) -> None:
    """Print the one-Scene sentences with wrong scores, and how many are right."""
    copies = [sentence for (sentence,) in lines("one_scene.txt")][:most]
    items = scorer.score(copies, copies).systems[0].items
    whole = [near("samsa", 100)(item.scores) for item in items]
    single = [len(relations) == 1 for relations in main_relations(parser, copies)]
    for sentence, *right in zip(copies, whole, single, strict=True):
        if not all(right):
            print(f"WRONG  {'one Scene, samsa 100':32} {sentence}")
    row("copies of sentences of one Scene: samsa 100", sum(whole), len(copies))
    row("sentences of one Scene: one found", sum(single), len(copies))


def several_scenes(parser: UccaParser, row: Row, most: int | None) -> None:
    """Print the sentences with a wrong number of Scenes, and how many are right."""
    items = lines("several_scenes.txt")[:most]
    counted, named = 0, 0
    for (sentence, words), relations in zip(items, main_relations(parser, [item[0] for item in items]), strict=True):
        wanted = words.split(", ")
        number = len(relations) == len(wanted)
        every = all(any(word in relation for relation in relations) for word in wanted)
        counted, named = counted + number, named + (number and every)
        if not (number and every):
            print(f"WRONG  {words:32} {', '.join(map(' '.join, relations)):40} {sentence}")
    row("sentences of several Scenes: their number right", counted, len(items))
    row("sentences of several Scenes: main relations too", named, len(items))


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


def densities(encoder: UccaEncoder, most: int | None) -> None:
    """Print Scenes per 100 words of TurkCorpus' test originals, and those without a Participant, by convention."""
    texts = EnglishSegmenter().segment(turkcorpus("test")[0][:most])
    sentences = [words for text in texts for words in text.sentence_words]
    count = sum(not is_punctuation(word) for words in sentences for word in words)
    names = ("Scenes per 100 words", "without a Participant, %")
    table = Figures("parsing.densities", "convention", digits=1, data="TurkCorpus test originals")
    for name in CONVENTIONS:
        graphs = UccaParser(convention=name, encoder=encoder).extract(sentences)
        scenes = [scene for graph in graphs for scene in graph.scenes()]
        bare = sum(not scene.participants for scene in scenes)
        figures = (100 * len(scenes) / count, 100 * bare / max(1, len(scenes)))
        table.row(name, dict(zip(names, figures, strict=True)), n=len(texts))


def main(argv: Sequence[str] | None = None) -> None:
    """Print the cases and the tables."""
    parser = CommandLine(__doc__)
    parser.add_argument("--convention", default=PAPERS, choices=CONVENTIONS)
    parser.add_argument("--weights", help="another folder of the parser's weights")
    arguments = parser.parse(argv)
    most = 4 if arguments.smoke else None
    encoder = UccaEncoder(weights=arguments.weights)
    scenes = UccaParser(convention=arguments.convention, encoder=encoder)
    print(scenes.signature)
    scorer = sema.Scorer("en", metrics=METRICS, extractor=scenes)
    counts: list[tuple[str, int, int]] = []

    def row(*counted: Any) -> None:
        counts.append(counted)

    report(scorer, row)
    one_scene(scorer, scenes, row, most)
    several_scenes(scenes, row, most)
    print()
    table = Figures("parsing.worked_cases", "what", digits=0)
    for name, right, count in counts:
        table.row(name, {"right": right}, n=count)
    print()
    densities(encoder, most)


if __name__ == "__main__":
    run(main)
