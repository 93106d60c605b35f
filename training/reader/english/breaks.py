"""Edits that change the meaning of a sentence, lose some of it, or add to it."""

from __future__ import annotations

from collections.abc import Sequence

from sema_english.relations import FUNCTION_WORDS

from training.reader.english.edits import (
    EXCHANGED,
    LISTS,
    ROMAN,
    Editor,
    Sentence,
    is_name,
    pairs_of,
    parts,
)  # fmt: skip
from training.reader.english.lexical import alike, opposites, tag
from training.reader.perturbation import Edit

AUXILIARIES = (
    "is", "are", "was", "were", "can", "could", "will", "would", "has", "have", "had", "may", "should", "must",
)  # fmt: skip
"""Words that *not* is put behind."""
TENSE = pairs_of("tense")


def number_changed(s: Sentence) -> Edit | None:
    """Another number, another sign or ten times as much."""
    for place in s.places(lambda i: any(map(str.isdigit, s.bare[i])) or s.bare[i].lower() in LISTS["numbers"]):
        word = s.bare[place]
        if word.lower() in LISTS["numbers"]:
            other = s.random.choice([w for w in LISTS["numbers"] if w != word.lower()])
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
        words = LISTS[name]
        for place in s.places(lambda i: s.bare[i] in words):
            if s.bare[place] in ("May", "March", "second") and s.random.random() < 0.5:
                continue
            return s.put(place, place + 1, s.random.choice([word for word in words if word != s.bare[place]]))
        return None

    return editor


def exchanged(s: Sentence) -> Edit | None:
    """Another word of the same scale or field: modality, quantity, frequency, time, direction, comparison, unit."""
    for place in s.places(lambda i: s.bare[i].lower() in EXCHANGED):
        other = s.random.choice(EXCHANGED[s.bare[place].lower()])
        if s.bare[place].lower() == "from" and s.random.random() < 0.7:
            continue
        return s.put(place, place + 1, other)
    return None


def tense_changed(s: Sentence) -> Edit | None:
    """The past as the future, or the future as the past."""
    pairs = list(TENSE)
    s.random.shuffle(pairs)
    for old, new in pairs:
        if (span := s.find(old)) and span[0] > 0:
            return s.put(*span, new, same=0.4)
    return None


def name_changed(s: Sentence) -> Edit | None:
    """A name of another text in place of one."""
    for place in s.places(lambda i: is_name(s, i)):
        return s.put(place, place + 1, s.random.choice(s.pool.names))
    return None


def names_exchanged(s: Sentence) -> Edit | None:
    """Two names of the sentence in each other's place."""
    places = s.places(lambda i: is_name(s, i))
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
    a[0], a[-1] = parts(s.words[second[0]])[0] + a[0], a[-1] + parts(s.words[second[1] - 1])[2]
    b[0], b[-1] = parts(s.words[first[0]])[0] + b[0], b[-1] + parts(s.words[first[1] - 1])[2]
    between = s.words[first[1] : second[0]]
    words = (*s.words[: first[0]], *b, *between, *a, *s.words[second[1] :])
    start = first[0] + len(b) + len(between)
    new = frozenset([*range(first[0], first[0] + len(b)), *range(start, start + len(a))])
    return Edit(words, new=new, lost=frozenset([*range(*first), *range(*second)]), same=0.2)


def _name_run(s: Sentence, place: int) -> tuple[int, int] | None:
    start = end = place
    while start > 0 and s.bare[start - 1][:1].isupper() and not parts(s.words[start - 1])[2] and start - 1 > 0:
        start -= 1
    while end + 1 < len(s.words) and s.bare[end + 1][:1].isupper() and not parts(s.words[end])[2]:
        end += 1
    return (start, end + 1) if end - start < 4 else None


def _phrase_before(s: Sentence, verb: int) -> tuple[int, int] | None:
    end = verb
    while end > 0 and tag(s.bare[end - 1]) in ("AUX", "ADV"):
        end -= 1
    return _noun_phrase(s, end)


def _noun_phrase(s: Sentence, end: int) -> tuple[int, int] | None:
    """The noun phrase that ends before a place: determiner, adjectives, nouns."""
    if end <= 0 or tag(s.bare[end - 1]) not in ("NOUN", "PROPN") or parts(s.words[end - 1])[2]:
        return None
    start = end - 1
    while start > 0 and tag(s.bare[start - 1]) in ("NOUN", "PROPN", "ADJ", "NUM") and not parts(s.words[start - 1])[2]:
        start -= 1
    if start > 0 and tag(s.bare[start - 1]) in ("DET", "PRON") and not parts(s.words[start - 1])[2]:
        start -= 1
    return (start, end) if end - start <= 5 else None


