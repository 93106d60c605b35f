"""Which classes hyponymy reaches: agreement with people's links, false links, and pairs of words and classes.

    python -m benchmarks.alignment.hyponymy

Each row is a way to limit hyponymy: by one number of steps for all classes, by their information content, by basic
classes (those with a word in most languages), or by both, as shipped. P, R and F1 are of links between other words,
with hyponymy links counted like all others (English: MultiMWA's MTRef dev; Chinese: the hand-linked pairs of MCTS).
False links, per 1,000 words of the sources, are hyponymy links that people did not make, and those between each source
and another pair's output, where none is right. ``class_pairs.tsv`` has our own pairs of words and classes (*cow*,
*animal*) and traps, which must not be linked (*tiger*, *person*): limits were chosen on one half, the other is held
out.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from sema_chinese.relations import GlossLexicon, chinese_lexicon, completed
from sema_chinese.relations import relations as chinese_relations
from sema_chinese.relations import rule_aligner as chinese_rules
from sema_english.relations import english_lexicon
from sema_english.relations import relations as english_relations
from sema_english.relations import rule_aligner as english_rules
from sema_ppdb import ParaphraseLexicon
from sema_wordnet import ClassLimits, WordNetLexicon

from benchmarks.alignment import chinese
from benchmarks.alignment.aligners import OTHERS, load, other_words, places, prf
from benchmarks.records import CommandLine, Figures, run
from sema.alignment import Link, LinkKind, Pair
from sema.alignment.rules import RuleAligner
from sema.languages import find_language
from sema.model.lexicon import Lexicon

PAIRS = Path(__file__).with_name("class_pairs.tsv")
STEPS = {"3 steps": (3, 4), "8 steps": (8, 4), "8 steps, floor 3": (8, 3)}
"""One number of steps for all classes, and the floor: the least number of steps from a noun up to WordNet's top."""
CLASSES = {
    "information content, 2.5 bits": ClassLimits(narrow=2.5),
    "information content, 5 bits": ClassLimits(narrow=5.0, wide=99.0),
    "information content, 7 bits": ClassLimits(wide=99.0),
    "basic classes": ClassLimits(narrow=99.0, basic_share=ClassLimits().share),
}
FALSE, UNRELATED = "false links per 1,000 words", "with unrelated texts"
NARROWER = "to a narrower word, per 1,000 words"


def class_pairs(aligner: RuleAligner, language: str) -> dict[str, float]:
    """The share of class pairs that are linked in any way, and of traps that are linked as hyponymy, in both halves."""
    with PAIRS.open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["lang"] == language]
    found = aligner.align([((row["word"],), (row["class"],)) for row in rows])
    answers = [(row["half"], row["is_kind"], some) for row, some in zip(rows, found, strict=True)]
    cells: dict[str, float] = {}
    for half in ("tune", "held"):
        for title, right in (("class pairs", "1"), ("traps", "0")):
            links = [some for *kind, some in answers if kind == [half, right]]
            wanted = {LinkKind.HYPONYMY} if right == "0" else set(LinkKind)
            linked = sum(any(link.kind in wanted for link in some) for some in links)
            cells[f"{title}, {half}"] = linked / len(links)
    return cells


def unrelated_links(aligner: RuleAligner, pairs: Sequence[Pair]) -> int:
    """Hyponymy links between each source and the next pair's output."""
    shifted = [(pair[0], other[1]) for pair, other in zip(pairs, [*pairs[1:], *pairs[:1]], strict=True)]
    return sum(map(len, only_hyponymy(aligner.align(shifted))))


def narrowed(aligner: RuleAligner, pairs: Sequence[Pair], lexicon: Lexicon) -> dict[str, dict[str, float]]:
    """By kind of link, those per 1,000 words from a word to a kind of it (*vehicle*, *car*), which are not hyponymy."""
    counts = dict.fromkeys((LinkKind.SYNONYM, LinkKind.PARAPHRASE, LinkKind.CONTEXTUAL), 0)
    for (source, output), links in zip(pairs, aligner.align(pairs), strict=True):
        for link in links:
            words = source[link.source], output[link.output]
            if link.kind in counts and lexicon.is_hyponym(*words[::-1]) and not lexicon.is_hyponym(*words):
                counts[link.kind] += 1
    size = sum(len(source) for source, _ in pairs)
    return {kind.value: {NARROWER: 1000 * count / size} for kind, count in counts.items()}


