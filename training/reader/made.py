"""Pairs made of judged ones, with labels that follow from theirs or hold for any text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from training.reader.example import (
    ENTAILED,
    HAN,
    KEPT,
    MISSING,
    NOT_ENTAILED,
    UNKNOWN,
    WRONG,
    Example,
    another_group,
    labelled,
)

ALIKE = 0.95
"""An output whose three ratings reach this says what its source says: it can stand in its place."""
SHORT, LITTLE = 5, 0.15
"""Sentences of so few characters are not read alone, nor those with a smaller share of added ones."""
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


def changed(examples: Sequence[Example], rng: Random) -> Iterator[Example]:
    """Pairs made of judged ones, with labels that hold for any text: a copy, an unrelated text, a sentence more, a
    sentence less, the texts exchanged."""
    foreign = [_END.split(one.output)[0] for one in examples if len(_END.split(one.output)[0]) > 12]
    sources = list(dict.fromkeys(one.source for one in examples))
    for source in sources:
        if rng.random() < 0.1:
            same = labelled(source)
            yield Example("copy", source, source, 1.0, 1.0, 1.0, ENTAILED, ENTAILED, 1.0, same, same)
        if rng.random() < 0.05:
            other = rng.choice(examples)
            if other.source != source:
                yield Example("unrelated", source, other.output, 0.01, 0.02, 0.03, NOT_ENTAILED, NOT_ENTAILED, UNKNOWN,
                              labelled(source, rest=MISSING), labelled(other.output, rest=MISSING))  # fmt: skip
    for one in examples:
        chance = rng.random()
        parts = [part for part in _END.split(one.output) if part.strip()]
        gap = "" if HAN.search(one.output) else " "
        if chance < 0.06:
            more = rng.choice(foreign)
            if bool(HAN.search(more)) != bool(HAN.search(one.output)):
                continue
            at = rng.randint(0, len(parts))
            output = gap.join([*parts[:at], more, *parts[at:]])
            share = len(one.output) / len(output)
            labels = one.output_labels
            if labels and len(labels) == len(one.output):
                cut = len(gap.join(parts[:at])) + (len(gap) if at else 0)
                own = list(labels) + [UNKNOWN] * (len(output) - len(labels) - len(more))
                labels = tuple(own[:cut] + [MISSING] * len(more) + own[cut:])[: len(output)]
                labels = labels if len(labels) == len(output) else ()
            yield replace(one, kind="sentence more", output=output, meaning=one.meaning * share**0.7,
                          precision=one.precision * share, output_labels=labels, weight=0.7)  # fmt: skip
        elif chance < 0.16 and len(parts) > 1 and one.precision > 0.85:
            left = parts.pop(rng.randrange(len(parts)))
            output = gap.join(parts)
            share = 1 - len(left) / len(one.output)
            yield replace(one, kind="sentence less", output=output, meaning=one.meaning * share**0.8,
                          recall=one.recall * share, source_labels=(), output_labels=(), weight=0.7)  # fmt: skip
        elif chance < 0.2:
            yield replace(one.turned(), kind="exchanged", weight=0.5)


def reworded(examples: Iterable[Example], rng: Random) -> Iterator[Example]:
    """Judged pairs with a faithful output (:data:`ALIKE`) in the place of their source: freer rewordings than any
    simplifier's, and more sources. The ratings stay, and so do the labels of the output's words."""
    groups: dict[int, list[Example]] = defaultdict(list)
    for one in examples:
        groups[one.group].append(one)
    for own in groups.values():
        faithful = [one for one in own if min(one.meaning, one.recall, one.precision) >= ALIKE]
        if not faithful:
            continue
        source, group = rng.choice(faithful).output, another_group()
        for one in own:
            if one.output != source:
                yield replace(one, kind="reworded", source=source, source_labels=(), group=group, weight=0.7)


def alone(examples: Iterable[Example], rng: Random) -> Iterator[Example]:
    """Sentences of judged outputs, each alone beside the whole source, as those of passages are read: with marked
    errors or additions, and as many that the source supports. Only their precision, entailment and words are known."""
    groups: dict[int, int] = defaultdict(another_group)
    for one in examples:
        parts = [part for part in _END.split(one.output) if len(part) > SHORT]
        if len(parts) < 2 or not one.output_labels:
            continue
        found: dict[int, list[Example]] = defaultdict(list)
        for part in parts:
            start = one.output.find(part)
            labels = one.output_labels[start : start + len(part)]
            worst, added = max(labels), labels.count(MISSING) / len(labels)
            if worst != UNKNOWN and (worst != MISSING or added > LITTLE):
                precision = {KEPT: 0.98, MISSING: max(0.05, 0.9 - added), WRONG: 0.25}[worst]
                found[worst].append(Example(
                    "alone", one.source, part, UNKNOWN, UNKNOWN, precision,
                    output_entailed=ENTAILED if worst == KEPT else NOT_ENTAILED, output_labels=labels,
                    group=groups[one.group], graded=0.5,
                ))  # fmt: skip
        harmed = [*found[WRONG], *found[MISSING]]
        yield from harmed
        yield from rng.sample(found[KEPT], min(max(1, len(harmed)), len(found[KEPT])))
