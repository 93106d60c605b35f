"""Links that people or another program drew, checked against the tokens that they are about."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from sema.errors import InputError, SemaError
from sema.model.links import Alignment, Link, LinkKind
from sema.model.text import Text

Pairs = Sequence[tuple[int, int]]
"""Links as (source token, output token), the output's tokens counted over all its sentences."""


@dataclass(frozen=True)
class GivenLinks:
    """One item's links: with their tokens and kinds, or as pairs of token numbers alone.

    ``file`` and ``line`` are where they come from, for error messages.
    """

    links: Alignment | Pairs
    file: str | None = None
    line: int | None = None

    def place(self, source: Text, output: Text) -> tuple[tuple[Link, ...], ...]:
        """The links of each output sentence, ascending.

        A pair links identical words as ``exact``, words that differ in case as ``form``, any other as ``contextual``.

        Raises:
            InputError: the tokens are others than those of ``source`` and ``output``, or a link leads to none of them.
        """
        if isinstance(self.links, Alignment):
            found = self._of_alignment(self.links, source, output)
        else:
            found = self._of_pairs(self.links, source, output)
        return tuple(tuple(sorted(links)) for links in found)

    def _of_alignment(self, given: Alignment, source: Text, output: Text) -> Sequence[Sequence[Link]]:
        self._check_words(given.source, source.words, "source")
        if len(given.sentences) != len(output.sentences):
            raise self._error(
                f"these links are of {len(given.sentences)} output sentences, but the output has "
                f"{len(output.sentences)}; segment both alike, as with --tokenized"
            )
        for words, own in zip(given.sentences, output.sentence_words, strict=True):
            self._check_words(words, own, "output")
        for links, words in zip(given.links, given.sentences, strict=True):
            for link in links:
                self._check_range(link.source, len(given.source), "source")
                self._check_range(link.output, len(words), "output sentence")
        return given.links

    def _of_pairs(self, pairs: Pairs, source: Text, output: Text) -> Sequence[Sequence[Link]]:
        sentence_of = [(index, start) for index, (start, end) in enumerate(output.sentences) for _ in range(start, end)]
        found: list[list[Link]] = [[] for _ in output.sentences]
        for i, j in dict.fromkeys(pairs):
            self._check_range(i, len(source.words), "source")
            self._check_range(j, len(output.words), "output")
            sentence, start = sentence_of[j]
            found[sentence].append(Link(i, j - start, _kind(source.words[i], output.words[j])))
        return found

    def _check_words(self, given: Sequence[str], own: Sequence[str], role: str) -> None:
        for place, (there, here) in enumerate(zip_longest(given, own)):
            if there != here:
                seen, expected = ("nothing" if word is None else repr(word) for word in (there, here))
                raise self._error(
                    f"these links are of other tokens than the {role}: token {place} is {seen} here and {expected} "
                    "there; align the same texts with the same options"
                )

    def _check_range(self, index: int, size: int, role: str) -> None:
        if not 0 <= index < size:
            raise self._error(f"token {index} is linked, but the {role} has tokens 0 to {size - 1}; number from 0")

    def _error(self, message: str) -> InputError:
        return InputError(message, file=self.file, line=self.line)


def _kind(source: str, output: str) -> LinkKind:
    if source == output:
        return LinkKind.EXACT
    return LinkKind.FORM if source.casefold() == output.casefold() else LinkKind.CONTEXTUAL


def digest(systems: Iterable[Sequence[GivenLinks | SemaError]]) -> str:
    """A short hash of the links of all items and systems, for the signature of what was scored with them."""
    found = hashlib.sha256()
    for system in systems:
        for given in system:
            if isinstance(given, SemaError):
                content = str(given)
            elif isinstance(given.links, Alignment):
                content = repr(given.links.to_dict())
            else:
                content = repr(sorted(given.links))
            found.update(content.encode("utf-8", "replace") + b"\0")
    return found.hexdigest()[:12]
