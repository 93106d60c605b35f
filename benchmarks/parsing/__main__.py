"""Words, trees and Scenes in every language, from raw text and from gold words, against gold trees.

``python -m benchmarks.parsing [LANGUAGE ...]`` (default: all that have a treebank; by code)

Test parts are joined to passages of ten sentences. A token that stands for several words is one word, as the parser
reads it, and a word with spaces is several; official figures compare with the treebank's own words, so such words count
as missing. For a language without a test part, the held-out tenth of its parallel sentences is parsed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from sema_ud.extraction import extract_scenes
from sema_ud.trees import TreeProvider

from benchmarks.parsing.parts import Part, parts, passages, tools
from benchmarks.parsing.scores import Item, compare_scenes, compare_sentences, compare_words
from benchmarks.records import CommandLine, Figures, run
from sema.model.text import Segmenter

ROOT = "root right"
COVERED = "gold root among the predicted main relations"
COMMON, LESS = {"LAS": 80, ROOT: 88}, {"LAS": 70, ROOT: 80}
AIMS = {
    **{code: COMMON for code in ("es", "fr", "de", "it", "pt", "nl", "sv", "da", "no", "ru", "sl", "ro", "hr")},
    **{code: LESS for code in ("ja", "ko", "tr", "fi", "fa", "el", "id", "uk")},
    "zh": {"words": 95, "LAS": 74, ROOT: 85, "clause heads": 87, "dependents of matched clause heads": 77, COVERED: 95},
}
"""What raw text should reach, by language."""
SHOWN = {"words": "words", "labelled attachment": "LAS", "roots": ROOT}
SMOKE = ("es", "pl", "zh")


class Measured(NamedTuple):
    """The figures of a part, in percent; ``rates``: sentences a second of processor time."""

    part: Part
    sentences: int
    trees: dict[str, float]
    scenes: dict[str, float]
    gold_words: dict[str, float]
    rates: dict[str, float]


def measure(part: Part, segmenter: Segmenter, parser: TreeProvider, most: int | None = None) -> Measured:
    """Parse a part, or its first ``most`` sentences."""
    sentences = part.sentences()[:most]
    texts = passages(sentences)
    raws, gold = [text.raw for text in texts], [text.gold for text in texts]
    parser.parse(segmenter.segment(raws[:1])[0].sentence_words)  # loads the models
    clock = time.process_time  # with one thread it does not depend on what else the machine does
    times = [clock()]
    segmented = segmenter.segment(raws)
    times.append(clock())
    trees = parser.parse([words for text in segmented for words in text.sentence_words])
    times.append(clock())
    for tree in trees:
        extract_scenes(tree).scenes()
    times.append(clock())
    rates = [len(sentences) / (end - start) for start, end in pairwise(times)]
    remaining = iter(trees)
    predicted = [Item.parsed(text, [next(remaining) for _ in text.sentences]) for text in segmented]
    official = compare_words([text.official for text in texts], predicted)
    sentences_f1, roots = compare_sentences(gold, predicted)
    from_raw = {
        "sentences": sentences_f1, **compare_words(gold, predicted), ROOT: roots,
        **{f"official {name}": figure for name, figure in official.items()},
    }  # fmt: skip
    remaining = iter(parser.parse([tree.words for item in gold for tree in item.trees]))
    of_words = [Item([next(remaining) for _ in item.trees], item.places) for item in gold]
    from_words = {**compare_words(gold, of_words), ROOT: compare_sentences(gold, of_words)[1]}
    del from_words["words"]
    return Measured(
        part, len(sentences), from_raw, compare_scenes(gold, predicted),
        from_words | compare_scenes(gold, of_words), dict(zip(("words", "trees", "Scenes"), rates, strict=True)),
    )  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="for example es")
    parser.add_argument("--to", type=Path, help="write the figures that `sema languages` shows")
    arguments = parser.parse(argv)
    known = parts()
    wanted = arguments.languages or (SMOKE if arguments.smoke else dict.fromkeys(part.code for part in known))
    for unknown in {*wanted} - {part.code for part in known}:
        parser.error(f"no treebank of {unknown!r}; choose from {' '.join(dict.fromkeys(part.code for part in known))}")
    found = []
    for part in known:
        if part.code in wanted:
            segmenter, provider = tools(part.code)
            found.append(measure(part, segmenter, provider, 4 if arguments.smoke else None))
            print(f"{part.name}: {segmenter.signature}, {provider.signature}", flush=True)

    aims: dict[str | tuple[str, str], float] = {
        (part.name, name): aim for part in known for name, aim in AIMS.get(part.code, {}).items()
    }
    for what in ("trees", "scenes", "gold_words", "rates"):
        table = Figures(f"parsing.ud_{what}", "treebank", digits=0 if what == "rates" else 1,
                        aims=aims if what in ("trees", "scenes") else {})  # fmt: skip
        print()
        for one in found:
            table.row(one.part.name, getattr(one, what), n=one.sentences)
    if arguments.to:
        arguments.to.write_text(json.dumps(by_language(found), indent=1) + "\n", encoding="utf-8")


def by_language(found: Sequence[Measured]) -> dict[str, dict[str, float]]:
    """The figures of each language from raw text, over the sentences of all its parts."""
    shown = {}
    for code in dict.fromkeys(one.part.code for one in found):
        own = [one for one in found if one.part.code == code]
        total = sum(one.sentences for one in own)
        shown[code] = {
            name: round(sum(one.trees[key] * one.sentences for one in own) / total, 1) for name, key in SHOWN.items()
        }
    return shown


if __name__ == "__main__":
    run(main)
