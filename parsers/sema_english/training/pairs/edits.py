"""Single edits of a sentence: breaks, which change what it says, and rewordings, which do not.

A sentence is its words between spaces. An edit gives the new words, and says which of the new ones the old sentence
does not support and which of the old ones the new sentence does not keep.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sema_english.relations import FUNCTION_WORDS
from sema_english.training.pairs.lexical import alike, opposites, tag

TABLES: Mapping[str, list[object]] = json.loads((Path(__file__).parent / "tables.json").read_text(encoding="utf-8"))
_EDGE = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)


@dataclass(frozen=True)
class Edit:
    """An edit of a sentence.

    Attributes:
        words: the new sentence.
        new: places of ``words`` that the old sentence does not support.
        gone: places of the old sentence that the new one does not keep.
        says: whether the old sentence still says all of the new one.
        said: whether the new sentence says all of the old one.
        same: how far both mean the same, in [0, 1].
    """

    words: tuple[str, ...]
    new: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    says: bool = False
    said: bool = False
    same: float = 0.25


@dataclass(frozen=True)
class Pool:
    """What a sentence borrows from others: names, verbs by ending, phrases, sentences."""

    names: Sequence[str]
    verbs: Mapping[str, Sequence[str]]
    phrases: Sequence[str]
    sentences: Sequence[str]


@dataclass
class Sentence:
    """A sentence to edit, its words without the marks around them, and where chance comes from."""

    words: list[str]
    pool: Pool
    random: Random
    bare: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.bare = [_parts(word)[1] for word in self.words]

    def places(self, wanted: Callable[[int], bool]) -> list[int]:
        """The places of which something holds, in chance order."""
        found = [place for place in range(len(self.words)) if self.bare[place] and wanted(place)]
        self.random.shuffle(found)
        return found

    def put(self, start: int, end: int, phrase: str, **kept: object) -> Edit:
        """The words ``start:end`` replaced by a phrase; marks around them stay."""
        before, after = _parts(self.words[start])[0], _parts(self.words[end - 1])[2]
        fresh = phrase.split()
        if self.words[start][:1].isupper() and (start == 0 or not fresh[0].islower()) and fresh:
            fresh[0] = fresh[0][:1].upper() + fresh[0][1:]
        fresh[0], fresh[-1] = before + fresh[0], fresh[-1] + after
        words = (*self.words[:start], *fresh, *self.words[end:])
        changed = frozenset(range(start, start + len(fresh)))
        return Edit(words, new=changed, gone=frozenset(range(start, end)), **kept)  # type: ignore[arg-type]

    def find(self, phrase: str) -> tuple[int, int] | None:
        """Where a phrase stands."""
        wanted = phrase.lower().split()
        for start in range(len(self.words) - len(wanted) + 1):
            if [word.lower() for word in self.bare[start : start + len(wanted)]] == wanted:
                return start, start + len(wanted)
        return None


def _parts(word: str) -> tuple[str, str, str]:
    found = _EDGE.match(word)
    assert found is not None
    return found.group(1), found.group(2), found.group(3)


Editor = Callable[[Sentence], Edit | None]


def number_changed(s: Sentence) -> Edit | None:
    """Another number, another sign or ten times as much."""
    for place in s.places(lambda i: any(map(str.isdigit, s.bare[i])) or s.bare[i].lower() in _LISTS["numbers"]):
        word = s.bare[place]
        if word.lower() in _LISTS["numbers"]:
            other = s.random.choice([w for w in _LISTS["numbers"] if w != word.lower()])
            return s.put(place, place + 1, other)
        digits = [i for i, char in enumerate(word) if char.isdigit()]
        at = s.random.choice(digits)
        choice = s.random.random()
        if choice < 0.2 and len(digits) == len(word) and len(word) != 4:
            return s.put(place, place + 1, word + "0")
        if choice < 0.35 and len(digits) >= 2 and len(set(word[d] for d in digits[-2:])) == 2:
            swapped = list(word)
            swapped[digits[-1]], swapped[digits[-2]] = swapped[digits[-2]], swapped[digits[-1]]
            return s.put(place, place + 1, "".join(swapped))
        fresh = s.random.choice([d for d in "123456789" if d != word[at]])
        return s.put(place, place + 1, word[:at] + fresh + word[at + 1 :])
    return None


def _listed(name: str) -> Editor:
    def editor(s: Sentence) -> Edit | None:
        words = _LISTS[name]
        for place in s.places(lambda i: s.bare[i] in words):
            if s.bare[place] in ("May", "March", "second") and s.random.random() < 0.5:
                continue
            return s.put(place, place + 1, s.random.choice([word for word in words if word != s.bare[place]]))
        return None

    return editor


def exchanged(s: Sentence) -> Edit | None:
    """Another word of the same scale or field: modality, quantity, frequency, time, direction, comparison, unit."""
    for place in s.places(lambda i: s.bare[i].lower() in _EXCHANGED):
        other = s.random.choice(_EXCHANGED[s.bare[place].lower()])
        if s.bare[place].lower() == "from" and s.random.random() < 0.7:
            continue
        return s.put(place, place + 1, other)
    return None


def tense_changed(s: Sentence) -> Edit | None:
    """What was is to come, or the other way round."""
    pairs = list(_TENSE)
    s.random.shuffle(pairs)
    for old, new in pairs:
        if (found := s.find(old)) and found[0] > 0:
            return s.put(*found, new, same=0.4)
    return None


def name_changed(s: Sentence) -> Edit | None:
    """A name of another text in place of one."""
    for place in s.places(lambda i: _is_name(s, i)):
        return s.put(place, place + 1, s.random.choice(s.pool.names))
    return None


def names_exchanged(s: Sentence) -> Edit | None:
    """Two names of the sentence in each other's place."""
    places = s.places(lambda i: _is_name(s, i))
    runs = {run for place in places if (run := _name_run(s, place))}
    for first in sorted(runs, key=lambda _: s.random.random()):
        for second in sorted(runs):
            if first[1] < second[0] and s.bare[first[0] : first[1]] != s.bare[second[0] : second[1]]:
                if all(word.lower() in ("and", "or", "") for word in s.bare[first[1] : second[0]]):
                    continue
                return _swapped(s, first, second)
    return None


