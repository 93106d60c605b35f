"""Links of Chinese words in context: layers of the cross-encoder, and what links around two words count.

    python -m benchmarks.alignment.chinese_contextual

Thresholds are chosen on the hand-linked pairs 0-79: the best F1 of other words with at most 10 added links for 1,000
words between each source and the next pair's output, where none is right. Pairs 80-159 measure. A second table has the
correlation there of scores by an aligner's links with those by the links made by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from statistics import correlation, fmean

from sema_chinese.contextual import SUPPORT, ContextualAligner, Near
from sema_chinese.relations import rule_aligner
from sema_chinese.token_encoder import LAYER, ChineseTokenEncoder

import sema
from benchmarks.alignment import chinese
from benchmarks.alignment.aligners import OTHERS
from benchmarks.records import CommandLine, Figures, run
from sema.languages import find_language
from sema.model.links import Link, Pair
from sema.model.text import Text

DESIGNS = [(layer, support) for support in (0.0, SUPPORT) for layer in (4, LAYER, 8, 12)]
FALSE, MOST_FALSE = "false links per 1,000 words", 10.0
THRESHOLDS = [number / 50 for number in range(15, 65)]
METRICS = ("sema", "samsa")
HELD = "MCTS dev, linked by hand, pairs 80-159"
Texts = tuple[Sequence[Text], Sequence[Text]]
Values = dict[str, list[float]]
Drawn = Sequence[Sequence[tuple[int, int]]] | None


class Movable:
    """The contextual aligner with another threshold; each pair is read once."""

    signature = "movable"

    def __init__(self, layer: int, support: float) -> None:
        self.least, self._rules = inf, rule_aligner()
        self._contextual = ContextualAligner(self._rules, ChineseTokenEncoder(layer=layer), support=support)
        self._known: dict[Pair, tuple[list[Link], list[Near]]] = {}

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        given = [(tuple(source), tuple(output)) for source, output in pairs]
        new = [pair for pair in dict.fromkeys(given) if pair not in self._known]
        links = self._rules.align(new)
        self._known.update(zip(new, zip(links, self._contextual.nearest(new, links), strict=True), strict=True))
        found = map(self._known.__getitem__, given)
        return [sorted([*some, *(link for near, link in more if near >= self.least)]) for some, more in found]


def figures(aligner: Movable, least: float, gold: Sequence[chinese.Gold], texts: Texts) -> dict[str, float]:
    """Agreement with the links made by hand, and links added between unrelated texts."""
    sources, outputs = texts
    counts = []
    for aligner.least in (inf, least):
        predicted = [[span for span, _ in some] for some in chinese.align(aligner, sources, outputs)]
        counts.append(sum(map(len, chinese.align(aligner, sources, [*outputs[1:], outputs[0]]))))
    words = sum(len(source.tokens) for source in sources)
    return {"threshold": least, **chinese.row(predicted, gold), FALSE: 1000 * (counts[1] - counts[0]) / words}


def scores(gold: Sequence[chinese.Gold], texts: Texts) -> None:
    """SEMA and SAMSA by an aligner's links beside those by people's links."""
    linked = [
        [(i, start + j) for (start, _), links in zip(output.sentences, by_sentence, strict=True) for i, j, *_ in links]
        for one, source, output in zip(gold, *texts, strict=True)
        for by_sentence in [chinese.by_tokens(source, output, one.links)]
    ]
    sources, outputs = ([text.raw for text in some] for some in texts)

    def values(outputs: Sequence[str], *, contextual: bool = False, given: Drawn = None) -> Values:
        scorer = sema.Scorer("zh", METRICS, options={"rules.contextual": contextual})
        items = scorer.score(sources, outputs, links=given).systems[0].items
        return {name: [item.scores[name] for item in items] for name in METRICS}

    by_hand = values(outputs, given=linked)
    table = Figures("chinese_alignment.contextual_scores", "links", data=HELD)
    for title, contextual in (("rules", False), ("rules, contextual", True)):
        own, unrelated = (values(some, contextual=contextual) for some in (outputs, [*outputs[1:], outputs[0]]))
        cells = {f"{name}, r with by hand": correlation(own[name], by_hand[name]) for name in METRICS}
        for kind, scored in (("mean", own), ("unrelated", unrelated)):
            cells |= {f"{name}, {kind}": fmean(scored[name]) for name in METRICS}
        table.row(title, cells, n=len(gold))
    table.row(
        "by hand", dict.fromkeys(cells) | {f"{name}, mean": fmean(by_hand[name]) for name in METRICS}, n=len(gold)
    )


def main(argv: Sequence[str] | None = None) -> None:
    arguments = CommandLine(__doc__).parse(argv)
    gold = chinese.load(chinese.LINKS)
    halves = [gold[: chinese.TUNED], gold[chinese.TUNED :]]
    if arguments.smoke:
        halves = [half[:4] for half in halves]
    segmenter = find_language("zh").parts().segmenter
    first, second = (chinese.segment(segmenter, half) for half in halves)
    table = Figures("chinese_alignment.contextual", "layer, support", digits={"threshold": 2, FALSE: 1}, data=HELD)
    table.row("rules", figures(Movable(LAYER, 0), inf, halves[1], second) | {"threshold": None}, n=len(halves[1]))
    for layer, support in DESIGNS[: 1 if arguments.smoke else None]:
        aligner = Movable(layer, support)
        tried = [figures(aligner, least, halves[0], first) for least in THRESHOLDS]
        best = max((one for one in tried if one[FALSE] <= MOST_FALSE), key=lambda one: one[f"{OTHERS}F1"])
        held = figures(aligner, best["threshold"], halves[1], second)
        table.row(f"{layer}, {support}", held, n=len(halves[1]))
    print()
    scores(halves[1], second)


if __name__ == "__main__":
    run(main)
