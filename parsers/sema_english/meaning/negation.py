"""Negation: a statement that lost or gained a *not*."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sema_wordnet.antonyms import antonyms

from sema.meaning.kinds import Negated, Negations
from sema.model.fact import Fact
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import word_list
from sema_english.meaning.words import Words, negates_by_prefix, read_words
from sema_english.relations import stem

_SHORTEST = 5
"""The least number of letters of a word with a negative affix."""


class Negation(Negations):
    """A word negated in one text only, if nothing in the other compensates."""

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """The content words: negated ones, then those that can compensate for a negation, then the others."""
        words = read_words(text)
        unsettled = not word_list("negation", "second").isdisjoint(words.lower)  # *cannot work without*
        marked, loose, plain = [], [], []
        for token, is_content in enumerate(words.content):
            word, anchor, aspect = words.lower[token], words.near((token,), 1, 1), stem(words.words[token])
            if word in word_list("negation", "negators") or may_deny(word):
                loose.append(Fact(self.kind, Negated(loose=True), (token,), (token,), aspect))
            elif is_content and not unsettled and _is_target(words, token):
                marked.append(Fact(self.kind, Negated(), (token,), (token, *anchor), aspect))
            elif is_content:
                plain.append(Fact(self.kind, None, (token,), (token, *anchor), aspect))
        return [*marked, *loose, *plain]


def _is_target(words: Words, token: int) -> bool:
    """Whether a word is the first content word behind a negation of more than its degree (*not take more than 4*)."""
    first = not any(words.negated(place) for place in words.near((token,), 1, 0))
    degree = words.lower[token].isdecimal() or "than" in words.lower[token + 1 : token + _SHORTEST]
    return first and words.negated(token) and not degree


@lru_cache(1 << 14)
def may_deny(word: str) -> bool:
    """Whether a lower-cased word can express a negation: by its sense, an affix (*useless*) or as a limit (*last*)."""
    if word in word_list("negation", "denials") or word in word_list("negation", "standing for one"):
        return True
    if len(word) < _SHORTEST:
        return False
    by_prefix = any(negates_by_prefix(word, other) for other in antonyms().get(word, ()))
    limits = word.startswith(("un", "non")) or word.endswith((*word_list("negation", "negative suffixes"), "est"))
    return by_prefix or limits
