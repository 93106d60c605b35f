"""Links of Chinese words in context by layers of the cross-encoder, beside the rules alone.

    python -m benchmarks.alignment.chinese_contextual

Thresholds are chosen on the hand-linked pairs 0-79: the best F1 of other words with at most 10 added links for 1,000
words between each source and the next pair's output, where none is right, and with at most 10 % of wrong words linked:
words of the same class in place of a hard word (half of ``lexical_simplification``). Pairs 80-159 and the other half
measure. A second table has the correlation there of scores by an aligner's links with those by the links made by hand.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import inf
from statistics import correlation, fmean

from sema_chinese.contextual import ContextualAligner, Near
from sema_chinese.relations import rule_aligner
from sema_chinese.token_encoder import ChineseTokenEncoder

import sema
from benchmarks.alignment import chinese
from benchmarks.alignment.aligners import OTHERS
from benchmarks.records import CommandLine, Figures, run
from sema.languages import find_language
from sema.model.links import Link, Pair
from sema.model.text import Text
from training.chinese.substitutes import hard_words, read_substitutes

LAYERS = (4, 6, 8)
FALSE, IN_PLACE, WRONG = "false links per 1,000 words", "substitutes in place, %", "wrong words in place, %"
MOST_FALSE = 10.0
"""The highest figure of either kind of false links."""
REPLACED = 400
"""Words in place of each kind."""
THRESHOLDS = [number / 50 for number in range(20, 50)]
METRICS = ("sema", "samsa")
HELD = "MCTS dev, linked by hand, pairs 80-159; lexical_simplification, the other half"
Texts = tuple[Sequence[Text], Sequence[Text]]
Values = dict[str, list[float]]
Drawn = Sequence[Sequence[tuple[int, int]]] | None


class Movable:
    """The contextual aligner with another threshold; each pair is read once."""

    signature = "movable"

    def __init__(self, layer: int) -> None:
        self.least, self._rules = inf, rule_aligner()
        self._contextual = ContextualAligner(self._rules, ChineseTokenEncoder(layer=layer))
        self._known: dict[Pair, tuple[list[Link], list[Near]]] = {}

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        given = [(tuple(source), tuple(output)) for source, output in pairs]
        new = [pair for pair in dict.fromkeys(given) if pair not in self._known]
        links = self._rules.align(new)
        self._known.update(zip(new, zip(links, self._contextual.nearest(new, links), strict=True), strict=True))
        found = map(self._known.__getitem__, given)
        return [sorted([*some, *(link for near, link in more if near >= self.least)]) for some, more in found]


class Half:
    """Pairs that were linked by hand, and hard words in their sentences with other words in their places."""

    def __init__(self, which: int, most: int | None) -> None:
        halves = slice(chinese.TUNED), slice(chinese.TUNED, None)
        self.gold = chinese.load(chinese.LINKS)[halves[which]][:most]
        self.texts: Texts = chinese.segment(find_language("zh").parts().segmenter, self.gold)
        rows = {row["word"]: row for row in reversed(hard_words(which))}
        self.replaced = {
            name: [replaced(rows[word], other) for word, other in random.Random(0).sample(pairs, most or REPLACED)]
            for name, pairs in zip((IN_PLACE, WRONG), read_substitutes(which), strict=True)
        }

    def figures(self, aligner: Movable, least: float) -> dict[str, float]:
        """Agreement with the links made by hand, and links added between unrelated texts and to words in place."""
        sources, outputs = self.texts
        counts = []
        for aligner.least in (inf, least):
            predicted = [[span for span, _ in some] for some in chinese.align(aligner, sources, outputs)]
            counts.append(sum(map(len, chinese.align(aligner, sources, [*outputs[1:], outputs[0]]))))
        words = sum(len(source.tokens) for source in sources)
        found = {"threshold": least, **chinese.row(predicted, self.gold), FALSE: 1000 * (counts[1] - counts[0]) / words}
        for name, pairs in self.replaced.items():
            links = aligner.align([(source, output) for source, output, _ in pairs])
            linked = [any(i == place == j for i, j, *_ in some) for some, (*_, place) in zip(links, pairs, strict=True)]
            found[name] = 100 * fmean(linked)
        return found


def replaced(row: Mapping[str, str], other: str) -> tuple[Sequence[str], Sequence[str], int]:
    """A hard word's sentence, the same with another word in its place, and the place."""
    words, place = row["sentence"].split(), int(row["position"])
    return words, [*words[:place], other, *words[place + 1 :]], place


def scores(gold: Sequence[chinese.Gold], texts: Texts) -> None:
    """SEMA and SAMSA by an aligner's links beside those by people's links."""
    linked = [
        [(i, start + j) for (start, _), links in zip(output.sentences, by_sentence, strict=True) for i, j, *_ in links]
        for one, source, output in zip(gold, *texts, strict=True)
        for by_sentence in [chinese.by_tokens(source, output, one.links)]
    ]
    sources, outputs = ([text.raw for text in some] for some in texts)

    def values(outputs: Sequence[str], *, aligner: str = "rules", given: Drawn = None) -> Values:
        scorer = sema.Scorer("zh", METRICS, aligner=aligner)
        items = scorer.score(sources, outputs, links=given).systems[0].items
        return {name: [item.scores[name] for item in items] for name in METRICS}

    by_hand = values(outputs, given=linked)
    table = Figures("chinese_alignment.contextual_scores", "links", data=HELD)
    for aligner in ("rules", "contextual"):
        own, unrelated = (values(some, aligner=aligner) for some in (outputs, [*outputs[1:], outputs[0]]))
        cells = {f"{name}, r with by hand": correlation(own[name], by_hand[name]) for name in METRICS}
        for kind, scored in (("mean", own), ("unrelated", unrelated)):
            cells |= {f"{name}, {kind}": fmean(scored[name]) for name in METRICS}
        table.row(aligner, cells, n=len(gold))
    table.row(
        "by hand", dict.fromkeys(cells) | {f"{name}, mean": fmean(by_hand[name]) for name in METRICS}, n=len(gold)
    )


def main(argv: Sequence[str] | None = None) -> None:
    smoke = CommandLine(__doc__).parse(argv).smoke
    fitted, held = (Half(which, 4 if smoke else None) for which in (0, 1))
    digits = {"threshold": 2, FALSE: 1, IN_PLACE: 1, WRONG: 1}
    table = Figures("chinese_alignment.contextual", "layer", digits=digits, data=HELD)
    for layer in LAYERS[: 1 if smoke else None]:
        aligner = Movable(layer)
        if layer == LAYERS[0]:
            table.row("rules", held.figures(aligner, inf) | {"threshold": None}, n=len(held.gold))
        tried = [fitted.figures(aligner, least) for least in THRESHOLDS]
        allowed = [one for one in tried if max(one[FALSE], one[WRONG]) <= MOST_FALSE]
        if allowed:  # else no threshold of this layer keeps false links few enough
            best = max(allowed, key=lambda one: one[f"{OTHERS}F1"])
            table.row(str(layer), held.figures(aligner, best["threshold"]), n=len(held.gold))
    print()
    scores(held.gold, held.texts)


if __name__ == "__main__":
    run(main)
