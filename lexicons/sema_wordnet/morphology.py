"""Morphy, WordNet's lemmatizer (manual page ``morphy(7WN)``): irregular forms first, then detachment of endings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

NOUN, VERB, ADJECTIVE = 0, 1, 2

_ENDINGS = {
    NOUN: "s> ses>s xes>x zes>z ches>ch shes>sh men>man ies>y",
    VERB: "s> ies>y es>e es> ed>e ed> ing>e ing>",
    ADJECTIVE: "er> est> er>e est>e",
}
"""Endings, and what replaces them."""
_DETACHMENTS = {
    part_of_speech: [(ending, instead) for ending, _, instead in (rule.partition(">") for rule in rules.split())]
    for part_of_speech, rules in _ENDINGS.items()
}


class Vocabulary(Protocol):
    """Morphy's input: the lemmas by part of speech, and the irregular forms."""

    def has_lemma(self, lemma: str, part_of_speech: int) -> bool:
        """Whether the lemma has a sense of that part of speech (0 noun, 1 verb, 2 adjective, 3 adverb)."""
        ...

    def exceptions(self, form: str, part_of_speech: int) -> tuple[str, ...]:
        """The lemmas listed for an irregular form."""
        ...

    def is_listed(self, form: str) -> bool:
        """Whether the form is a lemma or irregular."""
        ...


def morphy(form: str, vocabulary: Vocabulary) -> Iterator[tuple[str, int]]:
    """All (lemma, part of speech) that a lower-cased form may stand for; repeats are possible.

    As in WordNet's own tools the form itself counts when it is a lemma, and a listed exception stops the rules. A
    doubled consonant before -ed, -ing, -er or -est is reduced too (``stopped``), which Morphy leaves to its exception
    list.
    """
    if not form.endswith(_ANY_LETTER) and not vocabulary.is_listed(form):
        return
    for part_of_speech in range(4):
        if vocabulary.has_lemma(form, part_of_speech):
            yield form, part_of_speech
        listed = vocabulary.exceptions(form, part_of_speech)
        for candidate in listed or _detached(form, part_of_speech):
            if candidate != form and vocabulary.has_lemma(candidate, part_of_speech):
                yield candidate, part_of_speech


_LAST_LETTERS = {
    part_of_speech: tuple({suffix[-1] for suffix, _ in rules}) for part_of_speech, rules in _DETACHMENTS.items()
}
"""The letters that a form must end in for any rule to apply."""
_ANY_LETTER = tuple({letter for letters in _LAST_LETTERS.values() for letter in letters})


def _detached(form: str, part_of_speech: int) -> Sequence[str]:
    if not form.endswith(_LAST_LETTERS.get(part_of_speech, ())):
        return ()
    if part_of_speech == NOUN and (form.endswith("ss") or len(form) <= 2):
        return ()
    forms = []
    for suffix, ending in _DETACHMENTS[part_of_speech]:
        if not form.endswith(suffix) or len(form) <= len(suffix) + 1:
            continue
        stem = form[: -len(suffix)]
        forms.append(stem + ending)
        if not ending and suffix != "s" and len(stem) > 3 and stem[-1] == stem[-2]:
            forms.append(stem[:-1])
    return forms
