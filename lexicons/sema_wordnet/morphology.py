"""The endings that Morphy, WordNet's lemmatizer, detaches (manual page ``morphy(7WN)``)."""

from __future__ import annotations

from collections.abc import Sequence

NOUN, VERB, ADJECTIVE, ADVERB = range(4)

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
_LAST_LETTERS = {
    part_of_speech: tuple({suffix[-1] for suffix, _ in rules}) for part_of_speech, rules in _DETACHMENTS.items()
}
"""The letters that a form must end in for any rule to apply."""
LETTERS = tuple({letter for letters in _LAST_LETTERS.values() for letter in letters})
"""The last letters of all endings."""


def detached(form: str, part_of_speech: int) -> Sequence[str]:
    """What a lower-cased form of a part of speech may be without its ending.

    A doubled consonant before -ed, -ing, -er or -est is reduced too (``stopped``), which Morphy leaves to its exception
    list.
    """
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