def roles_exchanged(s: Sentence) -> Edit | None:
    """The noun phrases on either side of a verb in each other's place."""
    for verb in s.places(lambda i: tag(s.bare[i]) == "VERB" and 0 < i < len(s.words) - 1):
        left, right = _phrase_before(s, verb), _phrase_after(s, verb)
        if left and right and s.bare[left[0] : left[1]] != s.bare[right[0] : right[1]]:
            return _swapped(s, left, right)
    return None


def _swapped(s: Sentence, first: tuple[int, int], second: tuple[int, int]) -> Edit:
    a, b = list(s.bare[first[0] : first[1]]), list(s.bare[second[0] : second[1]])
    if first[0] == 0:
        if tag(a[0]) != "PROPN":
            a[0] = a[0][:1].lower() + a[0][1:]
        b[0] = b[0][:1].upper() + b[0][1:]
    a[0], a[-1] = _parts(s.words[second[0]])[0] + a[0], a[-1] + _parts(s.words[second[1] - 1])[2]
    b[0], b[-1] = _parts(s.words[first[0]])[0] + b[0], b[-1] + _parts(s.words[first[1] - 1])[2]
    between = s.words[first[1] : second[0]]
    words = (*s.words[: first[0]], *b, *between, *a, *s.words[second[1] :])
    start = first[0] + len(b) + len(between)
    new = frozenset([*range(first[0], first[0] + len(b)), *range(start, start + len(a))])
    return Edit(words, new=new, gone=frozenset([*range(*first), *range(*second)]), same=0.2)


def _is_name(s: Sentence, place: int) -> bool:
    word = s.bare[place]
    return place > 0 and len(word) > 2 and word[0].isupper() and word[1:].islower() and tag(word) == "PROPN" \
        and word not in _LISTS["months"] and word not in _LISTS["weekdays"]  # fmt: skip


