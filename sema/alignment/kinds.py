"""How two words are related: the kind of link between them, from their forms and the lexicon, whatever aligner asks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from sema.alignment.base import LinkKind
from sema.lexicons import IndexedLexicon, Lexicon
from sema.text import is_punctuation

Stemmer = Callable[[str], str]
"""The stem of a word: words with the same stem are forms of each other."""

Valuer = Callable[[str], Hashable | None]
"""What a number word stands for (``13`` and *thirteen* -> 13), ``None`` for any other word."""


@dataclass(frozen=True)
class Shape:
    """Partial matches by form, for languages whose words are cut differently from text to text.

    ``keys`` gives what two words must share to be compared at all (their characters, say), ``alike`` decides.
    """

    keys: Callable[[str], Iterable[Hashable]]
    alike: Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class _Profile:
    """What there is to know about one word, the lexicon's answers left out."""

    lower: str
    weak: bool
    stem: str
    lemmas: frozenset[str]
    value: Hashable | None
    lexical: bool


class WordRelations:
    """The relations that links are made of. Knows no language: stems, numbers and word lists are passed in.

    Function words and punctuation are *weak*: identity and a shared stem relate them, the lexicon is not asked. Nor is
    it asked about ``light`` words (*get*, *make*): they mean too much to mean the same as another word. Words with a
    value relate to words of the same value alone: different numbers are never linked.
    """

    def __init__(
        self,
        lexicon: Lexicon | None = None,
        *,
        stem: Stemmer = str.lower,
        value: Valuer | None = None,
        function_words: Collection[str] = (),
        light_words: Collection[str] = (),
        shape: Shape | None = None,
        hyponymy_depth: int = 3,
        reverse_hyponymy: bool = False,
    ) -> None:
        """``function_words`` and ``light_words`` are lower-cased; ``hyponymy_depth`` counts hypernym steps.

        A source word links to a wider output word; with ``reverse_hyponymy`` to a narrower one too.
        """
        self._lexicon = lexicon
        self._stem = stem
        self._value = value
        self._function_words = frozenset(function_words)
        self._light_words = frozenset(light_words)
        self._shape = shape
        self._depth = hyponymy_depth
        self._reverse = reverse_hyponymy
        direction = "both" if reverse_hyponymy else "up"
        self.signature = f"{lexicon.signature if lexicon else 'no lexicon'}|hyponymy:{direction}:{hyponymy_depth}"
        self._profile = lru_cache(1 << 17)(self._describe)
        self.kind = lru_cache(1 << 19)(self._kind)

    def _describe(self, word: str) -> _Profile:
        lower = word.lower()
        weak = lower in self._function_words or is_punctuation(word)
        value = self._value(word) if self._value else None
        lexical = not weak and value is None and lower not in self._light_words and any(map(str.isalpha, word))
        known = self._lexicon is not None and not weak and value is None
        lemmas = self._lexicon.lemmas(word) if known and self._lexicon else frozenset()
        return _Profile(lower, weak, self._stem(word), lemmas, value, lexical)

    def is_weak(self, word: str) -> bool:
        """Whether the word is a function word or punctuation."""
        return self._profile(word).weak

    def _kind(self, source: str, output: str) -> LinkKind | None:
        """The surest relation from a source word to an output word, or ``None`` when there is none."""
        if source == output:
            return LinkKind.EXACT
        first, second = self._profile(source), self._profile(output)
        if first.lower == second.lower:
            return LinkKind.FORM
        if first.value is not None or second.value is not None:
            return LinkKind.FORM if first.value == second.value else None
        if first.weak is not second.weak:
            return None
        if first.stem == second.stem or not first.lemmas.isdisjoint(second.lemmas):
            return LinkKind.FORM
        if first.weak:
            return None
        if self._shape is not None and self._shape.alike(source, output):
            return LinkKind.FORM
        lexicon = self._lexicon
        if lexicon is None or not (first.lexical and second.lexical):
            return None
        if lexicon.are_synonyms(source, output):
            return LinkKind.SYNONYM
        if lexicon.are_paraphrases(source, output):
            return LinkKind.PARAPHRASE
        if lexicon.is_hyponym(source, output, depth=self._depth) or (
            self._reverse and lexicon.is_hyponym(output, source, depth=self._depth)
        ):
            return LinkKind.HYPONYMY
        return None

    def conflict(self, source: str, output: str) -> bool:
        """Whether the words must never be linked: numbers of different value."""
        first, second = self._profile(source).value, self._profile(output).value
        return first is not None and second is not None and first != second

    def classify(self, source: str, output: str) -> LinkKind | None:
        """The kind of a link that another method found: a relation of the words if there is one, else contextual.

        ``None`` for a pair that must not be linked at all (:meth:`conflict`).
        """
        if self.conflict(source, output):
            return None
        return self.kind(source, output) or LinkKind.CONTEXTUAL

    def _output_keys(self, word: str) -> set[Hashable]:
        """Under which keys an output word waits for source words."""
        profile, lexicon = self._profile(word), self._lexicon
        keys = self._form_keys(word, profile)
        if profile.lexical and isinstance(lexicon, IndexedLexicon):
            keys.update(("sense", key) for key in lexicon.senses(word))
            keys.update(("wider", key) for key in lexicon.wider_senses(word))
            keys.update(("listed", form) for form in (*profile.lemmas, profile.lower))
            if self._reverse:
                keys.update(("narrower", key) for key in lexicon.hypernyms(word, self._depth))
        return keys

    def _source_keys(self, word: str) -> set[Hashable]:
        """Under which keys a source word looks for output words."""
        profile, lexicon = self._profile(word), self._lexicon
        keys = self._form_keys(word, profile)
        if profile.lexical and isinstance(lexicon, IndexedLexicon):
            keys.update(("sense", key) for key in lexicon.senses(word))
            keys.update(("wider", key) for key in lexicon.hypernyms(word, self._depth))
            keys.update(("listed", form) for form in lexicon.paraphrases(word))
            if self._reverse:
                keys.update(("narrower", key) for key in lexicon.wider_senses(word))
        return keys

    def _form_keys(self, word: str, profile: _Profile) -> set[Hashable]:
        keys: set[Hashable] = {profile.lower, ("stem", profile.stem)}
        keys.update(("lemma", lemma) for lemma in profile.lemmas)
        if profile.value is not None:
            keys.add(("value", profile.value))
        if self._shape is not None and not profile.weak:
            keys.update(("part", key) for key in self._shape.keys(word))
        return keys

    def related(self, sources: Iterable[str], outputs: Iterable[str]) -> dict[str, frozenset[str]]:
        """For each source word the output words that may be related to it: a few too many, never one too few.

        The lexicon's keys spare the comparison of every word with every other; a lexicon without them
        (:class:`~sema.lexicons.IndexedLexicon`) gets compared pair by pair.
        """
        waiting: dict[Hashable, list[str]] = {}
        outputs = set(outputs)
        for word in outputs:
            for key in self._output_keys(word):
                waiting.setdefault(key, []).append(word)
        pairwise: frozenset[str] = frozenset()
        if self._lexicon is not None and not isinstance(self._lexicon, IndexedLexicon):
            pairwise = frozenset(word for word in outputs if self._profile(word).lexical)
        related: dict[str, frozenset[str]] = {}
        for word in set(sources):
            found = {other for key in self._source_keys(word) if key in waiting for other in waiting[key]}
            related[word] = frozenset(found | pairwise if self._profile(word).lexical else found)
        return related
