"""Fit the levels of passages, and compare designs.

    python -m training.english.passages compare [--cache FOLDER]
    python -m training.english.passages fit [--cache FOLDER]

Both use the beginnings of OneStopEnglish's articles at three levels, which count as midway between A2 and B1, between
B1 and B2, and between B2 and C1; the sentences' levels come from the shipped networks. ``compare`` fits each design to
every second article and prints its figures for the others; ``fit`` writes ``passages.json`` beside the networks, fitted
to the same articles, so that the others remain for figures. One thread; a few minutes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sema_english.features.lexical import is_content
from sema_english.levels.cefr import english_levels
from sema_english.levels.network import FILE as NETWORKS
from sema_english.levels.network import WEIGHTS
from sema_english.levels.passages import FILE, PassageLevels
from sema_english.relations import english_lexicon

from sema.model.text import Text
from sema.runtime.checksums import write_sums
from training.data.levels_data import encoded
from training.data.onestopenglish import LEVELS, articles

Array = NDArray[np.float64]
WORDS = 180
"""A beginning is the first paragraphs that have so many words together."""
TARGETS = {"adv": 4.5, "int": 3.5, "ele": 2.5}
HARD = 3.5
"""From here on a word counts as hard."""


@dataclass(frozen=True)
class Passage:
    """The level and number of words of each sentence, and the level of each different content word."""

    sentences: Sequence[tuple[float, int]]
    words: Mapping[str, float]

    @property
    def mean(self) -> float:
        """The mean level of the sentences, by their words."""
        return float(np.average([level for level, _ in self.sentences], weights=[size for _, size in self.sentences]))

    @property
    def upper(self) -> float:
        """The level that a quarter of the text is above."""
        ordered = sorted(self.sentences)
        sizes = np.cumsum([size for _, size in ordered])
        return ordered[int(np.searchsorted(sizes, 0.75 * sizes[-1]))][0]

    @property
    def vocabulary(self) -> float:
        """The mean level of the words."""
        return float(np.mean([*self.words.values()]))

    @property
    def hard(self) -> float:
        """The share of hard words."""
        return float(np.mean([level >= HARD for level in self.words.values()]))

    @property
    def length(self) -> float:
        """The mean number of words of a sentence, as a logarithm."""
        return float(np.log(np.mean([size for _, size in self.sentences])))


Design = Sequence[Callable[[Passage], float]]
DESIGNS: Mapping[str, Design] = {
    "mean of the sentences": (lambda p: p.mean,),
    "upper quartile of the sentences": (lambda p: p.upper,),
    "sentences and different words (ships)": (lambda p: p.mean, lambda p: p.vocabulary),
    "the same, length of sentences, share of hard words": (
        lambda p: p.mean, lambda p: p.vocabulary, lambda p: p.length, lambda p: p.hard,
    ),
}  # fmt: skip


def beginning(article: str) -> str:
    """The first paragraphs of an article."""
    chosen: list[str] = []
    for paragraph in filter(None, map(str.strip, article.splitlines())):
        chosen.append(paragraph)
        if sum(len(part.split()) for part in chosen) >= WORDS:
            break
    return "\n".join(chosen)


def read(texts: Sequence[str], cache: Path | None) -> list[Passage]:
    """The passages of texts."""
    sentences, numbers = encoded(texts, cache and cache / "onestopenglish.npz")
    reader = english_levels(english_lexicon())
    alone = [Text.from_sentences([words]) for words in sentences.words]
    levels = reader.read(zip(alone, (states.astype(np.float32) for states in sentences.states), strict=True))
    found = []
    for chosen in numbers:
        rated = [number for number in chosen if levels[number].value == levels[number].value]
        words = {
            word.lower(): level
            for number in chosen
            for word, level in zip(sentences.words[number], levels[number].words, strict=True)
            if level is not None and is_content(word)
        }
        found.append(Passage([(levels[number].value, len(sentences.words[number])) for number in rated], words))
    return found


def table(passages: Sequence[Passage], design: Design) -> Array:
    """A row for each passage: 1, and the design's features."""
    return np.array([[1.0, *(feature(passage) for feature in design)] for passage in passages])


def line(passages: Sequence[Passage], targets: Array, design: Design) -> Array:
    """The weights of the features, by least squares."""
    return np.asarray(np.linalg.lstsq(table(passages, design), targets, rcond=None)[0], np.float64)


def main() -> None:
    """Compare or fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("compare", "fit"))
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep word states there for the next time")
    parser.add_argument("--to", type=Path, default=WEIGHTS, metavar="FOLDER", help="where the weights go")
    arguments = parser.parse_args()
    given = articles()
    passages = read([beginning(text) for level in LEVELS for text in given[level]], arguments.cache)
    count = len(given["adv"])
    targets = np.repeat([TARGETS[level] for level in LEVELS], count)
    seen = np.tile(np.arange(count) % 2 == 0, len(LEVELS))
    known = [passage for passage, chosen in zip(passages, seen, strict=True) if chosen]
    others = [passage for passage, chosen in zip(passages, seen, strict=True) if not chosen]
    if arguments.command == "compare":
        print("| design | versions in order, % | r with the level |\n|---|---:|---:|")
        for name, design in DESIGNS.items():
            found = table(others, design) @ line(known, targets[seen], design)
            hard, middle, easy = found.reshape(len(LEVELS), -1)
            order = 100 * np.mean([hard > middle, middle > easy, hard > easy])
            print(f"| {name} | {order:.1f} | {np.corrcoef(found, targets[~seen])[0, 1]:.3f} |")
        return
    weights = line(known, targets[seen], DESIGNS["sentences and different words (ships)"]).round(4).tolist()
    record = json.dumps(asdict(PassageLevels(*weights)), indent=1)
    (arguments.to / FILE).write_text(f"{record}\n", encoding="utf-8")
    write_sums(arguments.to, [NETWORKS, FILE])


if __name__ == "__main__":
    main()