def _name_run(s: Sentence, place: int) -> tuple[int, int] | None:
    start = end = place
    while start > 0 and s.bare[start - 1][:1].isupper() and not _parts(s.words[start - 1])[2] and start - 1 > 0:
        start -= 1
    while end + 1 < len(s.words) and s.bare[end + 1][:1].isupper() and not _parts(s.words[end])[2]:
        end += 1
    return (start, end + 1) if end - start < 4 else None


def _phrase_before(s: Sentence, verb: int) -> tuple[int, int] | None:
    end = verb
    while end > 0 and tag(s.bare[end - 1]) in ("AUX", "ADV"):
        end -= 1
    return _noun_phrase(s, end)


def _noun_phrase(s: Sentence, end: int) -> tuple[int, int] | None:
    """The noun phrase that ends before a place: determiner, adjectives, nouns."""
    if end <= 0 or tag(s.bare[end - 1]) not in ("NOUN", "PROPN") or _parts(s.words[end - 1])[2]:
        return None
    start = end - 1
    while start > 0 and tag(s.bare[start - 1]) in ("NOUN", "PROPN", "ADJ", "NUM") and not _parts(s.words[start - 1])[2]:
        start -= 1
    if start > 0 and tag(s.bare[start - 1]) in ("DET", "PRON") and not _parts(s.words[start - 1])[2]:
        start -= 1
    return (start, end) if end - start <= 5 else None


def _phrase_after(s: Sentence, verb: int) -> tuple[int, int] | None:
    start = end = verb + 1
    if _parts(s.words[verb])[2]:
        return None
    while end < len(s.words) and tag(s.bare[end]) in ("DET", "PRON", "ADJ", "NUM", "NOUN", "PROPN"):
        end += 1
        if _parts(s.words[end - 1])[2]:
            break
    found = _noun_phrase(s, end) if end > start and tag(s.bare[end - 1]) in ("NOUN", "PROPN") else None
    if end > start and found is None and tag(s.bare[end - 1]) in ("NOUN", "PROPN"):
        found = (start, end)
    return found if found and found[0] >= start and found[1] - found[0] <= 5 else None


_BE = ("is", "are", "was", "were", "can", "could", "will", "would", "has", "have", "had", "may", "should", "must", "did", "does", "do")


def negated(s: Sentence) -> Edit | None:
    """A negation put in, or taken out."""
    for place in s.places(lambda i: s.bare[i].lower() in ("not", "never", "no", "without", "n't")):
        word = s.bare[place].lower()
        if word in ("not", "never", "n't"):
            if _parts(s.words[place])[2]:
                continue
            words = (*s.words[:place], *s.words[place + 1 :])
            near = frozenset(i for i in (place - 1, place) if 0 <= i < len(words))
            return Edit(words, new=near, gone=frozenset([place]), same=0.15)
        return s.put(place, place + 1, {"no": "some", "without": "with"}[word], same=0.15)
    for place in s.places(lambda i: s.bare[i].lower() in _BE and not _parts(s.words[i])[2] and i + 1 < len(s.words)):
        if s.bare[place + 1].lower() in ("not", "no", "never"):
            continue
        word = s.random.choice(("not", "not", "never", "no longer", "hardly"))
        words = (*s.words[: place + 1], *word.split(), *s.words[place + 1 :])
        count = len(word.split())
        return Edit(words, new=frozenset(range(place + 1, place + 1 + count)), gone=frozenset([place]), same=0.15)
    return None


def opposite(s: Sentence) -> Edit | None:
    """An antonym in place of a content word."""
    for place in s.places(lambda i: bool(opposites(s.bare[i]))):
        return s.put(place, place + 1, s.random.choice(opposites(s.bare[place])), same=0.2)
    return None


