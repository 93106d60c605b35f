"""Perturbations of English texts: negations, opposites, invented details, voice and word order."""

from __future__ import annotations

from collections.abc import Sequence

from sema_english.relations import FUNCTION_WORDS, number_value
from sema_wordnet.antonyms import antonyms

from benchmarks.judges.perturbation_kinds import Perturbations
from sema.meaning.views import SceneView
from sema.model.text import is_punctuation
from training.reader.english.lexical import AUXILIARIES

_DETAILS = (
    "in 1923",
    "with his younger brother",
    "near the Canadian border",
    "for nearly two million dollars",
    "after a long illness",
    "because of the heavy rain",
)
_PREPOSITIONS = frozenset(["in", "on", "at", "during", "after", "before", "since", "until", "near"])
_SUBJECTS = frozenset(["the", "a", "an", "this", "that", "these", "those", "his", "her", "its", "their"])


def is_weak(word: str) -> bool:
    """Whether a word is a function word or punctuation."""
    return word.lower() in FUNCTION_WORDS or is_punctuation(word)


def negate_english(words: Sequence[str], views: Sequence[SceneView]) -> list[str] | None:
    """Remove a *not*, or insert one after the first auxiliary."""
    for place, word in enumerate(words):
        if word.lower() in ("not", "n't"):
            return [*words[:place], *words[place + 1 :]]
    for place, word in enumerate(words):
        if word.lower() in (*AUXILIARIES, "might"):
            return [*words[: place + 1], "not", *words[place + 1 :]]
    return None


def opposites_english(word: str) -> Sequence[str]:
    """WordNet's antonyms of a content word."""
    return sorted(antonyms().get(word.lower(), ())) if len(word) > 2 else ()


def passive_english(words: Sequence[str]) -> list[str] | None:
    """*X was founded by Y.* as *Y founded X.*, where the clause is the whole sentence and the verb regular."""
    lower = [word.lower() for word in words]
    for place in range(1, len(words) - 3):
        if lower[place] in ("was", "were") and lower[place + 1].endswith("ed") and lower[place + 2] == "by":
            end = next((t for t in range(place + 3, len(words)) if is_punctuation(words[t])), len(words))
            agent, patient = list(words[place + 3 : end]), list(words[:place])
            if end >= len(words) - 1 and agent and len(patient) < 8 and not any(map(is_punctuation, patient)):
                if lower[0] in _SUBJECTS:
                    patient[0] = lower[0]
                agent[0] = agent[0][:1].upper() + agent[0][1:]
                return [*agent, words[place + 1], *patient, *words[end:]]
    return None


def front_english(words: Sequence[str]) -> list[str] | None:
    """A closing phrase of time or place put first."""
    end = len(words) - 1 if words and is_punctuation(words[-1]) else len(words)
    for place in range(end - 2, max(2, end - 7), -1):
        if words[place] in _PREPOSITIONS and not any(is_punctuation(word) for word in words[:end]):
            first = words[0].lower() if words[0].lower() in _SUBJECTS else words[0]
            return [words[place].capitalize(), *words[place + 1 : end], ",", first, *words[1:place], *words[end:]]
    return None


def fills_role_english(words: Sequence[str]) -> bool:
    """No preposition or conjunction at the start, no relative pronoun alone."""
    return not is_weak(words[0]) or (words[0].lower() in _SUBJECTS and len(words) > 1)


def english_name(words: Sequence[str], place: int) -> bool:
    """A capitalised word inside a sentence that is not a numeral, month or title's word."""
    word = words[place]
    return (
        place > 0
        and len(word) > 2
        and word[0].isupper()
        and word[1:].islower()
        and not is_punctuation(words[place - 1])
        and number_value(word) is None
        and word.lower() not in _SUBJECTS
    )


def english_perturbations() -> Perturbations:
    """The damages of English."""
    return Perturbations(
        is_weak,
        negate_english,
        opposites_english,
        _DETAILS,
        passive_english,
        front_english,
        fills_role_english,
        english_name,
    )