def _phrase_after(s: Sentence, verb: int) -> tuple[int, int] | None:
    start = end = verb + 1
    if parts(s.words[verb])[2]:
        return None
    while end < len(s.words) and tag(s.bare[end]) in ("DET", "PRON", "ADJ", "NUM", "NOUN", "PROPN"):
        end += 1
        if parts(s.words[end - 1])[2]:
            break
    phrase = _noun_phrase(s, end) if end > start and tag(s.bare[end - 1]) in ("NOUN", "PROPN") else None
    if end > start and phrase is None and tag(s.bare[end - 1]) in ("NOUN", "PROPN"):
        phrase = (start, end)
    return phrase if phrase and phrase[0] >= start and phrase[1] - phrase[0] <= 5 else None


_FINITE = (*AUXILIARIES, "did", "does", "do")


def negated(s: Sentence) -> Edit | None:
    """A negation put in, or taken out."""
    for place in s.places(lambda i: s.bare[i].lower() in ("not", "never", "no", "without", "n't")):
        word = s.bare[place].lower()
        if word in ("not", "never", "n't"):
            if parts(s.words[place])[2]:
                continue
            words = (*s.words[:place], *s.words[place + 1 :])
            near = frozenset(i for i in (place - 1, place) if 0 <= i < len(words))
            return Edit(words, new=near, lost=frozenset([place]), same=0.15)
        return s.put(place, place + 1, {"no": "some", "without": "with"}[word], same=0.15)
    for place in s.places(lambda i: s.bare[i].lower() in _FINITE and not parts(s.words[i])[2] and i + 1 < len(s.words)):
        if s.bare[place + 1].lower() in ("not", "no", "never"):
            continue
        word = s.random.choice(("not", "not", "never", "no longer", "hardly"))
        words = (*s.words[: place + 1], *word.split(), *s.words[place + 1 :])
        count = len(word.split())
        return Edit(words, new=frozenset(range(place + 1, place + 1 + count)), lost=frozenset([place]), same=0.15)
    return None


def opposite(s: Sentence) -> Edit | None:
    """An antonym in place of a content word."""
    for place in s.places(lambda i: bool(opposites(s.bare[i]))):
        return s.put(place, place + 1, s.random.choice(opposites(s.bare[place])), same=0.2)
    return None


def other_kind(s: Sentence) -> Edit | None:
    """Another thing of the same kind: *violin* for *piano*, *yellow* for *red*."""
    for place in s.places(
        lambda i: s.bare[i].islower() and tag(s.bare[i]) in ("NOUN", "ADJ") and bool(alike(s.bare[i]))
    ):
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
    for place in s.places(lambda i: s.bare[i].lower() in LISTS["attributes"] and i + 1 < len(s.words)):
        words = (*s.words[:place], *s.words[place + 1 :])
        return Edit(words, new=frozenset([place]), lost=frozenset([place]), same=0.35)
    for place in s.places(
        lambda i: tag(s.bare[i]) == "NOUN" and i > 0 and s.bare[i - 1].lower() in ("the", "a", "his", "her", "their")
    ):
        words = (*s.words[:place], s.random.choice(LISTS["attributes"]), *s.words[place:])
        return Edit(words, new=frozenset([place]), lost=frozenset(), source_entailed=False, same=0.35)
    return None


def sides_exchanged(s: Sentence) -> Edit | None:
    """Cause and effect, condition and consequence, or the sides of a comparison, exchanged."""
    for place in s.places(
        lambda i: (
            s.bare[i].lower() in ("because", "if", "before", "after", "when", "than", "until")
            and 2 < i < len(s.words) - 3
        )
    ):
        if place > 16 or len(s.words) - place > 18 or any(parts(w)[2] for w in s.words[: place - 1]):
            continue
        left, right = list(s.words[:place]), list(s.words[place + 1 :])
        end = parts(right[-1])[2]
        right[-1] = right[-1][: len(right[-1]) - len(end)] if end else right[-1]
        left[-1] = left[-1].rstrip(",")
        if tag(left[0]) != "PROPN":
            left[0] = left[0][:1].lower() + left[0][1:]
        right[0] = right[0][:1].upper() + right[0][1:]
        words = (*right, s.words[place], *left[:-1], left[-1] + end)
        return Edit(words, new=frozenset([len(right)]), lost=frozenset([place]), same=0.3)
    return None


_OPENERS = """
    in on at during after before since for because by from under against if unless when although while who which where
    with to than until near
""".split()  # noqa: SIM905
_LIMITS = ("if", "unless", "until", "only", "except", "but", "not")


def phrase_left_out(s: Sentence) -> Edit | None:
    """Without the phrase from a preposition or conjunction to the next mark or the end."""
    for start in s.places(lambda i: s.bare[i].lower() in _OPENERS and i > 1):
        end = start + 1
        while end < len(s.words) and not parts(s.words[end - 1])[2] and end - start < 10:
            if end > start + 2 and s.bare[end].lower() in _OPENERS:
                break
            end += 1
        if end - start < 2 or len(s.words) - (end - start) < 4:
            continue
        words = [*s.words[:start], *s.words[end:]]
        marks = parts(s.words[end - 1])[2]
        words[start - 1] = words[start - 1].rstrip(",") + marks
        length = end - start
        misleading = s.bare[start].lower() in _LIMITS or any(
            w.lower() in ("not", "never", "only") for w in s.bare[start:end]
        )
        same = 0.35 if misleading else max(0.5, 0.82 - 0.04 * length)
        return Edit(tuple(words), lost=frozenset(range(start, end)), output_entailed=not misleading, same=same)
    return None


