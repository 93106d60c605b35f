"""Chooses among possible links by their neighbourhood: links around two words support linking them.

The idea is Sultan, Bethard and Sumner's (TACL 2014): words align when they and their contexts are similar; here the
context is the nearby words in both sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from sema.model.links import Link, LinkKind

STRENGTHS = {
    LinkKind.EXACT: 1.0,
    LinkKind.FORM: 0.9,
    LinkKind.SYNONYM: 0.7,
    LinkKind.PARAPHRASE: 0.6,
    LinkKind.CONTEXTUAL: 0.6,
    LinkKind.HYPONYMY: 0.4,
}
_FUNCTION_WORD = 0.3
"""How much a function word's link supports its neighbours', where a content word's counts 1."""

_REACH = 3
_NEAR = [
    (sign * down, sign * across, weight / (1.0 + abs(down - across)))
    for sign in (1, -1)
    for down in range(1, _REACH + 1)
    for across in range(1, _REACH + 1)
    for weight in [0.5 / (down + across - 1)]
]
"""Neighbouring cells as (source step, output step, weight): nearer to the diagonal weighs more."""

_POSITION = 0.3
_EDGE = 0.5
_SUPPORT = (0.6, 0.3, 0.1, 0.05)
"""The context that a function word needs, round by round: links of earlier rounds support those of later ones."""


Cell = tuple[int, int, LinkKind]


def choose_links(cells: Sequence[Cell], function_words: Collection[int], length: int, output_length: int) -> list[Link]:
    """Choose one-to-one links among possible ones, ascending by source token.

    ``cells`` are the possible links, ``function_words`` the source tokens that are function words or punctuation, and
    the lengths those of the two sentences. Content words are chosen best first by strength, context and relative
    position, twice: first every possible link around counts as context, then the chosen ones only. Function words
    are linked where chosen links are close enough; without a linked content word there are no links.
    """
    content = [cell for cell in cells if cell[0] not in function_words]
    if not content:
        return []
    stride = output_length + 2 * _REACH + 2
    steps = [(down * stride + across, weight) for down, across, weight in _NEAR]
    tilt = _POSITION / length, _POSITION / output_length
    grid = {i * stride + j: STRENGTHS[kind] * (_FUNCTION_WORD if i in function_words else 1.0) for i, j, kind in cells}
    chosen: list[Cell] = []
    sources, outputs = Counter([i for i, _, _ in content]), Counter([j for _, j, _ in content])
    alone = [cell for cell in content if sources[cell[0]] == 1 == outputs[cell[1]]]
    rivals = [cell for cell in content if not sources[cell[0]] == 1 == outputs[cell[1]]]
    for _ in range(2 if rivals else 1):
        ranked = sorted(
            (-STRENGTHS[kind] - _context(i * stride + j, grid, steps) + abs(i * tilt[0] - j * tilt[1]), i, j, kind)
            for i, j, kind in rivals
        )
        chosen = alone + _take([entry[1:] for entry in ranked], set(), set())
        grid = {i * stride + j: STRENGTHS[kind] for i, j, kind in chosen}
    grid[-stride - 1] = grid[length * stride + output_length] = _EDGE
    taken, used = {i for i, _, _ in chosen}, {j for _, j, _ in chosen}
    waiting = [cell for cell in cells if cell[0] in function_words]
    for support in _SUPPORT:
        waiting = [cell for cell in waiting if cell[0] not in taken and cell[1] not in used]
        if not waiting:
            break
        ranked = sorted(
            (abs(i * tilt[0] - j * tilt[1]) - context - STRENGTHS[kind], i, j, kind)
            for i, j, kind in waiting
            if (context := _context(i * stride + j, grid, steps)) >= support
        )
        linked = _take([entry[1:] for entry in ranked], taken, used)
        chosen += linked
        grid.update((i * stride + j, STRENGTHS[kind] * _FUNCTION_WORD) for i, j, kind in linked)
    return sorted(Link(*cell) for cell in chosen)


def _context(place: int, grid: dict[int, float], steps: Sequence[tuple[int, float]]) -> float:
    """The strength of the links around a cell, weighted by nearness."""
    total = 0.0
    for step, weight in steps:
        near = place + step
        if near in grid:
            total += weight * grid[near]
    return total


def _take(ranked: Iterable[Cell], sources: set[int], outputs: set[int]) -> list[Cell]:
    """The cells, in ranked order, whose tokens are both free; the sets are updated."""
    taken: list[Cell] = []
    for i, j, kind in ranked:
        if i not in sources and j not in outputs:
            sources.add(i)
            outputs.add(j)
            taken.append((i, j, kind))
    return taken
