"""Changes of a sentence on purpose: rules over its words and their tags, for any language.

A sentence is a sequence of tokens, each with a letter for what it is. A rule finds stretches of tokens, by a pattern of
letters or in a list of phrases, and changes one of them: it puts other words there, or exchanges two stretches. A
language gives the letters, the lists and the rules (:class:`Language`).

========  ====================================  ========  ====================================
letter    token                                 letter    token
========  ====================================  ========  ====================================
``N``     noun                                  ``X``     auxiliary
``V``     verb                                  ``Z``     negation
``J``     adjective                             ``C``     *and*, *or*
``R``     adverb                                ``O``     what begins a phrase: a preposition
``P``     name                                  ``S``     what joins two clauses: *because*
``M``     number                                ``I``     what begins a condition: *if*
``T``     month                                 ``,``     mark between clauses
``D``     determiner, pronoun; Chinese 的       ``q``     another mark that stands close to a word
``w``     anything else                         ``.``     mark that ends a sentence
========  ====================================  ========  ====================================
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from training.reader.example import ENTAILED, NEUTRAL, NOT_ENTAILED, Example

Words = tuple[str, ...]
Spans = Sequence[tuple[int, int]]
"""What a rule has found, whole, and the stretches of it that are apart in its pattern."""
Pool = Mapping[str, Sequence[str]]
"""What sentences borrow from each other: words by their kind, ``phrases`` and ``sentences``."""
GLUE = "\u2060"
"""Begins a mark that stands close to the word before it, and ends one that stands close to the word behind it."""
_END = re.compile(r"[.!?。！？]")
_MARK = re.compile("[,;:，；：–—]")
"""Between clauses; other marks, such as that between the words of a Chinese list, are inside them."""
_LIKE = "123456789", "一二三四五六七八九", "十百千万亿"
"""Signs of numbers: each may become another of its row."""
_SHORT = 20
"""The tokens, at most, of a sentence that others borrow."""


@dataclass(frozen=True)
class Edit:
    """A change of a sentence.

    Attributes:
        words: the new sentence.
        new: places of ``words`` that the old sentence does not support.
        lost: places of the old sentence that the new one does not keep.
        output_entailed: whether the old sentence entails the new one.
        source_entailed: whether the new sentence entails the old one.
        same: how far both mean the same, in [0, 1].
    """

    words: Words
    new: frozenset[int]
    lost: frozenset[int]
    output_entailed: bool
    source_entailed: bool
    same: float

    @property
    def entails(self) -> tuple[int, int]:
        """The labels of output and source; an omission or an addition alone contradicts nothing."""
        output_entailed = ENTAILED if self.output_entailed else NEUTRAL if self.source_entailed else NOT_ENTAILED
        source_entailed = ENTAILED if self.source_entailed else NEUTRAL if self.output_entailed else NOT_ENTAILED
        return output_entailed, source_entailed


@dataclass
class Sentence:
    """A sentence to change: its tokens, its language, what it borrows, and a random generator."""

    words: Words
    language: Language
    pool: Pool
    random: Random
    tags: str = field(init=False)

    def __post_init__(self) -> None:
        self.tags = "".join(mark_or(self.language.tag, word) for word in self.words)

    def put(self, start: int, end: int, fresh: Words, same: float, entails: str) -> Edit:
        """Other words in place of ``start:end``; ``entails``: which text the other entails (``o``, ``s``, ``os``).

        Where nothing is put in or left out, the word behind the place is to blame for a change of meaning.
        """
        words = (*self.words[:start], *fresh, *self.words[end:])
        new = range(start, start + len(fresh)) if fresh else (min(start, len(words) - 1),)
        lost = range(start, end) if end > start else (min(start, len(self.words) - 1),)
        output, source = "o" in entails, "s" in entails
        return Edit(words, frozenset(() if output else new), frozenset(() if source else lost), output, source, same)

    def swap(self, first: tuple[int, int], second: tuple[int, int], same: float, blame: tuple[int, int] | None) -> Edit:
        """Two stretches in each other's place, the first before the second; both are to blame, or what ``blame`` spans
        between them."""
        (a, b), (c, d) = first, second
        words = (*self.words[:a], *self.words[c:d], *self.words[b:c], *self.words[a:b], *self.words[d:])
        shift = (d - c) - (b - a)
        if blame is None:
            new, lost = {*range(a, a + d - c), *range(c + shift, d)}, {*range(a, b), *range(c, d)}
        else:
            lost = set(range(*blame))
            new = {place + shift for place in lost}
        return Edit(words, frozenset(new), frozenset(lost), False, False, same)


Finder = Callable[[Sentence], list[Spans]]
Change = Callable[[Sentence, Spans], Edit | None]
Others = Callable[[Sentence, str], Sequence[str]]
"""What a phrase of a sentence may become; spaces are between tokens."""


@dataclass(frozen=True)
class Rule:
    """What a rule finds, what it does with it, and its weight in the random choice."""

    find: Finder
    change: Change
    weight: float


@dataclass(frozen=True)
class Language:
    """What changes need to know of a language.

    Attributes:
        cut: the tokens of a text.
        tag: the letter of a word that is no mark.
        kind: the class of words, of a pool, that may stand in a word's place in form; empty for none.
        phrases: patterns of what ``phrases`` of a pool are.
        breaks, losses, additions, rewordings: the rules.
    """

    cut: Callable[[str], Words]
    tag: Callable[[str], str]
    kind: Callable[[str, str], str]
    phrases: str
    breaks: Sequence[Rule]
    losses: Sequence[Rule]
    additions: Sequence[Rule]
    rewordings: Sequence[Rule]

    def pool(self, texts: Iterable[str]) -> Pool:
        """What sentences of these texts may borrow."""
        pool: dict[str, set[str]] = defaultdict(set)
        find = matches(self.phrases)
        for text in texts:
            s = Sentence(self.cut(text), self, {}, Random(0))
            for word, tag in zip(s.words, s.tags, strict=True):
                if kind := self.kind(word, tag):
                    pool[kind].add(word)
            pool["phrases"].update(" ".join(s.words[slice(*spans[0])]) for spans in find(s))
            if len(s.words) <= _SHORT:
                pool["sentences"].add(capital(" ".join(s.words)))
        return {kind: sorted(members) for kind, members in pool.items()}


def mark_or(tag: Callable[[str], str], word: str) -> str:
    """The letter of a token."""
    if any(map(str.isalnum, word)):
        return tag(word)
    if _END.search(word):
        return "."
    return "," if _MARK.search(word) else "q" if GLUE in word else "w"


def matches(pattern: str) -> Finder:
    """Where a pattern of letters stands; from each place the longest match."""
    compiled = re.compile(pattern)

    def find(s: Sentence) -> list[Spans]:
        return [match.regs for at in range(len(s.tags) + 1) if (match := compiled.match(s.tags, at))]

    return find


def listed(phrases: Mapping[str, object], joint: str = " ", where: str = "") -> Finder:
    """Where listed phrases of up to four tokens stand, in any case; ``where`` is a pattern that begins there."""
    compiled = re.compile(where)

    def find(s: Sentence) -> list[Spans]:
        sizes = [(at, at + size) for at in range(len(s.words)) for size in range(1, 5) if at + size <= len(s.words)]
        return [
            [span] for span in sizes
            if joint.join(s.words[slice(*span)]).lower() in phrases and compiled.match(s.tags, span[0])
        ]  # fmt: skip

    return find


def put(others: Others, same: float = 0.25, entails: str = "") -> Change:
    """One of the words that a stretch may become in its place."""

    def change(s: Sentence, spans: Spans) -> Edit | None:
        start, end = spans[0]
        choices = others(s, " ".join(s.words[start:end]))
        return s.put(start, end, tuple(s.random.choice(choices).split()), same, entails) if choices else None

    return change


def drop(entails: str = "o", but: Collection[str] = ()) -> Change:
    """Nothing in place of a stretch; the longer it is, the less is the same. Words in ``but`` stay, and so does
    what brackets or quotes hold as a whole."""

    def change(s: Sentence, spans: Spans) -> Edit | None:
        start, end = spans[0]
        left_out = s.words[start:end]
        enclosed = s.tags[start - 1 : start] == "q" == s.tags[end : end + 1]
        if len(s.words) - len(left_out) < 4 or enclosed or any(word.lower() in but for word in left_out):
            return None
        return s.put(start, end, (), max(0.5, 0.82 - 0.04 * len(left_out)), entails)

    return change


def swap(first: int, second: int, same: float = 0.2, blame: int | None = None) -> Change:
    """Two stretches that a pattern has apart in each other's place; a third is to ``blame``, or both."""

    def change(s: Sentence, spans: Spans) -> Edit | None:
        one, other = spans[first], spans[second]
        if s.words[slice(*one)] == s.words[slice(*other)]:
            return None
        return s.swap(one, other, same, None if blame is None else spans[blame])

    return change