def other_kind(s: Sentence) -> Edit | None:
    """Another thing of the same kind: *violin* for *piano*, *yellow* for *red*."""
    for place in s.places(lambda i: s.bare[i].islower() and tag(s.bare[i]) in ("NOUN", "ADJ") and bool(alike(s.bare[i]))):
        return s.put(place, place + 1, s.random.choice(alike(s.bare[place])), same=0.3)
    return None


def verb_changed(s: Sentence) -> Edit | None:
    """Another verb of the same form."""
    for place in s.places(lambda i: tag(s.bare[i]) == "VERB" and s.bare[i].islower()):
        ending = _ending(s.bare[place])
        if ending and (verbs := s.pool.verbs.get(ending)):
            return s.put(place, place + 1, s.random.choice(verbs), same=0.25)
    return None


def _ending(word: str) -> str | None:
    return next((ending for ending in ("ing", "ed", "s") if word.endswith(ending)), None)


def joined_otherwise(s: Sentence) -> Edit | None:
    """*or* for *and*, *and* for *or*."""
    for place in s.places(lambda i: s.bare[i].lower() in ("and", "or") and 0 < i < len(s.words) - 1):
        other = "or" if s.bare[place].lower() == "and" else "and"
        same = 0.35 if other == "and" else 0.45
        return s.put(place, place + 1, other, same=same)
    return None


def attribute_changed(s: Sentence) -> Edit | None:
    """*fake*, *former*, *alleged* taken out or put in before a noun."""
    for place in s.places(lambda i: s.bare[i].lower() in _LISTS["attributes"] and i + 1 < len(s.words)):
        words = (*s.words[:place], *s.words[place + 1 :])
        return Edit(words, new=frozenset([place]), gone=frozenset([place]), same=0.35)
    for place in s.places(lambda i: tag(s.bare[i]) == "NOUN" and i > 0 and s.bare[i - 1].lower() in ("the", "a", "his", "her", "their")):
        words = (*s.words[:place], s.random.choice(_LISTS["attributes"]), *s.words[place:])
        return Edit(words, new=frozenset([place]), gone=frozenset(), said=False, same=0.35)
    return None


def turned_round(s: Sentence) -> Edit | None:
    """Cause and effect, condition and consequence, or what is compared, in each other's place."""
    for place in s.places(lambda i: s.bare[i].lower() in ("because", "if", "before", "after", "when", "than", "until") and 2 < i < len(s.words) - 3):
        if place > 16 or len(s.words) - place > 18 or any(_parts(w)[2] for w in s.words[: place - 1]):
            continue
        left, right = list(s.words[:place]), list(s.words[place + 1 :])
        end = _parts(right[-1])[2]
        right[-1] = right[-1][: len(right[-1]) - len(end)] if end else right[-1]
        left[-1] = left[-1].rstrip(",")
        if tag(left[0]) != "PROPN":
            left[0] = left[0][:1].lower() + left[0][1:]
        right[0] = right[0][:1].upper() + right[0][1:]
        words = (*right, s.words[place], *left[:-1], left[-1] + end)
        return Edit(words, new=frozenset([len(right)]), gone=frozenset([place]), same=0.3)
    return None


_OPENERS = ("in", "on", "at", "during", "after", "before", "since", "for", "because", "by", "from", "under", "against", "if", "unless", "when", "although", "while", "who", "which", "where", "with", "to", "than", "until", "near")
_LIMITS = ("if", "unless", "until", "only", "except", "but", "not")


def phrase_left_out(s: Sentence) -> Edit | None:
    """Without the phrase from a preposition or conjunction to the next mark or the end."""
    for start in s.places(lambda i: s.bare[i].lower() in _OPENERS and i > 1):
        end = start + 1
        while end < len(s.words) and not _parts(s.words[end - 1])[2] and end - start < 10:
            if end > start + 2 and s.bare[end].lower() in _OPENERS:
                break
            end += 1
        if end - start < 2 or len(s.words) - (end - start) < 4:
            continue
        words = [*s.words[:start], *s.words[end:]]
        marks = _parts(s.words[end - 1])[2]
        words[start - 1] = words[start - 1].rstrip(",") + marks
        lost = end - start
        misleading = s.bare[start].lower() in _LIMITS or any(w.lower() in ("not", "never", "only") for w in s.bare[start:end])
        same = 0.35 if misleading else max(0.5, 0.82 - 0.04 * lost)
        return Edit(tuple(words), gone=frozenset(range(start, end)), says=not misleading, same=same)
    return None


