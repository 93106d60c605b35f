"""The relation between two words: the kind of their link, from their forms and the lexicon, for any aligner."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sema.model.lexicon import IndexedLexicon, Lexicon
from sema.model.links import LinkKind
from sema.model.text import is_punctuation
from sema.runtime.caching import remembered

Stemmer = Callable[[str], str]
"""The stem of a word: words with the same stem are forms of each other."""

Valuer = Callable[[str], Hashable | None]
"""What a number word stands for (``13`` and *thirteen* -> 13), ``None`` for any other word."""

_BITS = (1 << 18) - 1
"""The bits of a key by which most keys that the other list lacks are dropped before sorting."""
Ints = NDArray[np.int64]
_ASKED = 16
"""The number of pairs whose words are looked up together."""
_FORMS = 6
"""The number of ways in which forms can match: lower case, stem, lemma, value, parts, role."""
_SIGNS = [chr(way) for way in range(_FORMS + 3)]
"""Prefixes of string keys, one for each way of matching: by form, or by an equal, wider or narrower sense.

Keys of paraphrases have none.
"""


@dataclass(frozen=True)
class Shape:
    """Partial matches by form: words that share one of their ``keys`` (a character, say) match if ``alike`` says so."""

    keys: Callable[[str], Iterable[Hashable]]
    alike: Callable[[str, str], bool]


class _Profile(NamedTuple):
    """Everything known about one word without the lexicon's relations."""

    lower: str
    function_word: bool
    main_verb: bool
    stem: str
    lemmas: frozenset[str]
    value: Hashable | None
    lexical: bool
    roles: frozenset[Hashable]