def exchanged(
    table: Mapping[str, Sequence[str]], weight: float, same: float = 0.25, entails: str = "", joint: str = " ",
    where: str = "",
) -> Rule:  # fmt: skip
    """The rule that puts another phrase of a table in a phrase's place."""

    def others(_: Sentence, phrase: str) -> Sequence[str]:
        return table[phrase.replace(" ", joint).lower()]

    return Rule(listed(table, joint, where), put(others, same, entails), weight)


def each_other(groups: Iterable[Iterable[str]]) -> dict[str, list[str]]:
    """Groups as a table: each of a group may become any other of it."""
    table: dict[str, list[str]] = {}
    for group in map(list, groups):
        for word in group:
            table.setdefault(word.lower(), []).extend(other for other in group if other != word)
    return table


def other_number(s: Sentence, word: str) -> Sequence[str]:
    """A number with one more zero, its last two signs in each other's place, or another sign in one place."""
    if word.isdecimal() and len(word) != 4 and s.random.random() < 0.2:
        return [f"{word}0"]
    if word[-2:].isdecimal() and word[-1:] != word[-2:-1] and s.random.random() < 0.2:
        return [word[:-2] + word[:-3:-1]]
    rows = [(at, row) for at, sign in enumerate(word) for row in _LIKE if sign in row]
    return [word[:at] + other + word[at + 1 :] for at, row in rows for other in row if other != word[at]]