def readings(base: WordNetLexicon) -> Iterator[tuple[str, WordNetLexicon, int]]:
    """A title, the wordnet and the number of steps for each way to limit hyponymy."""
    for title, (depth, floor) in STEPS.items():
        yield title, base.reading(floor=floor), depth
    for title, classes in CLASSES.items():
        yield title, base.reading(classes=classes), 20


def english(limit: int | None) -> None:
    pairs, gold = (column[:limit] for column in load("mtref-dev"))
    others = other_words(pairs, gold)
    words = sum(len(source) for source, _ in pairs) / 1000
    table = Figures("alignment.hyponymy", "limit", digits={FALSE: 2, UNRELATED: 2}, data="MultiMWA mtref-dev")
    for title, aligner in english_aligners():
        found = aligner.align(pairs)
        wrong = sum(len(some - true) for some, true in zip(places(only_hyponymy(found)), gold, strict=True))
        false = {FALSE: wrong / words, UNRELATED: unrelated_links(aligner, pairs) / words}
        table.row(
            title,
            prf(other_words(pairs, places(found)), others, OTHERS) | false | class_pairs(aligner, "en"),
            n=len(pairs),
        )
    table = Figures("alignment.narrower", "kind of link", digits=2, data="MultiMWA mtref-dev")
    for kind, cells in narrowed(english_rules(), pairs, WordNetLexicon.english()).items():
        table.row(kind, cells, n=len(pairs))


def english_aligners() -> Iterator[tuple[str, RuleAligner]]:
    """Titles and aligners."""
    yield "none", english_rules(hyponymy_depth=0)
    yield "as shipped", english_rules()
    words = english_lexicon()
    assert isinstance(words, ParaphraseLexicon)
    for title, read, depth in readings(WordNetLexicon.english().reading(names=True)):
        lexicon = words.over(read, is_name=read.is_name)
        yield title, RuleAligner(english_relations(lexicon, main_verbs=True, hyponymy_depth=depth))


def chinese_links(limit: int | None) -> None:
    gold = chinese.load(chinese.LINKS)[:limit]
    sources, outputs = chinese.segment(find_language("zh").parts().segmenter, gold)
    pairs = [(source.words, output.words) for source, output in zip(sources, outputs, strict=True)]
    words = sum(len(source) for source, _ in pairs) / 1000
    digits = {FALSE: 2, UNRELATED: 2}
    table = Figures("chinese_alignment.hyponymy", "limit", digits=digits, data="MCTS dev, linked by hand")
    for title, aligner in chinese_aligners():
        found = chinese.align(aligner.align, sources, outputs)
        narrower = chinese.align(lambda pairs, own=aligner: only_hyponymy(own.align(pairs)), sources, outputs)
        wrong = sum(len(some) - chinese.matched(some, true.links) for some, true in zip(narrower, gold, strict=True))
        false = {FALSE: wrong / words, UNRELATED: unrelated_links(aligner, pairs) / words}
        agreement = chinese.row(found, gold)
        table.row(title, agreement | false | class_pairs(aligner, "zh"), n=len(gold))
    table = Figures("chinese_alignment.narrower", "kind of link", digits=2, data="MCTS dev, linked by hand")
    for kind, cells in narrowed(chinese_rules(), pairs, chinese_lexicon()).items():
        table.row(kind, cells, n=len(gold))


def only_hyponymy(links: Sequence[Sequence[Link]]) -> list[list[Link]]:
    return [[link for link in some if link.kind is LinkKind.HYPONYMY] for some in links]


def chinese_aligners() -> Iterator[tuple[str, RuleAligner]]:
    """Titles and aligners."""
    yield "none", chinese_rules(hyponymy_depth=0)
    yield "as shipped", chinese_rules()
    words = chinese_lexicon()
    assert isinstance(words, GlossLexicon)
    for title, read, depth in readings(WordNetLexicon.chinese()):
        yield title, completed(chinese_relations(words.over(read), hyponymy_depth=depth), words.base)


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    limit = 5 if CommandLine(__doc__).parse(argv).smoke else None
    english(limit)
    chinese_links(limit)


if __name__ == "__main__":
    run(main)