def half_left_out(s: Sentence) -> Edit | None:
    """The words up to a comma or conjunction in the middle."""
    for place in s.places(lambda i: (s.words[i].endswith((",", ";")) or s.bare[i].lower() in ("and", "but")) and 4 < i < len(s.words) - 4):
        cut = place + 1 if s.words[place].endswith((",", ";")) else place
        words = [*s.words[:cut]]
        words[-1] = words[-1].rstrip(",;") + "."
        return Edit(tuple(words), gone=frozenset(range(cut, len(s.words))), says=True, same=0.45)
    return None


def modifier_left_out(s: Sentence) -> Edit | None:
    """Without an adjective or adverb."""
    for place in s.places(lambda i: tag(s.bare[i]) in ("ADJ", "ADV") and s.bare[i].islower() and s.bare[i] not in FUNCTION_WORDS and i + 1 < len(s.words)):
        if tag(s.bare[place]) == "ADJ" and tag(s.bare[place + 1]) != "NOUN":
            continue
        if s.bare[place] in _LISTS["attributes"] or _parts(s.words[place])[2]:
            continue
        words = (*s.words[:place], *s.words[place + 1 :])
        return Edit(words, gone=frozenset([place]), says=True, same=0.82)
    return None


def phrase_added(s: Sentence) -> Edit | None:
    """With a phrase of another text before the end."""
    phrase = s.random.choice(_LISTS["additions"] + _LISTS["places"]) if s.random.random() < 0.3 else s.random.choice(s.pool.phrases)
    if s.random.random() < 0.7 or len(s.words) < 6:
        at, (before, word, after) = len(s.words) - 1, _parts(s.words[-1])
    else:
        commas = [i for i, w in enumerate(s.words[2:-2], 2) if w.endswith(",")]
        if not commas:
            return None
        at = s.random.choice(commas)
        before, word, after = _parts(s.words[at])
    fresh = phrase.split()
    fresh[-1] += after
    words = (*s.words[:at], before + word, *fresh, *s.words[at + 1 :])
    return Edit(words, new=frozenset(range(at + 1, at + 1 + len(fresh))), said=True, same=0.45)


def sentence_added(s: Sentence) -> Edit | None:
    """With a sentence of another text behind it."""
    fresh = s.random.choice(s.pool.sentences).split()
    if len(fresh) > 18:
        return None
    words = (*s.words, *fresh)
    return Edit(words, new=frozenset(range(len(s.words), len(words))), said=True, same=0.5)


def asked(s: Sentence) -> Edit | None:
    """The statement as a question."""
    for place in s.places(lambda i: s.bare[i].lower() in _BE[:12] and 0 < i < 8):
        if not s.words[-1].endswith("."):
            return None
        first = s.words[0] if tag(s.words[0]) == "PROPN" else s.words[0][:1].lower() + s.words[0][1:]
        words = (s.bare[place].capitalize(), first, *s.words[1:place], *s.words[place + 1 : -1], s.words[-1][:-1] + "?")
        return Edit(words, new=frozenset([0, len(words) - 1]), gone=frozenset([place]), same=0.3)
    return None


BREAKS: Sequence[tuple[Editor, float]] = (
    (number_changed, 3), (_listed("months"), 1.5), (_listed("weekdays"), 1), (_listed("ordinals"), 1), (exchanged, 6),
    (tense_changed, 1), (name_changed, 1.5), (names_exchanged, 2.5), (roles_exchanged, 3), (negated, 2.5), (opposite, 2),
    (other_kind, 3), (verb_changed, 1.5), (joined_otherwise, 1), (attribute_changed, 1.2), (turned_round, 1.5),
    (asked, 0.4),
)  # fmt: skip
LOSSES: Sequence[tuple[Editor, float]] = ((phrase_left_out, 3), (half_left_out, 1), (modifier_left_out, 1.5))
ADDITIONS: Sequence[tuple[Editor, float]] = ((phrase_added, 3), (sentence_added, 1))


