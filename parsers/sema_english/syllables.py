"""Counting English syllables by rule, with the rules that EASSE's FKGL uses.

The rules are those of Lingua::EN::Syllable, inherited through NLTK's contributions by DRESS and EASSE: vowel
groups, patterns that add or take one, and a list of exceptions. They are kept exactly, oddities included (a mark
of punctuation has no syllable, "60" has two), because published grades depend on them.
"""

from __future__ import annotations

import re

from sema.runtime.caching import remembered
from sema_english.words import table

_EXCEPTIONS = {
    word: int(syllables) for syllables, words in table("syllables")["exceptions"].items() for word in words.split()
}
_VOWELS = re.compile("[aeiouy]+")
_ONE_MORE, _ONE_LESS = (tuple(map(re.compile, table("syllables")[part].split())) for part in ("one more", "one less"))


@remembered
def count_syllables(word: str) -> int:
    """The syllables of one token; 0 for a token without a vowel letter, such as punctuation."""
    word = word.lower().strip()
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    stem = word.rstrip("e")
    more = sum(1 for pattern in _ONE_MORE if pattern.search(stem))
    less = sum(1 for pattern in _ONE_LESS if pattern.search(stem))
    return len(_VOWELS.findall(stem)) + more - less


_VOWEL_RUNS = re.compile("[^aeiouy]*[aeiouy]+")
_SILENT_E = re.compile("[^aeiou]e$")


@remembered
def count_vowel_runs(word: str) -> int:
    """The syllables of a lower-cased token as Xu et al. (2016) count them: runs of vowels, less a silent e.

    Never below 1, so that a mark of punctuation counts 1. The parts of a hyphenated word are counted on their own, what
    stands before a leading hyphen too, as in the authors' program: ``-lrb-`` has two.
    """
    parts = word.rstrip("-").split("-")
    if len(parts) > 1:
        return sum(map(count_vowel_runs, parts))
    runs = len(_VOWEL_RUNS.findall(word))
    return max(1, runs - 1 if _SILENT_E.search(word) else runs)
