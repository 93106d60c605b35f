"""SWiPE (Laban et al., ACL 2023): Wikipedia pages beside their Simple Wikipedia pages, every edit labelled by people.

A page is too long for one pass: each sentence is paired with the sentences of the other page that share most rare words
with it, and its words carry the labels of the edits that they stand in.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import fsum, log

from training.data.tables import table
from training.reader.example import ENTAILED, NEUTRAL, UNKNOWN, Example

HELD_OUT = 60
"""Pages at the end that train nothing."""
_NEW = re.compile(r"nonsim_extraneous|nonsim_fact|semantic_elaboration_(background|example)")
_MAYBE = re.compile(r"semantic_elaboration|nonsim|discourse|format")
_LOST = re.compile(r"semantic_deletion|nonsim_fact")
_SPANS = {"new": (_NEW, "inserted"), "maybe": (_MAYBE, "inserted"), "lost": (_LOST, "deleted")}
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(])")
_NEAREST = 3
_LENGTHS = (4, 45)


def swipe() -> Iterator[Example]:
    """Sentences of both pages with the nearest of the other, their unsupported or lost words marked."""
    edits: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in table("swipe", "edits.tsv.gz"):
        edits[row["id"]].append(row)
    for page in list(table("swipe", "documents.tsv.gz"))[:-HELD_OUT]:
        texts = {side: [" ".join(s.split()) for s in _SENTENCE.split(page[side])] for side in ("source", "output")}
        spans = {
            kind: [
                part.strip() for row in edits[page["id"]] if wanted.match(row["category"])
                for part in row[cell].split("|") if len(part.strip()) > 2
            ]
            for kind, (wanted, cell) in _SPANS.items()
        }  # fmt: skip
        for side, other in (("output", "source"), ("source", "output")):
            for sentence, near in _nearest(texts[side], texts[other]):
                words = sentence.split()
                if not _LENGTHS[0] <= len(words) <= _LENGTHS[1]:
                    continue
                labels = flags(words, spans["new" if side == "output" else "lost"])
                if side == "output":
                    sure = flags(words, spans["maybe"])
                    labels = tuple(0 if a == 0 else a if b else -1 for a, b in zip(labels, sure, strict=True))
                entailed = ENTAILED if all(x == 1 for x in labels) else NEUTRAL if 0 in labels else UNKNOWN
                pair = Example(" ".join(near), sentence, entailed, output_words=labels, weight=0.7)
                yield pair if side == "output" else pair.turned()


def _nearest(sentences: Sequence[str], others: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each sentence with the others that share most rare words with it, in their order."""
    bags = [set(re.findall(r"\w+", other.lower())) for other in others]
    counts = Counter(word for bag in bags for word in bag)
    for sentence in sentences:
        own = set(re.findall(r"\w+", sentence.lower()))
        scores = [fsum(log(1 + len(others) / counts[word]) for word in own & bag) for bag in bags]
        best = sorted(sorted(range(len(others)), key=lambda place: -scores[place])[:_NEAREST])
        yield sentence, [others[place] for place in best]


def flags(words: Sequence[str], spans: Sequence[str]) -> tuple[int, ...]:
    """For each word 0 if it stands in a span of the text, else 1; spaces do not count."""
    text = "".join(words)
    marked: set[int] = set()
    for span in spans:
        bare = "".join(span.split())
        start = text.find(bare)
        if start >= 0 and bare:
            marked.update(range(start, start + len(bare)))
    labels, at = [], 0
    for word in words:
        labels.append(int(marked.isdisjoint(range(at, at + len(word)))))
        at += len(word)
    return tuple(labels)