def half_left_out(s: Sentence) -> Edit | None:
    """The words up to a comma or conjunction in the middle."""
    for place in s.places(
        lambda i: (s.words[i].endswith((",", ";")) or s.bare[i].lower() in ("and", "but")) and 4 < i < len(s.words) - 4
    ):
        cut = place + 1 if s.words[place].endswith((",", ";")) else place
        words = [*s.words[:cut]]
        words[-1] = words[-1].rstrip(",;") + "."
        return Edit(tuple(words), lost=frozenset(range(cut, len(s.words))), output_entailed=True, same=0.45)
    return None


def modifier_left_out(s: Sentence) -> Edit | None:
    """Without an adjective or adverb."""
    for place in s.places(
        lambda i: (
            tag(s.bare[i]) in ("ADJ", "ADV")
            and s.bare[i].islower()
            and s.bare[i] not in FUNCTION_WORDS
            and i + 1 < len(s.words)
        )
    ):
        if tag(s.bare[place]) == "ADJ" and tag(s.bare[place + 1]) != "NOUN":
            continue
        if s.bare[place] in LISTS["attributes"] or parts(s.words[place])[2]:
            continue
        words = (*s.words[:place], *s.words[place + 1 :])
        return Edit(words, lost=frozenset([place]), output_entailed=True, same=0.82)
    return None


def phrase_added(s: Sentence) -> Edit | None:
    """With a phrase of another text before the end."""
    phrase = (
        s.random.choice(LISTS["additions"] + LISTS["places"])
        if s.random.random() < 0.3
        else s.random.choice(s.pool.phrases)
    )
    if s.random.random() < 0.7 or len(s.words) < 6:
        at, (before, word, after) = len(s.words) - 1, parts(s.words[-1])
    else:
        commas = [i for i, w in enumerate(s.words[2:-2], 2) if w.endswith(",")]
        if not commas:
            return None
        at = s.random.choice(commas)
        before, word, after = parts(s.words[at])
    fresh = phrase.split()
    fresh[-1] += after
    words = (*s.words[:at], before + word, *fresh, *s.words[at + 1 :])
    return Edit(words, new=frozenset(range(at + 1, at + 1 + len(fresh))), source_entailed=True, same=0.45)


def sentence_added(s: Sentence) -> Edit | None:
    """With a sentence of another text behind it."""
    fresh = s.random.choice(s.pool.sentences).split()
    if len(fresh) > 18:
        return None
    words = (*s.words, *fresh)
    return Edit(words, new=frozenset(range(len(s.words), len(words))), source_entailed=True, same=0.5)


def asked(s: Sentence) -> Edit | None:
    """The statement as a question."""
    for place in s.places(lambda i: s.bare[i].lower() in _FINITE[:12] and 0 < i < 8):
        if not s.words[-1].endswith("."):
            return None
        first = s.words[0] if tag(s.words[0]) == "PROPN" else s.words[0][:1].lower() + s.words[0][1:]
        words = (s.bare[place].capitalize(), first, *s.words[1:place], *s.words[place + 1 : -1], s.words[-1][:-1] + "?")
        return Edit(words, new=frozenset([0, len(words) - 1]), lost=frozenset([place]), same=0.3)
    return None


def roman_changed(s: Sentence) -> Edit | None:
    """A ruler's number replaced by another."""
    for place in s.places(lambda i: s.bare[i] in ROMAN and i > 0 and s.bare[i - 1][:1].isupper()):
        other = s.random.choice([number for number in ROMAN if number != s.bare[place]])
        if s.random.random() < 0.4:
            other = "the " + ROMAN[other]
        return s.put(place, place + 1, other)
    return None


BREAKS: Sequence[tuple[Editor, float]] = (
    (number_changed, 3), (_listed("months"), 1.5), (_listed("weekdays"), 1), (_listed("ordinals"), 1), (exchanged, 6),
    (tense_changed, 1), (name_changed, 1.5), (names_exchanged, 2.5), (roles_exchanged, 3), (negated, 2.5),
    (opposite, 2), (other_kind, 3), (verb_changed, 1.5), (joined_otherwise, 1), (attribute_changed, 1.2),
    (sides_exchanged, 1.5), (asked, 0.4), (roman_changed, 2),
)  # fmt: skip
LOSSES: Sequence[tuple[Editor, float]] = ((phrase_left_out, 3), (half_left_out, 1), (modifier_left_out, 1.5))
ADDITIONS: Sequence[tuple[Editor, float]] = ((phrase_added, 3), (sentence_added, 1))
