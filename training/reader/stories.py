"""Stories that a large language model wrote for the purpose: a source and its versions from faithful to wrong.

A line is JSON: ``source``; ``good``, ``good2`` (faithful), ``turned`` (faithful, nearly in the source's words),
``short`` (half as long, with every main point); ``side``, ``main`` (a side detail or a main point is lost); ``near``,
``free``, ``free2`` (wrong by one thing, as a near copy or freely reworded); ``extra`` (with an invention), ``hint``
(with a small one) and ``mostly`` (mostly wrong). ``marks`` has the substrings that are lost, wrong or invented in each.
In the folder ``across`` sources are English, and their versions are in the language that ``lang`` names.
They teach order within a source, entailment and words; their scores are not learned.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from rapidfuzz.distance import LCSseq

from training.reader.example import (
    ENTAILED,
    KEPT,
    MISSING,
    NEUTRAL,
    NOT_ENTAILED,
    UNKNOWN,
    Example,
    Labels,
    another_group,
    labelled,
)

FOLDER = Path(__file__).parent / "stories"
ACROSS = FOLDER / "across"
_VERSIONS: Mapping[str, tuple[int, int, float, float, float]] = {
    "good": (ENTAILED, ENTAILED, 0.97, 0.97, 0.97),
    "good2": (ENTAILED, ENTAILED, 0.97, 0.97, 0.97),
    "turned": (ENTAILED, ENTAILED, 0.97, 0.97, 0.97),
    "short": (ENTAILED, NEUTRAL, 0.84, 0.8, 0.97),
    "side": (ENTAILED, NEUTRAL, 0.82, 0.8, 0.97),
    "main": (ENTAILED, NEUTRAL, 0.58, 0.55, 0.97),
    "hint": (NEUTRAL, ENTAILED, 0.78, 0.96, 0.78),
    "extra": (NEUTRAL, ENTAILED, 0.6, 0.95, 0.6),
    "near": (NOT_ENTAILED, NOT_ENTAILED, 0.4, UNKNOWN, 0.5),
    "free": (NOT_ENTAILED, NOT_ENTAILED, 0.4, UNKNOWN, 0.5),
    "free2": (NOT_ENTAILED, NOT_ENTAILED, 0.4, UNKNOWN, 0.5),
    "mostly": (NOT_ENTAILED, NOT_ENTAILED, 0.1, UNKNOWN, 0.15),
}
"""Entailment of the output and of the source; meaning, recall and precision, of which only the order is learned."""
BALANCED = (("good", "good2"), ("turned",), ("short", "side", "main"), ("hint", "extra"), ("near",), ("free", "free2"))
"""The versions that are read together. Faithful and wrong ones are each both near the source's words and far from them,
so that closeness predicts nothing."""


def all_stories(rng: Random | None = None) -> Iterator[Example]:
    """The versions of every story that is not held out: all of them or, with ``rng``, a random one of each kind of
    :data:`BALANCED`."""
    for file in sorted([*FOLDER.glob("*.jsonl"), *ACROSS.glob("*.jsonl")]):
        for story in stories(file, held_out=False):
            kinds = [[name] for name in _VERSIONS] if rng is None else BALANCED
            known = [[name for name in names if name in story] for names in kinds]
            yield from _versions(story, [names[0] if rng is None else rng.choice(names) for names in known if names])


def stories(file: Path, held_out: bool) -> list[Mapping[str, Any]]:
    """The held-out stories of a file (every tenth), or the others."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for number, line in enumerate(lines) if (number % 10 == 0) == held_out]


def _versions(story: Mapping[str, Any], names: Sequence[str]) -> Iterator[Example]:
    source, group = story["source"], another_group()
    for name in names:
        output_entailed, source_entailed, meaning, recall, precision = _VERSIONS[name]
        lost, wrong, new, wrong_output = _spans(name, story.get("marks", {}).get(name, ()))
        output = story[name]
        source_labels, output_labels = labelled(source, lost, wrong), labelled(output, new, wrong_output)
        if name == "mostly" or (source_entailed != ENTAILED and max(source_labels) == KEPT):
            source_labels = ()
        if name == "mostly" or (output_entailed != ENTAILED and max(output_labels) == KEPT):
            output_labels = ()
        yield Example(
            "stories", source, output, meaning, recall, precision, output_entailed, source_entailed, UNKNOWN,
            source_labels, output_labels, group, graded=0.0,
        )  # fmt: skip


def _spans(name: str, marks: Sequence[Any]) -> tuple[list[str], list[str], list[str], list[str]]:
    """The substrings that are lost, contradicted, added and contradicting."""
    if name in ("short", "side", "main"):
        return list(marks), [], [], []
    if name in ("hint", "extra"):
        return [], [], list(marks), []
    pairs = [pair for pair in marks if len(pair) == 2]
    return [], [a for a, b in pairs if a], [], [b for a, b in pairs if b]


def differing(first: str, second: str) -> tuple[Labels, Labels]:
    """The labels of both texts: ``KEPT`` for words that both have in the same order, else ``MISSING`` for letters."""
    spans = [[(m.start(), m.end()) for m in re.finditer(r"\w+|[^\w\s]", text)] for text in (first, second)]
    words = [[text[a:b].lower() for a, b in own] for text, own in zip((first, second), spans, strict=True)]
    found = [[MISSING if text[at].isalnum() else UNKNOWN for at in range(len(text))] for text in (first, second)]
    for step in LCSseq.opcodes(*words):
        if step.tag == "equal":
            for labels, own, start, end in (
                (found[0], spans[0], step.src_start, step.src_end), (found[1], spans[1], step.dest_start, step.dest_end)
            ):  # fmt: skip
                for a, b in own[start:end]:
                    labels[a:b] = [KEPT] * (b - a)
    return tuple(found[0]), tuple(found[1])
