"""Stories written for the purpose: a source and its versions from faithful to wrong, with what each loses or adds.

A line is JSON: ``source``; ``good``, ``good2`` (faithful), ``turned`` (faithful, nearly in the source's words),
``short`` (half as long, with every main point); ``side``, ``main`` (a side detail or a main point is lost); ``near``,
``free``, ``free2`` (wrong by one thing, as a near copy or freely reworded); ``extra`` (with an invention), ``hint``
(with a small one) and ``mostly`` (mostly wrong). ``marks`` has the substrings that are lost, wrong or invented in each.
In the folder ``across`` sources are English, and their versions are in the language that ``lang`` names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from training.reader.example import ENTAILED, NEUTRAL, NOT_ENTAILED, Example
from training.reader.swipe import flags
from training.reader.words import Cut, shared

FOLDER = Path(__file__).parent / "stories"
ACROSS = FOLDER / "across"
_GROUPS = count(40_000_000)
_WEIGHT = 1.5


@dataclass(frozen=True)
class _Version:
    """What a version's labels are: entailment of the output and of the source, and how much is the same."""

    output_entailed: int
    source_entailed: int
    same: float


_VERSIONS: Mapping[str, _Version] = {
    "good": _Version(ENTAILED, ENTAILED, 0.96),
    "good2": _Version(ENTAILED, ENTAILED, 0.96),
    "turned": _Version(ENTAILED, ENTAILED, 0.96),
    "short": _Version(ENTAILED, NEUTRAL, 0.84),
    "side": _Version(ENTAILED, NEUTRAL, 0.8),
    "main": _Version(ENTAILED, NEUTRAL, 0.58),
    "hint": _Version(NEUTRAL, ENTAILED, 0.66),
    "extra": _Version(NEUTRAL, ENTAILED, 0.5),
    "near": _Version(NOT_ENTAILED, NOT_ENTAILED, 0.22),
    "free": _Version(NOT_ENTAILED, NOT_ENTAILED, 0.22),
    "free2": _Version(NOT_ENTAILED, NOT_ENTAILED, 0.22),
    "mostly": _Version(NOT_ENTAILED, NOT_ENTAILED, 0.05),
}


def read_stories(file: Path) -> list[Mapping[str, Any]]:
    """The stories of a file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def stories(file: Path, held_out: bool) -> list[Mapping[str, Any]]:
    """The stories of a file that were held out, every tenth, or the others."""
    return [story for number, story in enumerate(read_stories(file)) if (number % 10 == 0) == held_out]


def written(file: Path, cut: Cut, output_cut: Cut | None = None) -> Iterator[Example]:
    """The versions of each story of a file that teaches; ``output_cut`` cuts those of another language."""
    for story in stories(file, held_out=False):
        source, group = cut(story["source"]), next(_GROUPS)
        for name, version in _VERSIONS.items():
            if name in story:
                output = (output_cut or cut)(story[name])
                lost, new = _spans(name, story.get("marks", {}).get(name, ()))
                known = name != "mostly"
                yield Example(
                    " ".join(source), " ".join(output), version.output_entailed, version.source_entailed, version.same,
                    _labels(source, lost, version.source_entailed) if known else (),
                    _labels(output, new, version.output_entailed) if known else (),
                    group, _WEIGHT,
                )  # fmt: skip


def within(file: Path, cut: Cut) -> Iterator[Example]:
    """Pairs of the versions of stories across languages: each beside a faithful one of the same language."""
    for story in stories(file, held_out=False):
        group = next(_GROUPS)
        for name, other in (("good2", "good"), *((name, "good") for name in ("main", "near", "hint", "mostly")),
                            *((name, "good2") for name in ("free", "extra"))):  # fmt: skip
            version = _VERSIONS[name]
            source, output = cut(story[other]), cut(story[name])
            _, new = _spans(name, story["marks"].get(name, ()))
            known = name not in ("main", "mostly")
            yield Example(
                " ".join(source), " ".join(output), version.output_entailed, version.source_entailed, version.same,
                (), _labels(output, new, version.output_entailed) if known else (), group, _WEIGHT,
            )  # fmt: skip


def _spans(name: str, marks: Sequence[Any]) -> tuple[list[str], list[str]]:
    """The substrings of the source that are lost, and those of the version that are new."""
    if name in ("short", "side", "main"):
        return list(marks), []
    if name in ("hint", "extra"):
        return [], list(marks)
    return [one for one, _ in marks if one], [one for _, one in marks if one]


def _labels(words: Sequence[str], spans: Sequence[str], entailed: int) -> tuple[int, ...]:
    """The words' labels; none are known of a text that is not entailed but has no word to blame."""
    found = flags(words, spans)
    return found if (0 in found) == (entailed != ENTAILED) else ()


def older(file: Path) -> Iterator[Example]:
    """Stories of an earlier form: faithful and lossy versions, and wrong ones, near copies of the source or of the
    faithful version; what they change is what the two do not share."""
    for story in read_stories(file):
        source, good, group = story["source"], story["good"], next(_GROUPS)
        for name in ("good", "good2"):
            if name in story:
                ones = (1,) * len(source.split()), (1,) * len(story[name].split())
                yield Example(source, story[name], ENTAILED, ENTAILED, 0.95, *ones, group, _WEIGHT)
        lossy = story.get("lossy") or story["minor"]
        yield Example(source, lossy, ENTAILED, NEUTRAL, 0.72, (), (1,) * len(lossy.split()), group, _WEIGHT)
        kinds = story.get("kinds") or (story["kind"], story["kind_good"])
        for names, kind, model in zip((("bad_near", "bad_source"), ("bad_free", "bad_good")), kinds, (source, good),
                                      strict=True):  # fmt: skip
            bad = next(story[name] for name in names if name in story)
            kept, supported = shared(model.split(), bad.split())
            yield Example(
                source, bad, {"loss": ENTAILED, "addition": NEUTRAL}.get(kind, NOT_ENTAILED),
                {"loss": NEUTRAL, "addition": ENTAILED}.get(kind, NOT_ENTAILED),
                0.35 if kind in ("loss", "addition") else 0.2, kept if model is source else (),
                supported if 0 in supported or kind == "loss" else (), group, _WEIGHT,
            )  # fmt: skip
