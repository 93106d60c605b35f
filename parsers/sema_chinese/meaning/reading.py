"""One side of a pair as Chinese detectors read it: its spelling, what is linked, what stands where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sema.metrics.meaning.words import Side
from sema_chinese.meaning.negation import find_negations
from sema_chinese.meaning.spelling import Spelling

if TYPE_CHECKING:
    from sema_chinese.facts import ChineseFacts


@dataclass(frozen=True)
class Reading:
    """A side with its spelling and what its language knows of words."""

    side: Side
    spelling: Spelling
    facts: ChineseFacts

    @property
    def plain(self) -> list[str]:
        """The words as they are spelt."""
        return self.spelling.plain

    @cached_property
    def negations(self) -> list[int]:
        """The tokens that deny what follows."""
        return find_negations(self.spelling, self.facts)

    def content(self, tokens: Sequence[int] | range) -> list[int]:
        """The words of content among some tokens."""
        return [t for t in tokens if not self.side.weak[t]]

    def near(self, tokens: Sequence[int], reach: int = 2) -> list[int]:
        """The words of content next to some tokens on either side, not beyond the sentence."""
        first, last = min(tokens), max(tokens)
        begin, end = next(((b, e) for b, e in self.spelling.sentences if b <= first < e), (first, last + 1))
        before = self.content(range(max(begin, first - 4 * reach), first))[-reach:]
        return [*before, *self.content(range(last + 1, min(end, last + 1 + 4 * reach)))[:reach]]

    def clause(self, token: int) -> range:
        """The clause of a token, the token alone where it stands between two."""
        return self.spelling.clause_of.get(token, range(token, token + 1))


def in_place(
    source: Reading,
    here: Sequence[int],
    output: Reading,
    there: Sequence[int],
    within: tuple[Sequence[int], Sequence[int]] | None = None,
) -> bool:
    """Whether some tokens of one text stand where some of the other do: a word next to them is linked.

    ``within``: what of either text counts as next to them, if that is not all of the sentence.
    """
    mine, theirs = source.near(here), output.near(there)
    around, behind = source.near(here, 3), output.near(there, 3)
    if within is not None:
        mine, around = ([t for t in tokens if t in within[0]] for tokens in (mine, around))
        theirs, behind = ([o for o in tokens if o in within[1]] for tokens in (theirs, behind))
    return any(source.side.linked(t) and int(source.side.partners[t]) in behind for t in mine) or any(
        output.side.linked(o) and int(output.side.partners[o]) in around for o in theirs
    )
