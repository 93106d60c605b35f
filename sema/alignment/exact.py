"""Links between identical words alone: the simple match of SAMSA's paper (Sulem et al. 2018, section 5.1)."""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.links import Link, LinkKind, Pair


class ExactAligner:
    """Links every source word that the output sentence has too, copy by copy; surplus copies link to the last one."""

    signature = "exact-1"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of each pair, ascending by source index."""
        return [self._links(source, output) for source, output in pairs]

    def _links(self, source: Sequence[str], output: Sequence[str]) -> list[Link]:
        copies: dict[str, list[int]] = {}
        for place, word in enumerate(output):
            copies.setdefault(word, []).append(place)
        links = []
        for place, word in enumerate(source):
            if left := copies.get(word):
                links.append(Link(place, left.pop(0) if len(left) > 1 else left[0], LinkKind.EXACT))
        return links
