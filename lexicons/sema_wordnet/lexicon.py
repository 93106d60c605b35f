"""The lexicon over the shipped index (:class:`sema.model.lexicon.Lexicon`)."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sema.runtime.caching import remembered
from sema.runtime.checksums import digest_of
from sema.runtime.forks import cached_property
from sema_wordnet.morphology import morphy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sema_wordnet.index import HypernymGraph, WordIndex

DATA = Path(__file__).parent / "data"

NOUN = 0
"""The part of speech of nouns."""


@cache
def _graph(path: Path) -> HypernymGraph:
    from sema_wordnet.index import HypernymGraph

    return HypernymGraph.load(path)


@cache
def _words(path: Path) -> WordIndex:
    from sema_wordnet.index import WordIndex

    return WordIndex.load(path)


_NO_SYNSETS: tuple[list[int], ...] = ([], [], [], [])
_LIGHT, _LIGHT_SENSES = 15, 2
"""A lemma with more senses than this is a light word (*get*, *make*, *have*): its rarer senses say little."""


class WordNetLexicon:
    """Lemmas, synonyms and hyponymy from a word index over WordNet 3.0's hypernym graph; read on first use.

    Words come without part of speech or sense, so only their usual senses count: of each lemma and part of
    speech the first ``senses`` ones, and the first two where a lemma has more than 15. Two words are synonyms when
    they share such a synset. Hyponymy goes from the first ``common`` senses of the narrower word to those of the
    wider one; a noun's synset fewer than ``floor`` steps below its root is too abstract to keep a meaning (*entity*,
    *object*, *thing*, *group*, *person*) and does not count. With ``names`` a capitalised word that names a person,
    place or other single thing in one of these senses has such senses alone: *Berlin* is a city and no limousine; if
    its first sense is one, it is no verb either (*Ford*). With
    ``first_sense`` the first sense of the narrower word reaches a little further: one step more, to nouns one step
    nearer the root, in two senses more of the wider word (*teacher* is a *person*, *violin* an *instrument*). The
    measurements behind the defaults are in the package's ``CARD.md``.
    """

    def __init__(
        self,
        words: Path,
        graph: Path = DATA / "graph.npz",
        *,
        name: str = "wordnet",
        senses: int = 8,
        common: int = 4,
        floor: int = 4,
        names: bool = False,
        first_sense: bool = False,
    ) -> None:
        """Set the two files of the index, which are read on first use."""
        self._paths = (words, graph)
        self._name = name
        self._limits = (senses, common)
        self._floor = floor
        self._names = names
        self._first_sense = first_sense
        marks = f"{'|names' if names else ''}{'|first' if first_sense else ''}"
        self.signature = f"{name}+{digest_of(words, graph)}|senses:{senses}/{common}|floor:{floor}{marks}"
        self._readings = remembered(lambda form: frozenset(morphy(form, self)))
        self._by_part_of_speech = remembered(self._find_by_part_of_speech)
        self.lemmas = remembered(self._lemmas)
        self.senses = remembered(self._senses)
        self._common = remembered(self._common_senses)
        self.wider_senses = remembered(self._wider_senses)
        self.hypernyms = remembered(self._hypernyms)

    def reading(
        self,
        *,
        common: int | None = None,
        floor: int | None = None,
        names: bool | None = None,
        first_sense: bool | None = None,
    ) -> WordNetLexicon:
        """The same words and graph with other limits; those that are None stay."""
        senses, own = self._limits
        words, graph = self._paths
        made = WordNetLexicon(
            words,
            graph,
            name=self._name,
            senses=senses,
            common=own if common is None else common,
            floor=self._floor if floor is None else floor,
            names=self._names if names is None else names,
            first_sense=self._first_sense if first_sense is None else first_sense,
        )
        made._readings, made._by_part_of_speech = self._readings, self._by_part_of_speech  # no limit counts there
        made.lemmas = self.lemmas
        return made

    @classmethod
    def english(cls) -> WordNetLexicon:
        """Princeton WordNet 3.0."""
        return cls(DATA / "english.npz", name="wordnet-3.0")

    @classmethod
    def chinese(cls) -> WordNetLexicon:
        """The Chinese Open Wordnet with Wiktionary's senses, simplified and traditional, over WordNet 3.0's graph.

        They do not rank a word's senses, so all of them count.
        """
        return cls(DATA / "chinese.npz", name="cow+wikt", senses=_LIGHT, common=_LIGHT)

    @cached_property
    def _words(self) -> WordIndex:
        return _words(self._paths[0])

    @cached_property
    def graph(self) -> HypernymGraph:
        """The hypernym graph, shared by all lexicons with the same file."""
        return _graph(self._paths[1])

    def has_lemma(self, lemma: str, part_of_speech: int) -> bool:
        """Whether the lemma has a sense of that part of speech (0 noun, 1 verb, 2 adjective, 3 adverb)."""
        return bool(self._by_part_of_speech(lemma)[part_of_speech])

    def _find_by_part_of_speech(self, lemma: str) -> tuple[list[int], ...]:
        """A lemma's synsets of each part of speech, the most frequent first."""
        synsets = self._words.synsets(lemma)
        if not synsets:
            return _NO_SYNSETS
        limits = self.graph.limits
        by_part: tuple[list[int], ...] = tuple([] for _ in limits[1:])
        for synset in synsets:
            by_part[bisect_right(limits, synset) - 1].append(synset)
        return by_part

    def exceptions(self, form: str, part_of_speech: int) -> tuple[str, ...]:
        """The lemmas listed for an irregular form."""
        return self._words.exceptions(form, part_of_speech)

    def is_listed(self, form: str) -> bool:
        """Whether the form is a lemma or irregular."""
        return form in self._words or self._words.is_irregular(form)

    def _lemmas(self, word: str) -> frozenset[str]:
        """The base forms the word may have, lower-cased; empty when unknown."""
        return frozenset(lemma for lemma, _ in self._readings(word.lower()))

    def _first(self, word: str, limit: int) -> frozenset[int]:
        chosen: set[int] = set()
        individuals = self.graph.individuals if self._names and word[:1].isupper() else frozenset[int]()
        readings = [
            (self._by_part_of_speech(lemma)[part_of_speech], part_of_speech == NOUN)
            for lemma, part_of_speech in self._readings(word.lower())
        ]
        name_first = any(noun and senses[0] in individuals for senses, noun in readings)
        for senses, noun in readings:
            if name_first and not noun:  # *Ford* does not cross a river
                continue
            usual = senses[: limit if len(senses) <= _LIGHT else _LIGHT_SENSES]
            named = individuals.intersection(senses[: max(limit, self._limits[1])])
            chosen.update(named or usual)
        return frozenset(chosen)

    def _senses(self, word: str) -> frozenset[int]:
        """The usual senses of the word, as synset numbers of the graph: words that share one are synonyms."""
        return self._first(word, self._limits[0])

    def _common_senses(self, word: str) -> frozenset[int]:
        """The senses used for hyponymy."""
        return self._first(word, self._limits[1])

    def is_name(self, word: str) -> bool:
        """Whether a word names a person, place or other single thing and has no other senses (``names``)."""
        senses = self.senses(word) if self._names and word[:1].isupper() else frozenset()
        return bool(senses) and senses <= self.graph.individuals

    def _hypernyms(self, word: str, depth: int = 3) -> frozenset[int]:
        """The synsets at 1 to ``depth`` steps above the word's common senses that are not too abstract.

        What its first sense reaches beyond them are negative keys.
        """
        above = self._above(self._common(word), depth, self._floor)
        if not (self._first_sense and depth):
            return above
        return above | {~synset for synset in self._above(self._first(word, 1), depth + 1, self._floor - 1)}

    def _above(self, own: frozenset[int], depth: int, floor: int) -> frozenset[int]:
        graph = self.graph
        reached: set[int] = set()
        level: Iterable[int] = own
        for _ in range(depth):
            above = []
            for synset in level:
                for step in graph.hypernyms(synset):
                    if step not in reached:
                        reached.add(step)
                        above.append(step)
            level = above
        reached -= own
        nouns = graph.limits[1]
        return frozenset(synset for synset in reached if synset >= nouns or graph.depth(synset) >= floor)

    def are_synonyms(self, first: str, second: str) -> bool:
        """Whether a usual sense of one word is a usual sense of the other."""
        return not self.senses(first).isdisjoint(self.senses(second))

    def paraphrases(self, word: str) -> frozenset[str]:
        """None: a wordnet lists senses only."""
        return frozenset()

    def are_paraphrases(self, first: str, second: str) -> bool:
        """Never: a wordnet lists senses only."""
        return False

    def _wider_senses(self, word: str) -> frozenset[int]:
        """The senses under which the word may be the wider one of a hyponymy: its common ones.

        Those for the first sense of a narrower word are negative keys.
        """
        senses = self._common(word)
        return senses | {~synset for synset in self._first(word, self._limits[1] + 2)} if self._first_sense else senses

    def is_hyponym(self, word: str, other: str, *, depth: int = 3) -> bool:
        """Whether ``word`` is a kind of ``other``, at most ``depth`` hypernym steps up. Not symmetric."""
        return not self.hypernyms(word, depth).isdisjoint(self.wider_senses(other))