def chosen(rules: Sequence[Rule], s: Sentence) -> Edit | None:
    """The first edit of the rules in weighted random order."""
    for rule in sorted(rules, key=lambda rule: s.random.random() ** (1 / rule.weight), reverse=True):
        found = rule.find(s)
        s.random.shuffle(found)
        for spans in found:
            edit = rule.change(s, spans)
            if edit is not None and edit.words != s.words:
                return edit
    return None


def text_of(words: Words) -> str:
    """Tokens as a text that begins with a capital letter."""
    return capital(" ".join(words).replace(f" {GLUE}", "").replace(f"{GLUE} ", "").replace(GLUE, ""))


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def labels(words: Words, wrong: Iterable[int]) -> tuple[int, ...]:
    """For each word between spaces of :func:`text_of` 0 if it has a token of these places, else 1; marks that stand
    close to a word are to blame alone or not at all."""
    owners: list[int] = []
    for at, word in enumerate(words):
        close = at > 0 and (word.startswith(GLUE) or words[at - 1].endswith(GLUE))
        owners.append(owners[-1] + (not close) if owners else 0)
    places = set(wrong)
    blamed = {owners[place] for place in [place for place in places if GLUE not in words[place]] or places}
    return tuple(int(owner not in blamed) for owner in range(owners[-1] + 1))


def pair(source: Words, output: Words, same: float, group: int) -> Example:
    """A pair of one meaning."""
    return Example(
        text_of(source), text_of(output), ENTAILED, ENTAILED, same, labels(source, ()), labels(output, ()), group
    )
