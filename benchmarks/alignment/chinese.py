"""The Chinese rule aligner against links made by hand (CHINESE_LINKS.md): P, R and F1 of all links and of other words.

    python -m benchmarks.alignment.chinese

As in the metrics, the Chinese segmenter splits the texts and the source is aligned with each sentence of the output.
The annotators and the segmenter use different word boundaries, so links are compared by their characters: a predicted
link is correct if it overlaps a gold link on both sides, and a gold link is found if a predicted link
overlaps it on both sides. P is over predicted links, R over gold links. Links with punctuation are left out. "Other
words": P of the predicted links, and R of the gold links, whose two pieces have different characters (ignoring width
and case). The aligner was improved on pairs 0-79 alone; 80-159 are unseen.
"""

from __future__ import annotations

import json
import time
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.alignment.aligners import OTHERS, Align, identical
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import columns
from sema.datasets.folder import data_folder
from sema.languages import find_language
from sema.metrics.base import f1
from sema.model.links import Link, LinkKind
from sema.model.text import Segmenter, Text, is_punctuation

LINKS = Path(__file__).with_name("chinese_links.jsonl")
SECOND = Path(__file__).with_name("chinese_links_second.jsonl")
TUNED = 80
"""The number of pairs on which the aligner's rules were chosen; they come first."""


class Span(NamedTuple):
    """A link by characters: half-open offsets into the source and into the output."""

    start: int
    end: int
    output_start: int
    output_end: int


class Gold(NamedTuple):
    """A pair's sentences, and the links between them."""

    source: str
    output: str
    links: list[Span]


def overlap(first: Span, second: Span) -> bool:
    """Whether two links share a character on both sides."""
    sides = zip((first[:2], first[2:]), (second[:2], second[2:]), strict=True)
    return all(start < other_end and other_start < end for (start, end), (other_start, other_end) in sides)


def matched(links: Iterable[Span], others: Sequence[Span]) -> int:
    """How many of the links overlap one of the others."""
    return sum(any(overlap(link, other) for other in others) for link in links)


def other_words(gold: Gold, links: Iterable[Span]) -> list[Span]:
    """The links between pieces with different characters; full-width digits count as equal to others."""

    def plain(text: str) -> str:
        return unicodedata.normalize("NFKC", text).lower()

    return [
        link
        for link in links
        if plain(gold.source[link.start : link.end]) != plain(gold.output[link.output_start : link.output_end])
    ]


def scores(
    predicted: Sequence[Sequence[Span]], gold: Sequence[Gold], others: bool = False
) -> tuple[float, float, float]:
    """P, R and F1 over all pairs, of all links or of those between other words (right if any gold link overlaps)."""
    links = [other_words(true, some) if others else list(some) for true, some in zip(gold, predicted, strict=True)]
    wanted = [other_words(true, true.links) if others else true.links for true in gold]
    right = sum(matched(some, true.links) for some, true in zip(links, gold, strict=True))
    hit = sum(matched(true, some) for true, some in zip(wanted, predicted, strict=True))
    precision = right / max(1, sum(map(len, links)))
    recall = hit / max(1, sum(map(len, wanted)))
    return precision, recall, f1(precision, recall)


def row(predicted: Sequence[Sequence[Span]], gold: Sequence[Gold]) -> dict[str, float]:
    """P, R and F1 of all links, then of those between other words."""
    names = [f"{kind}{figure}" for kind in ("", OTHERS) for figure in ("P", "R", "F1")]
    return dict(zip(names, (*scores(predicted, gold), *scores(predicted, gold, others=True)), strict=True))


def load(links: Path, data: Path | None = None) -> list[Gold]:
    """The pairs of a file of links, with their sentences.

    Raises:
        ValueError: the sentences are not those that were annotated.
    """
    data = data or data_folder("simplification", "mcts", "dataset")
    files = (data / f"mcts.dev.{name}" for name in columns(5))
    sources, *outputs = (file.read_text(encoding="utf-8").splitlines() for file in files)
    pairs = []
    for line in links.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        source, output = sources[entry["item"]], outputs[entry["reference"]][entry["item"]]
        if [len(source), len(output)] != entry["lengths"]:
            raise ValueError(f"{data}: item {entry['item']} is not the sentence that was annotated")
        pairs.append(Gold(source, output, [Span(*link) for link in entry["links"]]))
    return pairs


