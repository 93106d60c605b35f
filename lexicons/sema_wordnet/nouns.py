"""Whether two nouns name different things, neither a kind of the other."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from sema.runtime.caching import remembered
from sema_wordnet.lexicon import NOUN, WordNetLexicon
from sema_wordnet.morphology import morphy

SPECIFIC, EVERYDAY, OFTEN = 5, 7, 20
"""The least depth of a noun that is specific (*group*, *people* and *part* are less deep), the least depth of a
frequent noun (*place*, *company*, *team*), and the count from which a noun is frequent.
"""
USUAL = 2
"""The number of senses of a noun that count, the most usual first."""


@cache
def _wordnet() -> WordNetLexicon:
    return WordNetLexicon.english()


def name_different_things(first: str, second: str) -> bool:
    """Whether two English words, both mostly nouns, name things of which neither is a kind of the other.

    *School* and *hotel* do; *bush* and *shrub* (the same), *dog* and *animal* (a kind of it), *crowd* and *group* (too
    general) do not.
    """
    senses, others = _senses(first), _senses(second)
    if not senses or not others or not senses.isdisjoint(others):
        return False
    return _above(senses).isdisjoint(others) and _above(others).isdisjoint(senses)


def _nouns(word: str) -> set[str]:
    readings = morphy(word.lower(), _wordnet())
    return {lemma for lemma, part_of_speech in readings if part_of_speech == NOUN}


def _counts(word: str) -> tuple[int, int]:
    """The word's counts as a noun and as another part of speech."""
    lexicon = _wordnet()
    counts = [0, 0]
    for lemma in {lemma for lemma, _ in morphy(word.lower(), lexicon)}:
        for synset, count in lexicon.counted(lemma):
            counts[synset >= lexicon.graph.limits[1]] += count
    return counts[0], counts[1]


@remembered
def _senses(word: str) -> frozenset[int]:
    """The usual noun senses of a word that is mostly a noun; none if one of them is too general."""
    lexicon = _wordnet()
    counts = _counts(word)
    synsets: set[int] = set()
    for lemma in _nouns(word):
        senses = [(synset, count) for synset, count in lexicon.counted(lemma) if synset < lexicon.graph.limits[1]]
        synsets.update(synset for synset, count in senses[:USUAL] if count > senses[0][1] / 4)
        synsets.update(synset for synset, _ in senses[:1])
    person = not _above(synsets).isdisjoint(_persons())
    least = EVERYDAY if counts[0] > OFTEN and not person else SPECIFIC
    if counts[1] > counts[0] or any(lexicon.graph.depth(synset) < least for synset in synsets):
        return frozenset()
    return frozenset(synsets)


@lru_cache(1)
def _persons() -> frozenset[int]:
    """The sense of *person*: its hyponyms stay separate, however frequent they are."""
    lexicon = _wordnet()
    return frozenset(synset for synset, _ in lexicon.counted("person")[:1])


def _above(senses: Iterable[int]) -> frozenset[int]:
    graph = _wordnet().graph
    above: set[int] = set()
    level = list(senses)
    while level:
        level = [step for synset in level for step in graph.hypernyms(synset) if step not in above]
        above.update(level)
    return frozenset(above)
