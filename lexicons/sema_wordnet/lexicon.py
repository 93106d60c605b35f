"""The lexicon over the shipped index (:class:`sema.model.lexicon.Lexicon`)."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sema.errors import UnknownNameError
from sema.runtime.caching import remembered
from sema.runtime.checksums import digest_of
from sema.runtime.forks import cached_property
from sema_wordnet.languages import LANGUAGES, folded
from sema_wordnet.morphology import LETTERS, NOUN, detached

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sema_wordnet.index import HypernymGraph, WordIndex

DATA = Path(__file__).parent / "data"
_NO_SYNSETS: tuple[list[int], ...] = ([], [], [], [])
_UNKNOWN: frozenset[str] = frozenset()
_NAME = 0.2
"""The share of its uses as a name above which a capitalised word is a name even if no first sense is one."""
_LIGHT, _LIGHT_SENSES = 15, 2
"""A lemma with more than 15 senses is a light word (*get*, *make*, *have*): only its first two senses count."""


class ClassLimits(NamedTuple):
    """Which classes (hypernyms) a word may be linked to, at any number of steps.

    A sense's share is its part of the word's uses: its occurrences in sense-tagged texts and a tenth of the number of
    languages that have a word for it. A class's share of a word is that of all senses below it. The share that a class
    needs depends on its information content. A narrow class needs a small share; a wide one (*animal*, *person*) must
    be a basic class, which has a word in most languages, and hold most of the word's uses (*tiger* is a fierce person,
    too).
    """

    narrow: float = 7.0
    """The information content, in bits, from which a class is narrow; only such verbs are classes."""
    share: float = 0.1
    """The least share of the word that a narrow class has."""
    wide: float = 2.5
    """The information content, in bits, from which a basic class counts: *person* does, *object* does not."""
    languages: int = 30
    """The number of languages with a word for it from which a class is basic."""
    basic_share: float = 0.4
    """The least share of the word that a basic class has."""
    wider_share: float = 0.03
    """The least share of the wider word that the class has as its sense."""
    verb_share: float = 0.2
    """The least share of either word if the class is a verb: verbs have many senses."""


_SHARE = 0.2
"""The least share of a word's uses that makes it a synonym, in languages other than English and Chinese."""
_LIMITS = ClassLimits(wider_share=0.15)
"""The limits of hyponymy there: their wordnets, some made by machine, give frequent words many senses."""


class Limits(NamedTuple):
    """Which senses of a word count, and how its forms are found: see :class:`WordNetLexicon`."""

    senses: int = 8
    common: int = 4
    floor: int = 4
    names: bool = False
    classes: ClassLimits | None = None
    share: float | None = None
    inflected: bool = True


