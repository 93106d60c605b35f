"""Facts about words from a language's lists (``facts.json`` in its package)."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sema.errors import ResourceError
from sema.model.text import is_punctuation


class ListedFacts:
    """What closed classes say, by list; words are looked up in lower case.

    The lists: ``negations`` (*not*), ``denials`` (*fail*), ``pronouns`` of the third person, ``agents`` (*by*),
    ``forces`` (groups of modals and quantifiers), ``scales`` (each from the weakest words to the strongest), ``first``
    and ``last`` (*after* and *before*), ``units`` (one list a unit), ``opposites`` (pairs, with a space between); where
    a language has them ``persons`` (groups of pronouns), ``own``, ``joins`` (groups of conjunctions), ``conditions``
    (*if*), ``coordinators`` (*and*), ``contrasts`` (*rather*), ``back`` (*that*, as in *after that*), ``relatives``
    (*which*), ``then`` and ``earlier`` (*beforehand*), ``implied`` (words for which a negation can stand: *only*),
    ``converses`` (*buy sell*), ``bounds`` of numbers (phrases by ``least`` and ``most``) and ``negative`` affixes.
    """

    def __init__(self, file: Path) -> None:
        """Read the lists.

        Raises:
            ResourceError: the file is missing or damaged.
        """
        try:
            lists: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ResourceError(f"no word lists at {file} ({error}): reinstall the package") from error
        self._negations = frozenset(lists["negations"])
        self._denials = frozenset(lists["denials"])
        self._pronouns = frozenset(lists["pronouns"])
        self._agents = frozenset(lists["agents"])
        self._forces = {word: group for group, words in lists["forces"].items() for word in words}
        self._strengths = {
            word: (scale, level)
            for scale, levels in lists["scales"].items()
            for level, words in enumerate(levels)
            for word in words
        }
        affixes = lists.get("negative", [])
        self._prefixes = tuple(affix[:-1] for affix in affixes if affix.endswith("-"))
        self._suffixes = tuple(affix[1:] for affix in affixes if affix.startswith("-"))
        self._persons = {word: group for group, words in lists.get("persons", {}).items() for word in words}
        self._joins: dict[str, frozenset[str]] = {}
        for group, words in lists.get("joins", {}).items():
            for word in words:
                self._joins[word] = self._joins.get(word, frozenset()) | {group}
        self._coordinators = frozenset(lists.get("coordinators", []))
        self._contrasts = frozenset(lists.get("contrasts", []))
        self._own = frozenset(lists.get("own", []))
        self._conditions = frozenset(lists.get("conditions", []))
        self._sequels = {**dict.fromkeys(lists.get("then", []), 1), **dict.fromkeys(lists.get("earlier", []), -1)}
        signs = (1, "least"), (-1, "most")
        said = [
            (tuple(phrase.split()), sign) for sign, name in signs for phrase in lists.get("bounds", {}).get(name, [])
        ]
        self._bounds = sorted(said, key=lambda phrase: -len(phrase[0]))
        self._relatives = frozenset(lists.get("relatives", []))
        self._back = frozenset(lists.get("back", []))
        self._implied = frozenset(lists.get("implied", []))
        self._converses = frozenset(frozenset(pair.split()) for pair in lists.get("converses", []))
        self._units = {word: words[0] for words in lists["units"] for word in words}
        self._order = {**dict.fromkeys(lists["first"], 1), **dict.fromkeys(lists["last"], -1)}
        self._opposites = frozenset(frozenset(pair.split()) for pair in lists["opposites"])

    def is_weak(self, word: str) -> bool:
        """Punctuation alone."""
        return is_punctuation(word)

    def value(self, word: str) -> Hashable | None:
        """Unknown."""
        return None

    def unlisted(self, word: str) -> bool:
        """Unknown: lists hold closed classes."""
        return False

    def negates(self, word: str) -> bool:
        """Whether it is a word of negation."""
        return word.lower() in self._negations

    def denies(self, word: str) -> bool:
        """Whether it denies by its sense what comes next."""
        return word.lower() in self._denials

    def opposed(self, first: str, second: str) -> bool:
        """Whether the two are listed as opposites."""
        return frozenset((first.lower(), second.lower())) in self._opposites

    def force(self, word: str) -> str | None:
        """The group of a modal or a quantifier."""
        return self._forces.get(word.lower())

    def strength(self, word: str) -> tuple[str, int] | None:
        """Where a quantifier, an adverb of frequency or a modal stands on its scale."""
        return self._strengths.get(word.lower())

    def bears_negation(self, word: str) -> bool:
        """Whether it begins or ends like the negative words of the language (``negative``: ``un-``, ``-less``)."""
        lower = word.lower()
        return lower.startswith(self._prefixes) or lower.endswith(self._suffixes)

    def distinct(self, first: str, second: str, *, alone: bool = False) -> bool:
        """Never: lists do not say what nouns name."""
        return False

    def plainer(self, first: Sequence[str], second: Sequence[str]) -> bool:
        """Unknown: lists do not say how common words are."""
        return False

    def implies_negation(self, word: str) -> bool:
        """Whether it is listed, or bears a negation."""
        return word.lower() in self._implied or self.bears_negation(word)

    def contrasts(self, word: str) -> bool:
        """Whether it is listed."""
        return word.lower() in self._contrasts

    def converse(self, first: str, second: str) -> bool:
        """Whether the two are listed as converses."""
        return frozenset((first.lower(), second.lower())) in self._converses

    def coordinates(self, word: str) -> bool:
        """Whether it is listed."""
        return word.lower() in self._coordinators

    def sets_condition(self, word: str) -> bool:
        """Whether it is listed."""
        return word.lower() in self._conditions

    def person(self, word: str) -> str | None:
        """Whom a pronoun can stand for."""
        return self._persons.get(word.lower())

    def owns(self, word: str) -> bool:
        """Whether it is listed."""
        return word.lower() in self._own

    def joins(self, word: str) -> frozenset[str]:
        """How it can join clauses."""
        return self._joins.get(word.lower(), frozenset())

    def unit(self, word: str) -> str | None:
        """The unit of measurement, currency or magnitude."""
        return self._units.get(word.lower())

    def bound(self, before: Sequence[str], after: Sequence[str]) -> int:
        """By the longest listed phrase that ends what stands before, else by the longest in what stands behind."""
        for phrase, sign in self._bounds:
            if tuple(before[-len(phrase) :]) == phrase:
                return sign
        for phrase, sign in self._bounds:
            if any(tuple(after[t : t + len(phrase)]) == phrase for t in range(len(after))):
                return sign
        return 0

    def order(self, word: str) -> int:
        """Whether what follows came first or last."""
        return self._order.get(word.lower(), 0)

    def sequel(self, word: str) -> int:
        """Whether it is listed as *then* or as *beforehand*."""
        return self._sequels.get(word.lower(), 0)

    def points_back(self, word: str, following: str) -> bool:
        """Whether it is listed as relative, or listed and no word of content comes next."""
        return word.lower() in self._relatives or (word.lower() in self._back and self.is_weak(following))

    def is_pronoun(self, word: str) -> bool:
        """Whether it is a personal pronoun of the third person."""
        return word.lower() in self._pronouns

    def opposites_of(self, word: str) -> list[str]:
        """The listed opposites of a word, in order."""
        lower = word.lower()
        return sorted(other for pair in self._opposites if lower in pair for other in pair if other != lower)

    def marks_agent(self, word: str) -> bool:
        """Whether it introduces the agent of a passive."""
        return word.lower() in self._agents