@dataclass(eq=False)
class WordRelations:
    """Relations between words, from which links are made. Knows no language: stems, numbers, word lists are passed in.

    Function words and punctuation are related by identity, a shared stem and a shared role (*and*, *as well as*); the
    lexicon is not asked. Words with a value relate to words of the same value alone: other numbers are never linked.

    Attributes:
        lexicon: synonyms, paraphrases, hypernyms and lemmas, if there is one.
        stem: see :data:`Stemmer`.
        spell: normalizes a word's spelling (case; in Chinese, script and numerals).
        value: see :data:`Valuer`.
        function_words: lower-cased.
        light_words: lower-cased words with too many senses to ask the lexicon about (*get*, *make*).
        main_verbs: lower-cased function words that are main verbs as often (*like*, *have*): they relate to content
            words as content words do.
        roles: the functions that a lower-cased function word shares with others.
        shape: partial matches by form.
        hyponymy_depth: how many hypernym steps up an output word may be.
        reverse_hyponymy: whether a source word relates to narrower output words too.
    """

    lexicon: Lexicon | None = None
    _: KW_ONLY
    stem: Stemmer = str.lower
    spell: Stemmer = str.lower
    value: Valuer | None = None
    function_words: Collection[str] = ()
    light_words: Collection[str] = ()
    main_verbs: Collection[str] = ()
    roles: Mapping[str, Collection[Hashable]] = field(default_factory=dict)
    shape: Shape | None = None
    hyponymy_depth: int = 3
    reverse_hyponymy: bool = False

    def __post_init__(self) -> None:
        self._indexed = self.lexicon if isinstance(self.lexicon, IndexedLexicon) else None
        direction = "both" if self.reverse_hyponymy else "up"
        known = self.lexicon.signature if self.lexicon else "no lexicon"
        self.signature = f"{known}|hyponymy:{direction}:{self.hyponymy_depth}"
        self._profile = remembered(self._describe)
        self._output_keys = remembered(lambda word: self._find_keys(word, source=False))
        self._source_keys = remembered(lambda word: self._find_keys(word, source=True))
        self._kind = remembered(self._find_kind)

    def _describe(self, word: str) -> _Profile:
        lower = word.lower()
        function_word = lower in self.function_words or is_punctuation(word)
        main_verb = lower in self.main_verbs
        value = self.value(word) if self.value else None
        barred = lower in self.light_words or (function_word and not main_verb)
        lexical = not barred and value is None and any(map(str.isalpha, word))
        lemmas = self.lexicon.lemmas(word) if lexical and self.lexicon is not None else frozenset()
        stem = self.stem(word)
        roles = frozenset(self.roles.get(lower, ()))
        return _Profile(lower, function_word, main_verb, stem, lemmas, value, lexical, roles)

    def is_main_verb(self, word: str) -> bool:
        """Whether the word is a function word that may be a main verb."""
        return self._profile(word).main_verb

    def is_function_word(self, word: str) -> bool:
        """Whether the word is a function word or punctuation."""
        return self._profile(word).function_word

    def is_listed(self, word: str) -> bool:
        """Whether the lexicon has the word itself."""
        # The lexicon is asked first: most runs of words spell no word, and a profile of each would take long.
        known = self.lexicon is not None and word.lower() in self.lexicon.lemmas(word)
        return known and word.lower() in self._profile(word).lemmas

    def kind(self, source: str, output: str) -> LinkKind | None:
        """The surest relation from a source word to an output word, or ``None`` when there is none."""
        return LinkKind.EXACT if source == output else self._kind(source, output)

    def _find_kind(self, source: str, output: str) -> LinkKind | None:
        first, second = self._profile(source), self._profile(output)
        if first.lower == second.lower:
            return LinkKind.FORM
        if first.value is not None or second.value is not None:
            return LinkKind.FORM if first.value == second.value else None
        if not first.roles.isdisjoint(second.roles):
            return LinkKind.SYNONYM
        if first.function_word is not second.function_word and not (first.lexical and second.lexical):
            return None
        if first.stem == second.stem or not first.lemmas.isdisjoint(second.lemmas):
            return LinkKind.FORM
        if first.function_word and second.function_word:
            return None
        if self.shape is not None and self.shape.alike(source, output):
            return LinkKind.FORM
        lexicon = self.lexicon
        if lexicon is None or not (first.lexical and second.lexical):
            return None
        if lexicon.are_synonyms(source, output):
            return LinkKind.SYNONYM
        if lexicon.are_paraphrases(source, output):
            return LinkKind.PARAPHRASE
        if lexicon.is_hyponym(source, output, depth=self.hyponymy_depth) or (
            self.reverse_hyponymy and lexicon.is_hyponym(output, source, depth=self.hyponymy_depth)
        ):
            return LinkKind.HYPONYMY
        return None

    def conflict(self, source: str, output: str) -> bool:
        """Whether the words must never be linked: numbers of different value."""
        first, second = self._profile(source).value, self._profile(output).value
        return first is not None and second is not None and first != second

    def classify(self, source: str, output: str) -> LinkKind | None:
        """The kind of a link found by another method; ``None`` if it must not be linked (:meth:`conflict`)."""
        if self.conflict(source, output):
            return None
        return self.kind(source, output) or LinkKind.CONTEXTUAL

    def _form_keys(self, word: str, profile: _Profile) -> set[Hashable]:
        """The keys by which words match without a lexicon's relations."""
        values = () if profile.value is None else (profile.value,)
        parts = set(self.shape.keys(word)) if self.shape and not profile.function_word else ()
        return set(_by_way(((profile.lower,), (profile.stem,), profile.lemmas, values, parts, profile.roles)))

    def _find_keys(self, word: str, *, source: bool) -> bytes:
        """The keys, packed, by which a source word finds output words, or under which an output word is found."""
        profile, lexicon = self._profile(word), self._indexed
        forms = self._form_keys(word, profile)
        if not profile.lexical or lexicon is None:
            return packed(forms)
        up = lexicon.hypernyms(word, self.hyponymy_depth) if source or self.reverse_hyponymy else ()
        here = lexicon.wider_senses(word) if self.reverse_hyponymy or not source else ()
        words = lexicon.paraphrases(word) if source else profile.lemmas.union((profile.lower,))
        senses = _by_way((lexicon.senses(word), *((up, here) if source else (here, up))), _FORMS)
        return packed(words.union(forms, senses))

    def related(self, sources: Iterable[str], outputs: Iterable[str]) -> dict[str, frozenset[str]]:
        """For each source word a superset of the output words that are related to it.

        The lexicon's keys avoid comparing every word with every other; a lexicon without them
        (:class:`~sema.model.lexicon.IndexedLexicon`) is asked pair by pair.
        """
        asking, waiting = list(dict.fromkeys(sources)), list(dict.fromkeys(outputs))
        shared = sharing(list(map(self._source_keys, asking)), list(map(self._output_keys, waiting)))
        related = {
            word: frozenset(map(waiting.__getitem__, places)) for word, places in zip(asking, shared, strict=True)
        }
        if self.lexicon is None or self._indexed is not None:
            return related
        pairwise = frozenset(word for word in waiting if self._profile(word).lexical)
        return {word: found | pairwise if self._profile(word).lexical else found for word, found in related.items()}

    def related_in(self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> list[dict[str, frozenset[str]]]:
        """:meth:`related` for each pair of sentences; those of a few pairs fit in the processor's caches."""
        found: list[dict[str, frozenset[str]]] = []
        for start in range(0, len(pairs), _ASKED):
            some = pairs[start : start + _ASKED]
            sources, outputs = {w for source, _ in some for w in source}, {w for _, output in some for w in output}
            found += [self.related(sources, outputs)] * len(some)
        return found


def packed(keys: Iterable[Hashable]) -> bytes:
    """The keys' hashes, eight bytes each: a tenth of the memory of a set."""
    return array("q", map(hash, keys)).tobytes()


def sharing(asking: Sequence[bytes], waiting: Sequence[bytes]) -> list[list[int]]:
    """For each packed set of ``asking`` the places in ``waiting`` of sets with a key (or, rarely, a hash) in common."""
    asked, askers = _joined(asking)
    known, owners = _joined(waiting)
    asked, askers = _held(asked, askers, known)
    known, owners = _held(known, owners, asked)
    order = np.argsort(known)
    known, owners = known[order], owners[order]
    first = np.searchsorted(known, asked)
    counts = np.searchsorted(known, asked, "right") - first
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    found = owners[np.repeat(first, counts) + within]
    pairs = np.sort(np.repeat(askers, counts) * len(waiting) + found)
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]  # np.unique imports NumPy's masked arrays, which take 20 ms
    ends = np.searchsorted(pairs, np.arange(1, len(asking) + 1) * len(waiting)).tolist()
    places = (pairs % max(1, len(waiting))).tolist()
    return [places[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _joined(sets: Sequence[bytes]) -> tuple[Ints, Ints]:
    """All keys, and for each the index of its set."""
    sizes = [len(keys) // 8 for keys in sets]
    return np.frombuffer(b"".join(sets), np.int64), np.repeat(np.arange(len(sets), dtype=np.int64), sizes)


def _held(keys: Ints, numbers: Ints, others: Ints) -> tuple[Ints, Ints]:
    """The keys whose last bits are those of a key in ``others``, with their numbers."""
    seen = np.zeros(_BITS + 1, np.bool_)
    seen[others & _BITS] = True
    kept = seen[keys & _BITS]
    return keys[kept], numbers[kept]


def _by_way(ways: Sequence[Collection[Hashable]], first: int = 0) -> list[Hashable]:
    """Keys for several ways of matching; keys of different ways, and listed words, are distinct."""
    found: list[Hashable] = []
    for way, keys in enumerate(ways, first):
        for key in keys:
            if type(key) is int:
                found.append(key * len(_SIGNS) + way)
            else:
                found.append(_SIGNS[way] + key if type(key) is str else (way, key))
    return found
