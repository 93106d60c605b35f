"""The lexicon over NLTK's own WordNet reader, for users who have NLTK's ``wordnet`` corpus installed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sema.errors import ResourceError

_LIGHT, _LIGHT_SENSES = 15, 2


class NltkLexicon:
    """As :class:`~sema_wordnet.lexicon.WordNetLexicon`, asked of NLTK: same senses, same floor, slower by far.

    ``reader`` is an NLTK ``WordNetCorpusReader``; by default the corpus that ``nltk.download("wordnet")`` installs. It
    may be any WordNet that NLTK reads, so answers differ from the shipped index where the versions do.
    """

    def __init__(self, reader: Any = None, *, senses: int = 8, common: int = 4, floor: int = 4) -> None:
        """Open the corpus; one that is not installed is a ``ResourceError`` that says how to get it."""
        self._reader = reader if reader is not None else _installed_reader()
        self._limits = (senses, common)
        self._floor = floor
        self.signature = f"nltk-wordnet-{self._reader.get_version()}|senses:{senses}/{common}|floor:{floor}"
        self.lemmas = lru_cache(1 << 16)(self._lemmas)
        self.senses = lru_cache(1 << 16)(self._senses)
        self.wider_senses = lru_cache(1 << 16)(self._common)
        self.hypernyms = lru_cache(1 << 16)(self._hypernyms)

    def _lemmas(self, word: str) -> frozenset[str]:
        """The base forms the word may have, lower-cased; empty when unknown."""
        lower = word.lower()
        bases = {lower, *(self._reader.morphy(lower, pos) for pos in "nvar")} - {None}
        return frozenset(base for base in bases if any(self._own(base, pos) for pos in "nvar"))

    def _own(self, lemma: str, pos: str) -> list[Any]:
        """The synsets that list the lemma itself; NLTK would add those of the lemmas it may be a form of."""
        return [synset for synset in self._reader.synsets(lemma, pos) if lemma in map(str.lower, synset.lemma_names())]

    def _first(self, word: str, limit: int) -> frozenset[str]:
        found: set[str] = set()
        for lemma in self.lemmas(word):
            for pos in "nvar":
                own = self._own(lemma, pos)
                found.update(synset.name() for synset in own[: limit if len(own) <= _LIGHT else _LIGHT_SENSES])
        return frozenset(found)

    def _senses(self, word: str) -> frozenset[str]:
        """The usual senses of the word, by their synsets' names."""
        return self._first(word, self._limits[0])

    def _common(self, word: str) -> frozenset[str]:
        """The senses between which hyponymy is asked for."""
        return self._first(word, self._limits[1])

    def _hypernyms(self, word: str, depth: int = 3) -> frozenset[str]:
        """The synsets at 1 to ``depth`` steps above the word's common senses that are not too abstract."""
        own = self.wider_senses(word)
        seen: dict[str, Any] = {}
        level = [self._reader.synset(name) for name in own]
        for _ in range(depth):
            above = [target for synset in level for target in synset.hypernyms() + synset.instance_hypernyms()]
            level = [synset for synset in above if synset.name() not in seen]
            seen.update((synset.name(), synset) for synset in level)
        return frozenset(
            name
            for name, synset in seen.items()
            if name not in own and (synset.pos() != "n" or synset.min_depth() >= self._floor)
        )

    def paraphrases(self, word: str) -> frozenset[str]:
        """None: a wordnet lists senses only."""
        return frozenset()

    def are_synonyms(self, first: str, second: str) -> bool:
        """Whether a usual sense of one word is a usual sense of the other."""
        return not self.senses(first).isdisjoint(self.senses(second))

    def are_paraphrases(self, first: str, second: str) -> bool:
        """Never: a wordnet lists senses only."""
        return False

    def is_hyponym(self, word: str, other: str, *, depth: int = 3) -> bool:
        """Whether ``word`` is a kind of ``other``, at most ``depth`` hypernym steps up. Not symmetric."""
        return not self.hypernyms(word, depth).isdisjoint(self.wider_senses(other))


def _installed_reader() -> Any:
    try:
        from nltk.corpus import wordnet

        wordnet.ensure_loaded()
    except (ImportError, LookupError, OSError) as error:
        raise ResourceError(
            "NLTK's wordnet corpus is not installed; run nltk.download('wordnet') in Python, "
            "or use the index that ships (sema_wordnet.WordNetLexicon.english())"
        ) from error
    return wordnet