class WordNetLexicon:
    """Lemmas, synonyms and hyponymy from a word index over WordNet 3.0's hypernym graph; read on first use.

    Words come without part of speech or sense, so only their usual senses count: of each lemma and part of
    speech the first ``senses`` ones, and the first two where a lemma has more than 15. Two words are synonyms when
    they share such a synset. Hyponymy goes from the first ``common`` senses of the narrower word to those of the
    wider one; a noun's synset fewer than ``floor`` steps below its root is too abstract to keep a meaning (*entity*,
    *object*, *thing*, *group*, *person*) and does not count.

    With ``names`` a capitalised word that names a person, place or other single thing in one of these senses has such
    senses alone: *Berlin* is a city, not a limousine. If its first sense is such a name, it is not a verb either
    (*Ford*). With ``classes`` the limits of hyponymy are :class:`ClassLimits` in place of steps, ``common`` and
    ``floor``. With ``share`` two words are synonyms when they share a synset that has at least this share of the uses
    of both, in place of ``senses``. Forms of English words are found by their endings unless ``inflected`` is false:
    then words must be lemmas. The measurements behind the defaults are in the package's ``CARD.md``.
    """

    def __init__(self, words: Path, graph: Path = DATA / "graph.npz", *, name: str = "wordnet", **limits: Any) -> None:
        """Set the two files of the index, which are read on first use; ``limits`` are those of :class:`Limits`."""
        self._paths = (words, graph)
        self._name = name
        self.limits = own = Limits(**limits)
        marks = f"{'|names' if own.names else ''}{'|classes:' + '/'.join(map(str, own.classes)) if own.classes else ''}"
        marks += f"{f'|share:{own.share}' if own.share else ''}{'' if own.inflected else '|lemmas'}"
        self.signature = f"{name}+{digest_of(words, graph)}|senses:{own.senses}/{own.common}|floor:{own.floor}{marks}"
        self._readings = remembered(self._find_readings)
        self._by_part_of_speech = remembered(self._find_by_part_of_speech)
        self.senses = remembered(self._senses)
        self._common = remembered(self._common_senses)
        self._shares = remembered(self._find_shares)
        self.wider_senses = remembered(self._wider_senses)
        self.hypernyms = remembered(self._hypernyms)

    def reading(self, **changed: Any) -> WordNetLexicon:
        """The same words and graph with some other limits."""
        made = WordNetLexicon(*self._paths, name=self._name, **self.limits._replace(**changed)._asdict())
        made._readings, made._by_part_of_speech = self._readings, self._by_part_of_speech  # which depend on no limit
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

    @classmethod
    def of(cls, code: str) -> WordNetLexicon:
        """The words of one of :data:`sema_wordnet.languages.LANGUAGES`, with hyponymy by :class:`ClassLimits`.

        English words may have endings, those of other languages must be lemmas.

        Raises:
            UnknownNameError: the language has no index.
        """
        if code not in LANGUAGES:
            raise UnknownNameError("language", code, [*LANGUAGES], of="of a wordnet")
        if code in ("en", "zh"):
            return (cls.english() if code == "en" else cls.chinese()).reading(classes=ClassLimits())
        words = DATA / f"{code}.npz"
        return cls(words, name=f"omw-{code}", classes=_LIMITS, share=_SHARE, inflected=False)

    @cached_property
    def _words(self) -> WordIndex:
        from sema_wordnet.index import load_words

        return load_words(self._paths[0])

    @cached_property
    def graph(self) -> HypernymGraph:
        """The hypernym graph, shared by all lexicons with the same file."""
        from sema_wordnet.index import load_graph

        return load_graph(self._paths[1])

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

    def _find_readings(self, form: str) -> frozenset[tuple[str, int]]:
        """The lemmas that a lower-cased form may stand for, each with a part of speech."""
        if self.limits.inflected:
            return frozenset(self._morphy(form))
        lemma = folded(form)
        return frozenset((lemma, number) for number, senses in enumerate(self._by_part_of_speech(lemma)) if senses)

    def _morphy(self, form: str) -> Iterator[tuple[str, int]]:
        """All (lemma, part of speech) that a lower-cased form may stand for; repeats are possible.

        As in WordNet's own tools the form itself counts when it is a lemma, and a listed exception stops the rules.
        """
        words, senses = self._words, self._by_part_of_speech
        if not form.endswith(LETTERS) and form not in words and not words.is_irregular(form):
            return
        for part_of_speech in range(4):
            if senses(form)[part_of_speech]:
                yield form, part_of_speech
            for candidate in words.exceptions(form, part_of_speech) or detached(form, part_of_speech):
                if candidate != form and senses(candidate)[part_of_speech]:
                    yield candidate, part_of_speech

    def lemmas(self, word: str) -> frozenset[str]:
        """The base forms the word may have, lower-cased; empty when unknown."""
        readings = self._readings(word.lower())  # empty for most queries: runs of words that no lemma spells
        return frozenset(lemma for lemma, _ in readings) if readings else _UNKNOWN

    def parts_of_speech(self, word: str) -> frozenset[int]:
        """Those that the word may have, by :mod:`sema_wordnet.morphology`'s numbers; empty when unknown."""
        return frozenset(part_of_speech for _, part_of_speech in self._readings(word.lower()))

    def _first(self, word: str, limit: int) -> frozenset[int]:
        chosen: set[int] = set()
        individuals = self.graph.individuals if self.limits.names and word[:1].isupper() else frozenset[int]()
        readings = [
            (self._by_part_of_speech(lemma)[part_of_speech], part_of_speech == NOUN)
            for lemma, part_of_speech in self._readings(word.lower())
        ]
        name_first = any(noun and senses[0] in individuals for senses, noun in readings)
        for senses, noun in readings:
            if name_first and not noun:  # *Ford* does not cross a river
                continue
            usual = senses[: limit if len(senses) <= _LIGHT else _LIGHT_SENSES]
            named = individuals.intersection(senses[: max(limit, self.limits.common)])
            chosen.update(named or usual)
        return frozenset(chosen)

    def _senses(self, word: str) -> frozenset[int]:
        """The usual senses of the word, as synset numbers of the graph: words that share one are synonyms."""
        if self.limits.share is not None:
            return frozenset(synset for synset, share in self._shares(word).items() if share >= self.limits.share)
        return self._first(word, self.limits.senses)

    def _common_senses(self, word: str) -> frozenset[int]:
        """The senses used for hyponymy."""
        return self._first(word, self.limits.common)

    def is_name(self, word: str) -> bool:
        """Whether a word names a person, place or other single thing and has no other senses (``names``)."""
        senses = self.senses(word) if self.limits.names and word[:1].isupper() else frozenset()
        return bool(senses) and senses <= self.graph.individuals

    def _hypernyms(self, word: str, depth: int = 3) -> frozenset[int]:
        """The synsets at 1 to ``depth`` steps above the word that its limits allow."""
        limits = self.limits.classes
        if limits is None:
            return self._above(self._common(word), depth, self.limits.floor)
        shares = self._shares(word)
        held: dict[int, float] = {}
        for synset, share in shares.items():
            for above in self._above(frozenset([synset]), depth, 0):
                held[above] = held.get(above, 0.0) + share
        return frozenset(
            above
            for above, share in held.items()
            if shares.get(above, 0.0) < share / 2 and self._allows(limits, above, share)  # rather a class than a sense
        )

    def _allows(self, limits: ClassLimits, synset: int, share: float) -> bool:
        """Whether a word may be linked to a class that has this share of it."""
        information, noun = self.graph.information(synset), synset < self.graph.limits[1]
        if information >= limits.narrow and share >= (limits.share if noun else limits.verb_share):
            return True
        basic = noun and information >= limits.wide and self.graph.languages[synset] >= limits.languages
        return basic and share >= limits.basic_share

    def _find_shares(self, word: str) -> dict[int, float]:
        """The word's senses with their shares of its uses, 0-1: see :class:`ClassLimits`.

        With ``names`` a capitalised word that is often a name has a name's senses alone, and a word in lower case
        those of no name unless it has no others.
        """
        individuals = self.graph.individuals if self.limits.names else frozenset[int]()
        uses: dict[int, float] = {}
        first: set[int] = set()
        for lemma, part_of_speech in self._readings(word.lower()):
            counts = dict(zip(self._words.synsets(lemma), self._words.counts(lemma), strict=True))
            senses = self._by_part_of_speech(lemma)[part_of_speech]
            first.update(senses[:1])
            for synset in senses:
                uses[synset] = uses.get(synset, 0.0) + self.graph.use(synset, counts[synset])
        named = {synset: use for synset, use in uses.items() if synset in individuals}
        if word[:1].isupper():
            is_name = not first.isdisjoint(individuals) or sum(named.values()) > _NAME * sum(uses.values())
            kept = named if is_name else uses
        else:
            kept = {synset: use for synset, use in uses.items() if synset not in individuals} or uses
        whole = sum(kept.values())
        return {synset: use / whole for synset, use in kept.items()}

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
        """The senses under which the word may be the wider one of a hyponymy."""
        if self.limits.classes is None:
            return self._common(word)
        limits, nouns = self.limits.classes, self.graph.limits[1]
        return frozenset(
            synset
            for synset, share in self._shares(word).items()
            if share >= (limits.wider_share if synset < nouns else limits.verb_share)
        )

    def is_hyponym(self, word: str, other: str, *, depth: int = 3) -> bool:
        """Whether ``word`` is a kind of ``other``, at most ``depth`` hypernym steps up. Not symmetric."""
        return not self.hypernyms(word, depth).isdisjoint(self.wider_senses(other))
