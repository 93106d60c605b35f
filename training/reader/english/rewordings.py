"""Edits that change a sentence's words but not its meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence

from training.reader.english.edits import LISTS, ROMAN, Editor, Sentence, is_name, pairs_of, parts
from training.reader.english.lexical import tag
from training.reader.perturbation import Edit

PLAIN = pairs_of("plain")


def reworded(s: Sentence) -> Edit | None:
    """A plainer phrase in place of one; both ways of writing a number, a name's initials."""
    phrases = list(PLAIN)
    s.random.shuffle(phrases)
    for old, new in phrases:
        if span := s.find(old):
            return _harmless(s.put(*span, new))
    return None


def number_rewritten(s: Sentence) -> Edit | None:
    """Digits in words, words in digits, millions written out."""
    words = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    ]  # fmt: skip
    for place in s.places(lambda i: s.bare[i].isdecimal() or s.bare[i].lower() in words[2:] or s.bare[i] == "million"):
        word = s.bare[place]
        if word == "million" and place and re.fullmatch(r"\d+(\.\d+)?", s.bare[place - 1]):
            return _harmless(s.put(place - 1, place + 1, f"{float(s.bare[place - 1]) * 1e6:,.0f}"))
        if word.isdecimal() and len(word) < 3 and int(word) < len(words):
            return _harmless(s.put(place, place + 1, words[int(word)]))
        if word.lower() in words:
            return _harmless(s.put(place, place + 1, str(words.index(word.lower()))))
        if word.isdecimal() and len(word) > 4:
            return _harmless(s.put(place, place + 1, f"{int(word):,}"))
    return None


def roman(s: Sentence) -> Edit | None:
    """A ruler's number as a word."""
    for place in s.places(lambda i: s.bare[i] in ROMAN and i > 0 and s.bare[i - 1][:1].isupper()):
        return _harmless(s.put(place, place + 1, "the " + ROMAN[s.bare[place]]))
    return None


def initials(s: Sentence) -> Edit | None:
    """A name of several words as its initials."""
    for place in s.places(lambda i: is_name(s, i)):
        start, end = place, place + 1
        while (
            end < len(s.words)
            and (s.bare[end][:1].isupper() or s.bare[end] in ("of", "for", "and"))
            and not parts(s.words[end - 1])[2]
        ):
            end += 1
        while s.bare[end - 1].islower():
            end -= 1
        while start > 1 and s.bare[start - 1][:1].isupper() and not parts(s.words[start - 1])[2]:
            start -= 1
        capitals = [word[0] for word in s.bare[start:end] if word[:1].isupper()]
        if len(capitals) >= 3:
            return _harmless(s.put(start, end, "".join(capitals)), same=0.9)
    return None


def date_rewritten(s: Sentence) -> Edit | None:
    """*June 16* for *16 June* and the other way round."""
    for place in s.places(lambda i: s.bare[i] in LISTS["months"]):
        if place and s.bare[place - 1].isdigit() and len(s.bare[place - 1]) < 3:
            return _harmless(s.put(place - 1, place + 1, f"{s.bare[place]} {s.bare[place - 1]}"))
        if place + 1 < len(s.words) and s.bare[place + 1].isdigit() and len(s.bare[place + 1]) < 3:
            return _harmless(s.put(place, place + 2, f"{s.bare[place + 1]} {s.bare[place]}"))
    return None


def fronted(s: Sentence) -> Edit | None:
    """A closing phrase of time or place put first."""
    for place in range(len(s.words) - 2, max(2, len(s.words) - 8), -1):
        if s.bare[place].lower() in ("in", "on", "at", "during", "after", "before", "since") and len(s.words) > 6:
            if any(parts(word)[2] for word in s.words[:-1]) or not s.words[-1].endswith("."):
                return None
            first = s.words[0] if tag(s.bare[0]) == "PROPN" else s.words[0][:1].lower() + s.words[0][1:]
            moved = [s.words[place].capitalize(), *s.words[place + 1 : -1], s.bare[-1] + ","]
            words = (*moved, first, *s.words[1 : place - 1], s.words[place - 1] + ".")
            return Edit(words, output_entailed=True, source_entailed=True, same=0.97)
    return None


def split_in_two(s: Sentence) -> Edit | None:
    """Two sentences at a comma with *and* or *but*, or at a relative clause after a name."""
    for place in s.places(
        lambda i: (
            s.words[i - 1].endswith(",")
            and s.bare[i].lower() in ("and", "but", "who", "which")
            and 4 < i < len(s.words) - 3
        )
    ):
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
        return Edit((*first, *rest), output_entailed=True, source_entailed=True, same=0.96)
    return None


def filler_left_out(s: Sentence) -> Edit | None:
    """Without *however*, *moreover* and the like."""
    for phrase in LISTS["weak"]:
        if (span := s.find(phrase)) and len(s.words) - (span[1] - span[0]) > 4:
            words = [*s.words[: span[0]], *s.words[span[1] :]]
            if span[0] == 0:
                words[0] = words[0][:1].upper() + words[0][1:]
            elif parts(s.words[span[1] - 1])[2] in (".", "?"):
                words[span[0] - 1] = words[span[0] - 1].rstrip(",") + "."
            return Edit(tuple(words), output_entailed=True, source_entailed=True, same=0.96)
    return None


def _harmless(edit: Edit, same: float = 0.95) -> Edit:
    return Edit(edit.words, output_entailed=True, source_entailed=True, same=same)


REWORDINGS: Sequence[tuple[Editor, float]] = (
    (reworded, 6), (number_rewritten, 2), (roman, 2), (initials, 1.5), (date_rewritten, 2), (fronted, 1.5),
    (split_in_two, 2), (filler_left_out, 1),
)  # fmt: skip
