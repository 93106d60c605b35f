"""A reader that marks words from lists, and items whose equal words are linked, for tests of findings and scores."""

from collections.abc import Sequence

import numpy as np

from sema.model.item import Item
from sema.model.links import LinkGrid
from sema.model.reading import PairReading
from sema.model.text import Text

FUNCTION = ({"the", "in", "to"},) * 2


class Marks:
    """A reader that finds some words missing, added or wrong, and scores a pair by how many of them are left."""

    signature = "marks"

    def __init__(self, missing: str = "", added: str = "", wrong: str = "", cost: float = 0.2) -> None:
        self.cost = cost
        self.words = {"missing": set(missing.split()), "added": set(added.split()), "wrong": set(wrong.split())}

    def read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        return [self._one(source, output) for source, output in pairs]

    def notation(self, source: Text, output: Text) -> list[tuple[range, range]]:
        return []

    def _one(self, source: Text, output: Text) -> PairReading:
        gone = [word in self.words["missing"] for word in source.words]
        new = [word in self.words["added"] for word in output.words]
        wrong = [[word in self.words["wrong"] for word in text.words] for text in (source, output)]
        bad = sum(gone) + sum(new) + sum(wrong[0]) + sum(wrong[1])
        score = max(0.0, 0.95 - self.cost * bad)

        def kept(first: list[bool], second: list[bool]) -> tuple[float, ...]:
            return tuple(0.1 if a or b else 0.9 for a, b in zip(first, second, strict=True))

        return PairReading(
            score, score, score, kept(gone, wrong[0]), tuple(map(float, wrong[0])), kept(new, wrong[1]),
            tuple(map(float, wrong[1])),
        )  # fmt: skip


def item(source: str, output: str) -> Item:
    """Equal words are linked."""
    texts = [Text.from_sentences([part.split() for part in text.split(" | ")]) for text in (source, output)]
    grids = tuple(
        LinkGrid.whole(np.array([[a == b for b in words] for a in texts[0].words], np.float32).reshape(-1, len(words)))
        for words in texts[1].sentence_words
    )
    return Item(*texts, link_weights=grids)