def reworded(s: Sentence) -> Edit | None:
    """A plainer phrase in place of one; both ways of writing a number, a name's initials."""
    phrases = list(_PLAIN)
    s.random.shuffle(phrases)
    for old, new in phrases:
        if found := s.find(old):
            return _harmless(s.put(*found, new))
    return None


def number_rewritten(s: Sentence) -> Edit | None:
    """Digits in words, words in digits, millions written out."""
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"]
    for place in s.places(lambda i: s.bare[i].isdigit() or s.bare[i].lower() in words[2:] or s.bare[i] == "million"):
        word = s.bare[place]
        if word == "million" and place and re.fullmatch(r"\d+(\.\d+)?", s.bare[place - 1]):
            return _harmless(s.put(place - 1, place + 1, f"{float(s.bare[place - 1]) * 1e6:,.0f}"))
        if word.isdigit() and len(word) < 3 and int(word) < len(words):
            return _harmless(s.put(place, place + 1, words[int(word)]))
        if word.lower() in words:
            return _harmless(s.put(place, place + 1, str(words.index(word.lower()))))
        if word.isdigit() and len(word) > 4:
            return _harmless(s.put(place, place + 1, f"{int(word):,}"))
    return None


_ROMAN = {"II": ("second", "2"), "III": ("third", "3"), "IV": ("fourth", "4"), "V": ("fifth", "5"), "VI": ("sixth", "6"), "VII": ("seventh", "7"), "VIII": ("eighth", "8"), "IX": ("ninth", "9"), "X": ("tenth", "10"), "XIV": ("fourteenth", "14"), "XVI": ("sixteenth", "16")}


def roman(s: Sentence) -> Edit | None:
    """A ruler's number as a word."""
    for place in s.places(lambda i: s.bare[i] in _ROMAN and i > 0 and s.bare[i - 1][:1].isupper()):
        return _harmless(s.put(place, place + 1, "the " + _ROMAN[s.bare[place]][0].capitalize()))
    return None


def roman_changed(s: Sentence) -> Edit | None:
    """A ruler's number replaced by another."""
    for place in s.places(lambda i: s.bare[i] in _ROMAN and i > 0 and s.bare[i - 1][:1].isupper()):
        other = s.random.choice([number for number in _ROMAN if number != s.bare[place]])
        if s.random.random() < 0.4:
            other = "the " + _ROMAN[other][0].capitalize()
        return s.put(place, place + 1, other)
    return None


def initials(s: Sentence) -> Edit | None:
    """A name of several words as its initials."""
    for place in s.places(lambda i: _is_name(s, i)):
        start, end = place, place + 1
        while end < len(s.words) and (s.bare[end][:1].isupper() or s.bare[end] in ("of", "for", "and")) and not _parts(s.words[end - 1])[2]:
            end += 1
        while s.bare[end - 1].islower():
            end -= 1
        while start > 1 and s.bare[start - 1][:1].isupper() and not _parts(s.words[start - 1])[2]:
            start -= 1
        capitals = [word[0] for word in s.bare[start:end] if word[:1].isupper()]
        if len(capitals) >= 3:
            return _harmless(s.put(start, end, "".join(capitals)), same=0.9)
    return None


def date_rewritten(s: Sentence) -> Edit | None:
    """*June 16* for *16 June* and the other way round."""
    for place in s.places(lambda i: s.bare[i] in _LISTS["months"]):
        if place and s.bare[place - 1].isdigit() and len(s.bare[place - 1]) < 3:
            return _harmless(s.put(place - 1, place + 1, f"{s.bare[place]} {s.bare[place - 1]}"))
        if place + 1 < len(s.words) and s.bare[place + 1].isdigit() and len(s.bare[place + 1]) < 3:
            return _harmless(s.put(place, place + 2, f"{s.bare[place + 1]} {s.bare[place]}"))
    return None


