"""Links between identical words alone: the simple match of SAMSA's paper (Sulem et al. 2018, section 5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from sema.model.links import Link, LinkKind, Pair


class ExactAligner:
    """Links every source word that the output sentence has too, copy by copy; surplus copies link to the last one."""

    def __init__(self, *, lowercase: Annotated[bool, "words that differ in case alone are linked too"] = False) -> None:
        self._lowercase = lowercase

    @property
    def signature(self) -> str:
        """Name, version and options."""
        return f"exact-1{'(lowercase)' if self._lowercase else ''}"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of each pair, ascending by source index."""
        return [self._links(source, output) for source, output in pairs]

    def _links(self, source: Sequence[str], output: Sequence[str]) -> list[Link]:
        fold = str.lower if self._lowercase else str
        copies: dict[str, list[int]] = {}
        for place, word in enumerate(output):
            copies.setdefault(fold(word), []).append(place)
        links = []
        for place, word in enumerate(source):
            if left := copies.get(fold(word)):
                linked = left.pop(0) if len(left) > 1 else left[0]
                links.append(Link(place, linked, LinkKind.EXACT if output[linked] == word else LinkKind.FORM))
        return links
