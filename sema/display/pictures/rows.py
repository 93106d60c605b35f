"""Which sentences of source and output stand side by side: rows in the order of both texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sema.model.text import is_punctuation

LEAST = 0.2  # the share of the shorter sentence's words that two sentences must have in common to stand in one row

Similarities = Sequence[Sequence[float]]
"""How similar each source sentence is to each output sentence, as [source][output], in [0, 1]."""


class Row(NamedTuple):
    """Sentences of the source and of the output, by number; one side may be empty."""

    source: list[int]
    output: list[int]


def similarities(evidence: Mapping[str, Any], spans: Sequence[Sequence[int]]) -> Similarities:
    """The share of words that sentences have in common; ``spans`` are the source sentences' tokens.

    Words in common are linked ones or, if the evidence has no links, those of equal form; punctuation does not count.
    """
    words, links = evidence["source"], evidence.get("links")
    sources = [[token for token in range(*span) if not is_punctuation(words[token])] for span in spans]
    outputs = [[word.casefold() for word in words if not is_punctuation(word)] for words in evidence["sentences"]]

    def share(tokens: Sequence[int], output: int) -> float:
        if links is None:
            common = (Counter(words[token].casefold() for token in tokens) & Counter(outputs[output])).total()
        else:
            common = len({link[0] for link in links[output]}.intersection(tokens))
        found = common / max(1, min(len(tokens), len(outputs[output])))
        return found if found >= LEAST else 0.0

    return [[share(tokens, output) for output in range(len(outputs))] for tokens in sources]


def rows_of(table: Similarities, outputs: int) -> list[Row]:
    """Rows of similar sentences; one row if no two are similar.

    Each output sentence goes to at most one source sentence, in order, so that the sum of similarities is greatest.
    A source sentence without output joins the neighbouring row whose output it resembles, if there is one.

    >>> rows_of([[0.9, 0.0, 0.0], [0.0, 0.8, 0.7]], 3)
    [Row(source=[0], output=[0]), Row(source=[1], output=[1, 2])]
    """
    if len(table) < 2 or not any(map(any, table)):
        return [Row([*range(len(table))], [*range(outputs)])]
    goes_to = _best_order(table, outputs)
    rows: list[Row] = []
    said = 0  # the output sentences that have a row
    for source, similar in enumerate(table):
        placed = [output for output in range(outputs) if goes_to[output] == source]
        if placed:
            rows += [Row([], [*range(said, placed[0])])] if said < placed[0] else []
            said = placed[-1] + 1
            own = Row([source], [*range(placed[0], said)])
            while rows and not rows[-1].output and any(table[rows[-1].source[0]][output] for output in own.output):
                own.source[:0] = rows.pop().source
            rows.append(own)
        elif rows and rows[-1].source and any(similar[output] for output in rows[-1].output):
            rows[-1].source.append(source)
        else:
            rows.append(Row([source], []))
    return [*rows, Row([], [*range(said, outputs)])] if said < outputs else rows


def _best_order(table: Similarities, outputs: int) -> list[int | None]:
    """For each output sentence its source sentence, never earlier than that of the sentence before."""
    best = [[0.0] * (len(table) + 1) for _ in range(outputs + 1)]
    for output in range(1, outputs + 1):
        for source in range(1, len(table) + 1):
            taken = best[output - 1][source] + table[source - 1][output - 1]
            best[output][source] = max(taken, best[output][source - 1])
    goes_to: list[int | None] = [None] * outputs
    output, source = outputs, len(table)
    while output and source:
        if best[output][source] == best[output][source - 1]:
            source -= 1
            continue
        output -= 1
        if table[source - 1][output]:
            goes_to[output] = source - 1
    return goes_to
