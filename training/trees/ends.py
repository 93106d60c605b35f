"""The logit from which a sentence should end: ``python -m training.trees.ends``, about a minute of one core.

The held-out sentences of every treebank are joined in tens and segmented again. For each limit, the mean F1 of the ends
over treebanks is printed, with the number of ends that were found, invented and missed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from sema_ud import segmenter
from sema_ud.segmenter import UniversalSegmenter

from training.trees.treebanks import Example, learning

LIMITS = (1.0, 0.0, -1.0, -2.0, -3.0, -4.0)
JOINED, FEWEST, MOST = 10, 20, 150
"""Sentences of a text, and the fewest and the most of a treebank."""
_UNSPACED = ("zh", "ja", "th")


def written(example: Example) -> str:
    """A sentence's text."""
    words = zip(example.tree.words, example.spaces, strict=True)
    return "".join(word + " " * space for word, space in words).strip()


def texts(sentences: list[str], gap: str) -> Iterator[tuple[str, set[int]]]:
    """Sentences joined, each text with the places where one ends and another begins."""
    for start in range(0, len(sentences), JOINED):
        some = sentences[start : start + JOINED]
        text, ends = gap.join(some), set()
        place = 0
        for sentence in some[:-1]:
            place += len(sentence)
            ends.add(place)
            place += len(gap)
        yield text, ends


def counts(code: str, sentences: list[str]) -> tuple[int, int, int]:
    """The ends that are found, invented and missed."""
    made = list(texts(sentences, "" if code in _UNSPACED else " "))
    found = invented = missed = 0
    cut = UniversalSegmenter(code).segment([text for text, _ in made])
    for text, (_, right) in zip(cut, made, strict=True):
        ends = {text.tokens[end - 1].end for _, end in text.sentences[:-1]}
        found, invented, missed = found + len(ends & right), invented + len(ends - right), missed + len(right - ends)
    return found, invented, missed


def main() -> None:
    """Print the table."""
    by_treebank: dict[str, list[str]] = defaultdict(list)
    for example in learning()[1]:
        by_treebank[example.treebank].append(written(example))
    print("limit  F1     found  invented  missed")
    for limit in LIMITS:
        segmenter.ENDS_FROM = limit
        rows = [counts(name[:2], own[:MOST]) for name, own in by_treebank.items() if len(own) >= FEWEST]
        mean = sum(2 * a / (2 * a + b + c) for a, b, c in rows) / len(rows)
        print(f"{limit:5} {mean:6.3f} {'  '.join(f'{sum(one):7}' for one in zip(*rows, strict=True))}")


if __name__ == "__main__":
    main()
