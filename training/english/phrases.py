"""Builds the simplifier's rules of several words: ``python -m training.english.phrases``.

They are learned from parallel sentences of similar length (Xu et al. 2016, section 3.4): the aligned sentences of
OneStopEnglish, and sentences of SWiPE's pages, without its last 60, that share most of their words. A rule is kept if
two sentences or more use it (:func:`kept`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from itertools import chain
from pathlib import Path

from sema_english.words import FUNCTION_WORDS
from sema_simplifier.extraction import Example, learn_rules
from sema_simplifier.rules import Phrase, Rule, RuleTable
from sema_simplifier.simplifier import PHRASES
from sema_simplifier.wording import folded

from sema.datasets.folder import data_folder
from sema.languages import find_language
from sema.model.text import Segmenter
from training.command import command
from training.data.corpora import aligned
from training.data.tables import read_table

SWIPE_DEV = 60
"""SWiPE's last pages are not for training."""
LEAST_SHARED = 0.5
"""The least share of words (Dice) that two sentences of a page and its simple page have in common."""


def pages() -> list[tuple[str, str]]:
    """SWiPE's pages and their simple pages, without the last ones."""
    rows = read_table(data_folder("swipe", "documents.tsv.gz"))
    return [(row["source"], row["output"]) for row in rows][:-SWIPE_DEV]


def matched(page: Sequence[Phrase], simple: Sequence[Phrase]) -> Iterator[tuple[Phrase, Phrase]]:
    """Sentences of a page and of its simple page, each the other's nearest by shared words."""
    shares = [[_dice(one, other) for other in simple] for one in page]
    for place, row in enumerate(shares):
        best = max(range(len(row)), key=row.__getitem__, default=None)
        if best is not None and row[best] >= LEAST_SHARED and row[best] == max(other[best] for other in shares):
            yield page[place], simple[best]


def _dice(first: Phrase, second: Phrase) -> float:
    return 2 * (Counter(first) & Counter(second)).total() / max(1, len(first) + len(second))


def examples(segmenter: Segmenter) -> tuple[list[Example], set[str]]:
    """All parallel sentences that differ, of similar length, and the names in them.

    OneStopEnglish gives two steps, advanced to intermediate and intermediate to elementary; neither repeats the other's
    changes. A name is a word that is mostly capitalised within sentences.
    """
    capitals: Counter[str] = Counter()
    seen: Counter[str] = Counter()

    def sentences(texts: Sequence[str]) -> list[list[Phrase]]:
        cut = [text.sentence_words for text in segmenter.segment(texts)]
        inside = [word for text in cut for words in text for word in words[1:]]
        seen.update(map(str.lower, inside))
        capitals.update(word.lower() for word in inside if word[:1].isupper())
        return [[folded(words) for words in text] for text in cut]

    found: list[tuple[Phrase, Phrase]] = []
    for name in ("ADV-INT", "ELE-INT"):
        harder, easier = ([tuple(chain(*text)) for text in sentences(side)] for side in aligned(name))
        found += zip(harder, easier, strict=True)
    for page, simple in zip(*map(sentences, zip(*pages(), strict=True)), strict=True):
        found += matched(page, simple)
    pairs = dict.fromkeys(found)
    names = {word for word, count in capitals.items() if 2 * count > seen[word]}
    # Pairs of similar length are paraphrases rather than summaries (Xu et al. 2016, section 3.4).
    return [Example(a, (b,)) for a, b in pairs if a != b and abs(len(a) - len(b)) <= 0.2 * len(a)], names


def kept(rule: Rule, names: Set[str]) -> bool:
    """Whether a rule ships: it changes content words, adds at most one word, and has no number, name or mark."""
    gone = Counter(rule.source) - Counter(rule.target)
    several = len(rule.source) + len(rule.target) > 2 and 0 < len(rule.target) <= len(rule.source) + 1
    plain = all(word.isalpha() and word not in names for word in (*rule.source, *rule.target))
    return rule.sentences > 1 and several and plain and not FUNCTION_WORDS.issuperset(gone)


@command
def main(to: Path = PHRASES) -> None:
    """Write the rules."""
    parts = find_language("en").parts(aligner="rules")
    pairs, names = examples(parts.segmenter)
    learned = learn_rules(pairs, parts.aligner)
    rules = [rule for rule in learned.rules if kept(rule, names)]
    left_sides = {rule.source for rule in rules}
    occurrences = {phrase: count for phrase, count in learned.occurrences.items() if phrase in left_sides}
    RuleTable(1, rules, occurrences, {}, {}).save(to)


if __name__ == "__main__":
    main()