def fronted(s: Sentence) -> Edit | None:
    """A closing phrase of time or place put first."""
    for place in range(len(s.words) - 2, max(2, len(s.words) - 8), -1):
        if s.bare[place].lower() in ("in", "on", "at", "during", "after", "before", "since") and len(s.words) > 6:
            if any(_parts(word)[2] for word in s.words[:-1]) or not s.words[-1].endswith("."):
                return None
            first = s.words[0] if tag(s.bare[0]) == "PROPN" else s.words[0][:1].lower() + s.words[0][1:]
            moved = [s.words[place].capitalize(), *s.words[place + 1 : -1], s.bare[-1] + ","]
            words = (*moved, first, *s.words[1 : place - 1], s.words[place - 1] + ".")
            return Edit(words, says=True, said=True, same=0.97)
    return None


def split_in_two(s: Sentence) -> Edit | None:
    """Two sentences at a comma with *and* or *but*, or at a relative clause after a name."""
    for place in s.places(lambda i: s.words[i - 1].endswith(",") and s.bare[i].lower() in ("and", "but", "who", "which") and 4 < i < len(s.words) - 3):
        rest = list(s.words[place + 1 :])
        link = s.bare[place].lower()
        if link in ("who", "which"):
            rest = [("They" if link == "who" else "It"), *rest] if tag(rest[0].strip(",.")) in ("VERB", "AUX") else []
        elif tag(rest[0].strip(",.")) not in ("PRON", "DET", "PROPN"):
            rest = []
        if not rest:
            continue
        first = [*s.words[: place - 1], s.words[place - 1].rstrip(",") + "."]
        rest[0] = rest[0][:1].upper() + rest[0][1:]
        return Edit((*first, *rest), says=True, said=True, same=0.96)
    return None


def filler_left_out(s: Sentence) -> Edit | None:
    """Without *however*, *moreover* and the like."""
    for phrase in _LISTS["weak"]:
        if (found := s.find(phrase)) and len(s.words) - (found[1] - found[0]) > 4:
            words = [*s.words[: found[0]], *s.words[found[1] :]]
            if found[0] == 0:
                words[0] = words[0][:1].upper() + words[0][1:]
            elif _parts(s.words[found[1] - 1])[2] in (".", "?"):
                words[found[0] - 1] = words[found[0] - 1].rstrip(",") + "."
            return Edit(tuple(words), says=True, said=True, same=0.96)
    return None


def _harmless(edit: Edit, same: float = 0.95) -> Edit:
    return Edit(edit.words, says=True, said=True, same=same)


REWORDINGS: Sequence[tuple[Editor, float]] = (
    (reworded, 6), (number_rewritten, 2), (roman, 2), (initials, 1.5), (date_rewritten, 2), (fronted, 1.5),
    (split_in_two, 2), (filler_left_out, 1),
)  # fmt: skip
BREAKS = (*BREAKS, (roman_changed, 2))

_LISTS: dict[str, list[str]] = {
    name: [str(word) for word in words] for name, words in TABLES.items() if name not in ("exchanged", "tense", "plain")
}
_EXCHANGED: dict[str, list[str]] = {str(row[0]): [str(word) for word in row[1:]] for row in TABLES["exchanged"]}  # type: ignore[index]
_TENSE = [(str(old), str(new)) for old, new in TABLES["tense"]]  # type: ignore[misc]
_PLAIN = [(str(old), str(new)) for old, new in TABLES["plain"]]  # type: ignore[misc]


def chosen(editors: Sequence[tuple[Editor, float]], s: Sentence) -> Edit | None:
    """The first edit that fits, the editors tried in weighted chance order."""
    order = sorted(editors, key=lambda entry: s.random.random() ** (1 / entry[1]), reverse=True)
    for editor, _ in order:
        edit = editor(s)
        if edit is not None and edit.words != tuple(s.words):
            return edit
    return None