def by_tokens(source: Text, output: Text, links: Iterable[Span]) -> tuple[tuple[Link, ...], ...]:
    """Links of tokens that share a character with both sides of a link by characters."""

    def tokens(text: Text, start: int, end: int) -> list[int]:
        return [index for index, token in enumerate(text.tokens) if token.start < end and start < token.end]

    by_sentence: list[list[Link]] = [[] for _ in output.sentences]
    for span in links:
        targets = tokens(output, span.output_start, span.output_end)
        for index, (first, last) in enumerate(output.sentences):
            inside = [target - first for target in targets if first <= target < last]
            by_sentence[index] += [
                Link(i, j, LinkKind.EXACT) for i in tokens(source, span.start, span.end) for j in inside
            ]
    return tuple(map(tuple, by_sentence))


def align(linker: Align, sources: Sequence[Text], outputs: Sequence[Text]) -> list[list[Span]]:
    """The links of each pair but those of punctuation, the source aligned with each sentence of the output."""
    places = [(k, start, end) for k, output in enumerate(outputs) for start, end in output.sentences]
    links = linker([(sources[k].words, outputs[k].words[start:end]) for k, start, end in places])
    by_pair: list[list[Span]] = [[] for _ in sources]
    for (k, start, _), some in zip(places, links, strict=True):
        tokens = ((sources[k].tokens[i], outputs[k].tokens[start + j]) for i, j, *_ in some)
        by_pair[k] += [
            Span(first.start, first.end, second.start, second.end)
            for first, second in tokens
            if not (is_punctuation(first.text) or is_punctuation(second.text))
        ]
    return by_pair


def agreement(first: Sequence[Gold], second: Sequence[Gold]) -> tuple[dict[str, float], float]:
    """Agreement of a second annotator with the first: the figures of aligners, and F1 of identical links."""
    by_pair = {(true.source, true.output): true for true in first}
    gold = [by_pair[again.source, again.output] for again in second]
    same = sum(len(set(again.links) & set(true.links)) for again, true in zip(second, gold, strict=True))
    total = sum(len(pair.links) for pair in [*second, *gold])
    return row([again.links for again in second], gold), 2 * same / total


def aligners() -> dict[str, Align]:
    parts = find_language("zh").parts
    return {"identity": identical, "rules": parts().aligner.align,
            "contextual": parts(aligner="contextual").aligner.align}  # fmt: skip


def segment(segmenter: Segmenter, gold: Sequence[Gold]) -> tuple[list[Text], list[Text]]:
    return segmenter.segment([pair.source for pair in gold]), segmenter.segment([pair.output for pair in gold])


def main(argv: Sequence[str] | None = None) -> None:
    arguments = CommandLine(__doc__).parse(argv)
    gold = load(LINKS)
    parts = {f"0-{TUNED - 1}": slice(TUNED), f"{TUNED}-{len(gold) - 1}": slice(TUNED, None), "all": slice(None)}
    if arguments.smoke:
        gold, parts = gold[:4], {"all": slice(None)}
    sources, outputs = segment(find_language("zh").parts().segmenter, gold)
    table = Figures("chinese_alignment.links", "aligner, pairs", digits={"ms a pair": 2},
                    data="MCTS dev, linked by hand")  # fmt: skip
    for title, linker in aligners().items():
        align(linker, sources[:1], outputs[:1])
        start = time.process_time()
        predicted = align(linker, sources, outputs)
        spent = 1000 * (time.process_time() - start) / len(gold)
        for name, part in parts.items():
            table.row(f"{title}, {name}", row(predicted[part], gold[part]) | {"ms a pair": spent}, n=len(gold[part]))
    if arguments.smoke:
        return
    second = load(SECOND)
    overlapping, same = agreement(gold, second)
    table.row("second annotation", overlapping | {"ms a pair": None}, n=len(second))
    print("\nAgreement of the two annotations in links of exactly the same characters:\n")
    Figures("chinese_alignment.annotators", "", data="MCTS dev").row("two annotations", {"F1": same}, n=len(second))


if __name__ == "__main__":
    run(main)
