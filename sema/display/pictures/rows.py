"""Which sentences of source and output stand side by side: rows in the order of both texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

LEAST = 0.2  # the share of the shorter sentence's words that two sentences must have in common to stand in one row


class Row(NamedTuple):
    """Sentences of the source and of the output, by number; one side may be empty."""

    source: Sequence[int]
    output: Sequence[int]


def likeness(evidence: Mapping[str, Any], marks: Collection[str]) -> list[list[float]]:
    """The share of words that each source sentence has in common with each output sentence, as [source][output].

    Words in common are linked ones or, if the evidence has no links, those of equal form; ``marks`` do not count.
    """
    words, links = evidence["source"], evidence.get("links")
    spans = evidence.get("source_sentences") or [[0, len(words)]]
    sources = [[token for token in range(*span) if words[token] not in marks] for span in spans]
    outputs = [[word.casefold() for word in sentence if word not in marks] for sentence in evidence["sentences"]]

    def share(tokens: Sequence[int], output: int) -> float:
        if links is None:
            common = (Counter(words[token].casefold() for token in tokens) & Counter(outputs[output])).total()
        else:
            common = len({link[0] for link in links[output]}.intersection(tokens))
        found = common / max(1, min(len(tokens), len(outputs[output])))
        return found if found >= LEAST else 0.0

    return [[share(tokens, output) for output in range(len(outputs))] for tokens in sources]


def rows_of(table: Sequence[Sequence[float]], outputs: int) -> list[Row]:
    """Rows of similar sentences, from the similarities in ``table`` ([source][output]); one row if all are 0.

    Each output sentence goes to at most one source sentence, in order, so that the sum of similarities is greatest.
    A source sentence without output joins the neighbouring row whose output it resembles, if there is one.

    >>> rows_of([[0.9, 0.0, 0.0], [0.0, 0.8, 0.7]], 3)
    [Row(source=[0], output=range(0, 1)), Row(source=[1], output=range(1, 3))]
    """
    if len(table) < 2 or not any(map(any, table)):
        return [Row(range(len(table)), range(outputs))]
    goes_to = _best_order(table, outputs)
    placed = [[output for output, found in enumerate(goes_to) if found == source] for source in range(len(table))]
    between = [range(own[0], own[-1] + 1) if own else range(0) for own in placed]
    return _with_loose(_joined(between, table), outputs)


def _best_order(table: Sequence[Sequence[float]], outputs: int) -> list[int | None]:
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


def _joined(outputs: Sequence[range], table: Sequence[Sequence[float]]) -> list[Row]:
    """A row for each source sentence; one without output is joined to the neighbouring row that it resembles more."""
    rows: list[Row] = []
    waiting: list[int] = []  # for the row after them
    for source, (own, after) in enumerate(zip(outputs, [*outputs[1:], range(0)], strict=True)):
        before = rows[-1].output if rows else range(0)
        to_before, to_after = (max((table[source][at] for at in near), default=0.0) for near in (before, after))
        if own:
            rows.append(Row([*waiting, source], own))
            waiting = []
        elif to_before and to_before >= to_after:
            rows[-1] = Row([*rows[-1].source, source], before)
        elif to_after:
            waiting.append(source)
        else:
            rows.append(Row([source], own))
    return rows


def _with_loose(rows: Sequence[Row], outputs: int) -> list[Row]:
    """The rows, with rows inserted for the output sentences that are in none."""
    starts = [*(row.output[0] for row in rows if row.output), outputs]
    whole = [Row([], range(starts.pop(0)))]
    for row in rows:
        whole.append(row)
        if row.output:
            whole.append(Row([], range(row.output[-1] + 1, starts.pop(0))))
    return [row for row in whole if row.source or row.output]
