"""Rules learned from human simplifications, with counts, on disk as compressed JSON; and the word rules that ship."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from sema_english.words import word_table

from sema.errors import ResourceError
from sema.files.replacing import replacing
from sema.files.tables import unpacked
from sema.runtime.contents import bounded
from sema.runtime.forks import cached_property
from sema.runtime.pairs import load_pairs

FORMAT = 1
LONGEST = 5
"""The largest number of tokens on the left side of a rule."""
WORDS = Path(__file__).parent / "tables" / "simpler.npz"
"""For each word more common ones (card: ``tables/CARD.md``)."""
LEAST_GAIN = 0.3
"""How much more common a simpler word must be, on the Zipf scale: twice as frequent."""

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """Lower-cased tokens and their replacement (empty: a deletion).

    ``uses`` counts the references that applied it, ``sentences`` the sources with such a reference.
    """

    source: Phrase
    target: Phrase
    uses: int
    sentences: int


@dataclass(frozen=True)
class Contribution:
    """The counts of one source's references: uses by rule (number in the table), references that keep each word."""

    rules: Mapping[int, int] = field(default_factory=dict)
    words: Mapping[str, int] = field(default_factory=dict)


NOTHING = Contribution()


@dataclass(frozen=True)
class Known:
    """A rule's counts without one sentence."""

    rule: Rule
    uses: int
    sentences: int
    occurrences: int  # sentences that contain its left side
    share: float  # of references that applied it where they could
    reverse: float  # share of its right side's uses that come from its left side


@dataclass(eq=False)
class RuleTable:
    """Rules with their counts.

    For a sentence that the table was learned from, its own counts are subtracted (leave-one-out), so that weights
    can be tuned on the same sentences.
    """

    references: int  # how many simplifications each source had
    rules: Sequence[Rule]
    occurrences: Mapping[Phrase, int]  # in how many sources each left side occurs
    words: Mapping[str, tuple[int, int]]  # the number of references that kept a word, and that could have
    sources: Mapping[str, Contribution]  # by key_of

    def __post_init__(self) -> None:
        self._by_source: dict[Phrase, list[int]] = {}
        self._by_target: dict[Phrase, list[int]] = {}
        for number, rule in enumerate(self.rules):
            self._by_source.setdefault(rule.source, []).append(number)
            self._by_target.setdefault(rule.target, []).append(number)

    def contribution(self, words: Sequence[str]) -> Contribution:
        """A sentence's counts in the table; empty if the table was not learned from it."""
        return self.sources.get(key_of(words), NOTHING)

    def known(self, phrase: Phrase, own: Contribution = NOTHING) -> list[Known]:
        """The rules for a phrase with the counts of the other sentences; rules from this sentence only are left out."""
        occurrences = self.occurrences.get(phrase, 0) - (own is not NOTHING)
        listed = []
        for number in self._by_source.get(phrase, ()):
            rule, brought = self.rules[number], own.rules.get(number, 0)
            uses, sentences = rule.uses - brought, rule.sentences - (brought > 0)
            if sentences > 0 and uses > 1:
                same = self._by_target[rule.target]
                all_uses = sum(self.rules[other].uses - own.rules.get(other, 0) for other in same)
                share = uses / (self.references * max(1, occurrences))
                listed.append(Known(rule, uses, sentences, occurrences, share, uses / all_uses))
        return listed

    def kept(self, word: str, own: Contribution) -> tuple[int, int]:
        """The number of references of other sentences that kept a word, and that could have."""
        kept, seen = self.words.get(word, (0, 0))
        by_itself = own.words.get(word)
        return (kept, seen) if by_itself is None else (kept - by_itself, seen - self.references)

    @cached_property
    def signature(self) -> str:
        """The number of rules and a digest of them."""
        digest = sha256(json.dumps(self._plain()["rules"]).encode()).hexdigest()[:8]
        return f"{len(self.rules)},sha256={digest}"

    def _plain(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "references": self.references,
            "rules": [[" ".join(r.source), " ".join(r.target), r.uses, r.sentences] for r in self.rules],
            "occurrences": {" ".join(phrase): count for phrase, count in self.occurrences.items()},
            "words": {word: list(counts) for word, counts in self.words.items()},
            "sources": {key: [list(own.rules.items()), dict(own.words)] for key, own in self.sources.items()},
        }

    def save(self, path: Path) -> None:
        """Write the table; the bytes depend only on the table."""
        with replacing(path) as file:
            file.write(gzip.compress(json.dumps(self._plain(), ensure_ascii=False).encode(), mtime=0))

    @classmethod
    def load(cls, path: Path) -> RuleTable:
        """Read a table that :meth:`save` wrote.

        Raises:
            ResourceError: the file is missing, or it is not a rule table.
        """
        try:
            with path.open("rb") as file:
                plain = json.loads(unpacked(bounded(file, path), "rules.gz"))
            if plain["format"] != FORMAT:
                raise ValueError(f"format {plain['format']}")
            return cls(
                plain["references"],
                [Rule(tuple(x.split()), tuple(y.split()), uses, count) for x, y, uses, count in plain["rules"]],
                {tuple(phrase.split()): count for phrase, count in plain["occurrences"].items()},
                {word: (kept, seen) for word, (kept, seen) in plain["words"].items()},
                {key: Contribution(dict(rules), words) for key, (rules, words) in plain["sources"].items()},
            )
        except (OSError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise ResourceError(
                f"{path}: not a readable rule table; learn one with python -m sema_simplifier.learn"
            ) from error


EMPTY = RuleTable(0, (), {}, {}, {})


def key_of(words: Sequence[str]) -> str:
    """A sentence's key among the sources: a digest of its lower-cased tokens."""
    return sha256(" ".join(words).lower().encode()).hexdigest()[:16]


def phrases(words: Phrase) -> set[Phrase]:
    """All stretches of at most :data:`LONGEST` tokens."""
    return {
        words[start : start + length] for length in range(1, LONGEST + 1) for start in range(len(words) - length + 1)
    }


@cache
def simpler_words() -> dict[str, tuple[str, ...]]:
    """The word rules that ship: for each word its simpler words, the most common first."""
    table = word_table()
    return {
        word: tuple(sorted(simpler, key=lambda other: (-table.zipf(other), other)))
        for word, others in load_pairs(WORDS).items()
        if (simpler := [other for other in others if table.zipf(other) - table.zipf(word) >= LEAST_GAIN])
    }
