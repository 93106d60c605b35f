"""Texts that state the same in different notation: an output is read as its source writes it.

A network of word pieces sees two different strings in *2,500,000* and *2.5 million*; that they mean the same is a
matter of notation, not of judgement. Each language has a :data:`Matcher`, which finds such tokens in two texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sema.model.text import Text, Token

Match = tuple[range, range]
"""Tokens of the source and of the output that state the same."""
Matcher = Callable[[Text, Text], Iterable[Match]]


@dataclass(frozen=True)
class Normalised:
    """A rewritten output, and for each token of the output the rewritten tokens that stand for it.

    The rewritten tokens' offsets say only where there are gaps between them.
    """

    text: Text
    places: tuple[range, ...]

    def spread(self, chances: Sequence[float]) -> tuple[float, ...]:
        """The probability of each token of the output: the least of the rewritten tokens that stand for it."""
        return tuple(min(chances[place] for place in places) for places in self.places)


def normalised(source: Text, output: Text, matches: Iterable[Match]) -> Normalised | None:
    """The output with the source's words where they match; ``None`` if there is nothing to rewrite."""
    found = {new.start: (new.stop, old) for old, new in apart(source, output, matches)}
    if not found:
        return None
    tokens: list[Token] = []
    places: list[range] = []
    shift = 0
    while len(places) < len(output.tokens):
        token, at = len(places), len(tokens)
        if token not in found:
            tokens.append(_moved(output.tokens[token], shift))
            places.append(range(at, at + 1))
            continue
        end, old = found[token]
        last, gap = len(old) - 1, max(_gap(source, old.start), _gap(output, token))
        away = (tokens[-1].end if tokens else 0) + gap - source.tokens[old.start].start
        tokens += [_moved(source.tokens[word], away) for word in old]
        shift = tokens[-1].end - output.tokens[end - 1].end
        # One word for each token; the last token has the rest, tokens without a word share the last one.
        places += [range(at + min(n, last), at + min(n, last) + 1) for n in range(end - token)]
        places[-1] = range(places[-1].start, at + last + 1)
    ends = [places[end - 1].stop for _, end in output.sentences]
    return Normalised(Text(output.raw, tuple(tokens), tuple(pairwise([0, *ends]))), tuple(places))


def apart(source: Text, output: Text, matches: Iterable[Match]) -> list[Match]:
    """The matches in the order of the output, without tokens that the source has in the same signs.

    A full stop behind them (*35 mph.*) makes no difference. Of matches that share tokens of the output, only the
    longest is kept.
    """
    known = f" {' '.join(source.words)} ".lower()
    taken: set[int] = set()
    found: list[Match] = []
    for old, new in sorted(matches, key=lambda match: (-len(match[1]), match[1].start)):
        words = " ".join(output.words[new.start : new.stop]).lower()
        if taken.isdisjoint(new) and all(f" {same} " not in known for same in (words, words.rstrip("."))):
            taken.update(new)
            found.append((old, new))
    return sorted(found, key=lambda match: match[1].start)


def _gap(text: Text, token: int) -> int:
    return text.tokens[token].start - text.tokens[token - 1].end if token else 0


def _moved(token: Token, by: int) -> Token:
    return Token(token.text, token.start + by, token.end + by)


def unbroken(tokens: Sequence[int]) -> range | None:
    """The tokens as a range; ``None`` if they are not contiguous."""
    run = range(min(tokens), max(tokens) + 1)
    return run if len(run) == len(tokens) else None
