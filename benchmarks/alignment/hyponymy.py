"""Hyponymy by number of steps and senses: agreement with people's links, and false links.

    python -m benchmarks.alignment.hyponymy

English, MultiMWA's MTRef dev: P, R and F1 of the rule aligner's links between other words, with hyponymy links counted
like all others; and the hyponymy links between each source and another pair's output, where none is right, for every
1,000 words of the sources. Chinese, the hand-linked pairs of MCTS: the same. A second table has the examples that each
setting links.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema_chinese.relations import chinese_lexicon
from sema_chinese.relations import rule_aligner as chinese_rules
from sema_english.relations import rule_aligner as english_rules
from sema_wordnet import WordNetLexicon

from benchmarks.alignment import chinese
from benchmarks.alignment.aligners import OTHERS, load, prf
from benchmarks.overlap import links_of_other_words
from benchmarks.records import CommandLine, Figures, run
from sema.alignment import LinkKind, Pair
from sema.alignment.rules import RuleAligner
from sema.languages import find_language
from sema.model.lexicon import Lexicon

EXAMPLES = (
    *("beer drink", "teacher person", "violin instrument", "carrot food", "tiger animal", "whisper say"),
    *("vehicle car", "Berlin car", "China porcelain", "Ford crossing", "March walk"),
)
"""The last five must not be linked: a wider source word, and names."""
CHINESE_EXAMPLES = ("苹果 水果", "小提琴 乐器", "老师 人", "医生 人", "老虎 动物", "水果 苹果")
DEPTHS, SENSES = (2, 3, 4, 5, 6, 8), (2, 4, 8)
CHINESE_SENSES = ((3, 1), (3, 2), (3, 4), (8, 1))
"""Steps and senses; Chinese wordnets list senses in the order of WordNet's numbers, not of use."""
DEPTHS_OF_FLOORS, FLOORS, DEFAULT_SENSES = (3, 4, 6), (3, 0), 4
"""A floor of 3 steps below WordNet's top admits *person*, 0 every noun; the default is 4."""
FALSE = "false links per 1,000 words"
NARROWER = "to a narrower word, per 1,000 words"


def false_links(aligner: RuleAligner, pairs: Sequence[Pair]) -> dict[str, float]:
    """Hyponymy links of each source with the next pair's output, for every 1,000 source words."""
    shifted = [(pair[0], other[1]) for pair, other in zip(pairs, [*pairs[1:], *pairs[:1]], strict=True)]
    wrong = sum(link.kind is LinkKind.HYPONYMY for links in aligner.align(shifted) for link in links)
    return {FALSE: 1000 * wrong / sum(len(source) for source, _ in pairs)}


def narrowed(aligner: RuleAligner, pairs: Sequence[Pair], lexicon: Lexicon) -> dict[str, dict[str, float]]:
    """By kind of link, those from a word to a kind of it (*vehicle*, *car*), which is no hyponymy, for 1,000 words."""
    counts = dict.fromkeys((LinkKind.SYNONYM, LinkKind.PARAPHRASE, LinkKind.CONTEXTUAL), 0)
    for (source, output), links in zip(pairs, aligner.align(pairs), strict=True):
        for link in links:
            words = source[link.source], output[link.output]
            if link.kind in counts and lexicon.is_hyponym(*words[::-1]) and not lexicon.is_hyponym(*words):
                counts[link.kind] += 1
    size = sum(len(source) for source, _ in pairs)
    return {kind.value: {NARROWER: 1000 * count / size} for kind, count in counts.items()}


def english(limit: int | None) -> None:
    pairs, gold = (column[:limit] for column in load("mtref-dev"))
    others = [links_of_other_words(*pair, links) for pair, links in zip(pairs, gold, strict=True)]
    table = Figures("alignment.hyponymy", "steps, senses", digits={FALSE: 2}, data="MultiMWA mtref-dev")
    examples = Figures("alignment.hyponymy_examples", "steps, senses", digits=0)
    for title, options in settings(SENSES):
        aligner = english_rules(**options)
        links = [{(link.source, link.output) for link in some} for some in aligner.align(pairs)]
        predicted = [links_of_other_words(*pair, some) for pair, some in zip(pairs, links, strict=True)]
        table.row(title, prf(predicted, others, OTHERS) | false_links(aligner, pairs), n=len(pairs))
        examples.row(title, linked(aligner, EXAMPLES))
    table = Figures("alignment.narrower", "kind of link", digits=2, data="MultiMWA mtref-dev")
    for kind, cells in narrowed(english_rules(), pairs, WordNetLexicon.english()).items():
        table.row(kind, cells, n=len(pairs))


def settings(senses: Sequence[int]) -> Iterator[tuple[str, dict[str, int]]]:
    """The settings by name: steps, with each number of senses if there are several, then lower floors."""
    yield "none", {"hyponymy_depth": 0}
    yield "as shipped", {}
    off = {"first_sense": False} if senses else {}
    for depth in DEPTHS:
        for number in senses:
            yield f"{depth}, {number}", {"hyponymy_depth": depth, "senses": number, **off}
        if not senses:
            yield str(depth), {"hyponymy_depth": depth}
    if not senses:
        for depth, number in CHINESE_SENSES:
            yield f"{depth}, senses {number}", {"hyponymy_depth": depth, "senses": number}
    default = {"senses": DEFAULT_SENSES, **off} if senses else {}
    for depth in DEPTHS_OF_FLOORS:
        for floor in FLOORS:
            title = f"{depth}, {DEFAULT_SENSES}" if senses else str(depth)
            yield f"{title}, floor {floor}", {"hyponymy_depth": depth, "hyponymy_floor": floor, **default}


def linked(aligner: RuleAligner, examples: Sequence[str]) -> dict[str, float]:
    """Whether each pair of words is linked."""
    words: list[Pair] = [((source,), (output,)) for source, output in map(str.split, examples)]
    counts = map(len, aligner.align(words))
    return {name.replace(" ", "/"): count for name, count in zip(examples, counts, strict=True)}


def chinese_links(limit: int | None) -> None:
    gold = chinese.load(chinese.LINKS)[:limit]
    sources, outputs = chinese.segment(find_language("zh").parts().segmenter, gold)
    pairs = [(source.words, output.words) for source, output in zip(sources, outputs, strict=True)]
    table = Figures("chinese_alignment.hyponymy", "steps", digits={FALSE: 2}, data="MCTS dev, linked by hand")
    examples = Figures("chinese_alignment.hyponymy_examples", "steps", digits=0)
    for title, options in settings(()):
        aligner = chinese_rules(**options)
        predicted = [[link for link, _ in some] for some in chinese.align(aligner, sources, outputs)]
        table.row(title, chinese.row(predicted, gold) | false_links(aligner, pairs), n=len(gold))
        examples.row(title, linked(aligner, CHINESE_EXAMPLES))
    table = Figures("chinese_alignment.narrower", "kind of link", digits=2, data="MCTS dev, linked by hand")
    for kind, cells in narrowed(chinese_rules(), pairs, chinese_lexicon()).items():
        table.row(kind, cells, n=len(gold))


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    limit = 5 if CommandLine(__doc__).parse(argv).smoke else None
    english(limit)
    chinese_links(limit)


if __name__ == "__main__":
    run(main)
