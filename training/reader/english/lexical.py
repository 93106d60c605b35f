"""Letters of words (:mod:`training.reader.changes`), their opposites, and things of the same kind."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sema_english.relations import FUNCTION_WORDS
from sema_ud.conllu import read_sentences
from sema_wordnet.antonyms import antonyms
from sema_wordnet.lexicon import WordNetLexicon

from sema.datasets.folder import data_folder

TABLES: Mapping[str, Any] = json.loads((Path(__file__).parent / "tables.json").read_text(encoding="utf-8"))
AUXILIARIES = tuple(TABLES["letters"]["X"])
"""Words that *not* is put behind."""
_LISTED = {word: letter for letter, words in TABLES["letters"].items() for word in words}
_LETTERS = {
    "NOUN": "N", "VERB": "V", "ADJ": "J", "ADV": "R", "PROPN": "P", "NUM": "M", "DET": "D", "PRON": "D",
}  # fmt: skip
"""Those of universal parts of speech."""
_SUFFIXES = 4


@cache
def _tagged() -> tuple[dict[str, str], dict[str, str]]:
    """The usual part of speech of words, and of endings of words that were not met, in UD's English Web Treebank."""
    words: dict[str, Counter[str]] = defaultdict(Counter)
    endings: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in read_sentences(data_folder("ud", "en_ewt", "en_ewt-ud-train.conllu")):
        for word, part in zip(sentence.tree.words, sentence.tree.upos, strict=True):
            words[word][part] += 1
            words[word.lower()][part] += 1
            for size in range(2, _SUFFIXES + 1):
                endings[word[-size:].lower()][part] += 1
    return (
        {word: counts.most_common(1)[0][0] for word, counts in words.items()},
        {ending: counts.most_common(1)[0][0] for ending, counts in endings.items()},
    )


@lru_cache(1 << 16)
def tag(word: str) -> str:
    """The usual universal part of speech of a word."""
    words, endings = _tagged()
    if word in words:
        return words[word]
    if word[:1].isupper():
        return "PROPN"
    if any(map(str.isdigit, word)):
        return "NUM"
    for size in range(_SUFFIXES, 1, -1):
        if word[-size:].lower() in endings:
            return endings[word[-size:].lower()]
    return "NOUN"


@lru_cache(1 << 16)
def letter(word: str) -> str:
    """The letter of a word."""
    if word in TABLES["months"]:
        return "T"
    if word.lower() in _LISTED or word in TABLES["weekdays"]:
        return _LISTED.get(word.lower(), "w")
    found = _LETTERS.get(tag(word), "w")
    return "w" if (found == "R" and word in FUNCTION_WORDS) or (found == "P" and not word[0].isupper()) else found


@lru_cache(1 << 14)
def opposites(word: str) -> tuple[str, ...]:
    """WordNet's direct antonyms of a lower-case word of more than two letters."""
    return tuple(sorted(antonyms().get(word, ()))) if len(word) > 2 and word.islower() else ()


@cache
def _members() -> tuple[dict[int, list[str]], dict[str, int]]:
    """Common lemmas by first sense, and each lemma's first sense, of nouns and adjectives met in tagged text."""
    lexicon = WordNetLexicon.english()
    limits = lexicon.graph.limits
    members: dict[int, list[str]] = defaultdict(list)
    first: dict[str, int] = {}
    for lemma in lexicon._words._lemmas:
        if not lemma.isalpha() or not lemma.islower() or len(lemma) < 3:
            continue
        senses = lexicon.counted(lemma)
        synset, count = max(senses, key=lambda pair: pair[1])
        nouns = limits[0] <= synset < limits[1]
        if nouns and count >= 2 and count >= 0.6 * sum(number for _, number in senses):
            first[lemma] = synset
            for above in lexicon.graph.hypernyms(synset):
                members[above].append(lemma)
    return members, first


@lru_cache(1 << 14)
def alike(word: str) -> tuple[str, ...]:
    """Other nouns of the same kind (sisters in WordNet by first senses), adjectives of the same row."""
    for row in TABLES["alike"]:
        if word in row:
            return tuple(other for other in row if other != word)
    members, first = _members()
    lemma, plural = (
        (word, "") if word in first else (word[:-1], "s") if word.endswith("s") and word[:-1] in first else ("", "")
    )
    if not lemma:
        return ()
    lexicon = WordNetLexicon.english()
    own = lexicon.senses(lemma)
    sisters = {
        other
        for above in lexicon.graph.hypernyms(first[lemma])
        for other in members[above]
        if first[other] != first[lemma]
    }
    return tuple(
        sorted(
            other + plural for other in sisters
            if own.isdisjoint(lexicon.senses(other)) and not (plural and other.endswith(("s", "y", "ch", "sh", "x")))
        )
    )[:60]  # fmt: skip
