"""Clauses: what came first or caused what, *and* for *or*, what is still to come, has happened or is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from sema.meaning.kinds import ClauseOrder, Exclusive, Joined
from sema.model.fact import Fact, Kind
from sema_english.listed import table, word_list
from sema_english.meaning.words import Bases, WordFacts, Words
from sema_english.relations import stem

_LONGEST = 3
"""The number of words of the longest connective."""
_REACH = 4
"""The number of tokens before a verb among which its auxiliaries lie."""


class Order(ClauseOrder, WordFacts):
    """Two clauses joined the other way round: *after* for *before*, effect for cause."""

    def found(self, words: Words) -> Iterator[Fact]:
        """Every connective that orders two clauses, anchored in the content words of both."""
        for token in range(len(words.lower)):
            length = next((n for n in range(_LONGEST, 0, -1) if words.lower[token : token + n] in _connectives()), 0)
            if not length or not _joins_clauses(words, token, length):
                continue
            aspect, side = _connectives()[words.lower[token : token + length]]
            start, end = words.sentence[token]
            stop = next((t for t in range(token + length, end) if words.words[t] in ",;:."), end)
            behind, before, beyond = (
                tuple(t for t in some if words.content[t])
                for some in (range(token + length, stop), range(start, token), range(stop, end))
            )
            rest = before or beyond
            if behind and rest:
                first, last = (behind, rest) if side == "first" else (rest, behind)
                stems = (frozenset(stem(words.words[t]) for t in clause) for clause in (first, last))
                yield Fact(self.kind, Joined(*stems), tuple(range(token, token + length)), (*first, *last), aspect)


@cache
def _connectives() -> Mapping[tuple[str, ...], tuple[str, str]]:
    """For each connective its aspect (time or cause), and which clause it precedes (the first or the last)."""
    return {
        tuple(phrase.split()): (aspect, side)
        for aspect, sides in table("order").items()
        for side, phrases in sides.items()
        for phrase in phrases
    }


def _joins_clauses(words: Words, token: int, length: int) -> bool:
    """Whether a connective joins clauses here: no *after that*, *before and after*, *so large*."""
    following = words.at(token + length) if token + length < words.sentence[token][1] else ""
    if following in word_list("modifiers", "after a connective"):
        return False
    return words.lower[token] != "so" or token == words.sentence[token][0] or words.words[token - 1] in ",;"


class Alternatives(Exclusive, WordFacts):
    """*A or B* became *A and B*, or the other way round."""

    kind = Kind.ALTERNATIVE

    def found(self, words: Words) -> Iterator[Fact]:
        """Every *and* and *or* between words that are not negated; only those in the same place are compared."""
        for token, word in enumerate(words.lower):
            if word in ("and", "or") and len(words.near((token,), 1, 1)) == 2 and not words.negated(token):
                yield Fact(self.kind, word, (token,))


class Tenses(Exclusive, WordFacts):
    """Future for past, or the other way round."""

    kind = Kind.TENSE

    def __init__(self, bases: Bases) -> None:
        self._bases = bases

    def found(self, words: Words) -> Iterator[Fact]:
        """Every content word in the future or the past, anchored in itself and its neighbours."""
        for token, is_content in enumerate(words.content):
            time, auxiliary = self._time(words, token) if is_content else ("", ())
            if time:
                anchor = (token, *words.near((token,), 1, 1))
                yield Fact(self.kind, time, (*auxiliary, token), anchor, stem(words.words[token]))

    def _time(self, words: Words, token: int) -> tuple[str, tuple[int, ...]]:
        """The time of a word with the auxiliary that gives it; an empty one if it has none."""
        for place in words.before(token, _REACH):
            before = words.lower[place]
            for time in ("future", "past"):
                if before in word_list("tenses", time):
                    return time, (place,)
            if before not in word_list("tenses", "between") and not before.endswith("ly"):
                break
        regular = words.lower[token].endswith("ed") and len(self._bases.of(words.lower[token])) > 1
        free = token == words.sentence[token][0] or words.at(token - 1) not in word_list("tenses", "before participles")
        return "past" if regular and free else "", ()


class Questions(WordFacts):
    """A question that became a statement, or the other way round."""

    kind = Kind.TENSE

    def found(self, words: Words) -> Iterator[Fact]:
        """Every sentence, a question or not, anchored in its content words."""
        for start, end in words.text.sentences:
            content = tuple(token for token in range(start, end) if words.content[token])
            marks = tuple(token for token in range(start, end) if words.words[token] == "?")
            if content:
                yield Fact(self.kind, "asked" if marks else None, marks or content[:1], content)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """A question in one text only."""
        return "a question became a statement" if source.value else "a statement became a question"
