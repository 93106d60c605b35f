"""The files of a run on disk: their names, the contents of a line, where each chunk begins.

``run.json`` has signature, options, systems and corpus scores; ``items.jsonl`` a line for each item and system with its
scores and rows; ``texts.jsonl`` the texts of each item; ``evidence.jsonl`` each item's evidence;
``chunks.jsonl`` for each chunk where it ends in these files, its hashes and its sums of rows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import islice, repeat
from pathlib import Path
from typing import Any

from sema.errors import InputError, SemaError
from sema.model.links import LinkKind
from sema.model.text import Text
from sema.scoring.inputs import Inputs
from sema.scoring.item_scores import ItemScore

Shape = Any
"""A type; a string, which stands for itself; a tuple of shapes, any of which will do; ``[shape]``: a list of such
values; ``{None: shape}``: an object of such values; any other dict: an object with these keys and maybe others, where
keys that end in ``?`` may be absent."""
LARGEST = 2**62
"""Whole numbers beyond this are none that we write."""


def fits(value: Any, shape: Shape) -> bool:
    """Whether a value has a shape; ``float`` takes whole numbers too, no number is a truth value."""
    if isinstance(shape, str):
        return bool(value == shape)
    if isinstance(shape, type):
        if isinstance(value, bool):
            return shape is bool
        if isinstance(value, int):
            return shape in (int, float) and abs(value) <= LARGEST
        return isinstance(value, shape)
    if isinstance(shape, tuple):
        return any(fits(value, part) for part in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(part, shape[0]) for part in value)
    if not isinstance(value, dict):
        return False
    if None in shape:
        return all(fits(part, shape[None]) for part in value.values())
    return all(_has(value, name, part) for name, part in shape.items())


def _has(value: dict[str, Any], name: str, shape: Shape) -> bool:
    if name.endswith("?"):
        name = name[:-1]
        return name not in value or fits(value[name], shape)
    return name in value and fits(value[name], shape)


FORMAT = 2
HEAD, ITEMS, TEXTS, EVIDENCE, CHUNKS = "run.json", "items.jsonl", "texts.jsonl", "evidence.jsonl", "chunks.jsonl"
FILES = (ITEMS, TEXTS, EVIDENCE)
PARTS, LOCK = "parts", ".lock"

_MAYBE = (str, type(None))
_HEAD = {
    "signature": str,
    "lang": str,
    "level": ("sentence", "passage"),
    "options": {None: (str, float, bool, type(None))},
    "defaults": {None: (str, float, bool, type(None))},
    "metrics": [{"name": str, "higher_is_better": bool}],
    "systems": [str],
    "items": int,
    "finished": bool,
    "failed?": int,
    "scores?": {None: {None: (float, type(None))}},
}
_ITEM = {"system": str, "item": int, "scores": {None: (float, type(None))}, "rows": {None: [float]}, "error?": _MAYBE}
_TEXT = (str, [str], {"sentences": [[str]]}, type(None))
_TEXTS = {"item": int, "source": _TEXT, "outputs": {None: _TEXT}, "references?": [_TEXT]}
_CENTER = {"tokens": [int], "links": [(type(None), list)]}
_SCENE = {"sentence": (int, type(None)), "main_relation": [_CENTER], "participants": [[_CENTER]], "leaves?": [int]}
_STATED = [{"tokens": [int], "state": str, "share?": float, "because?": [{"kind": str, "text": str}]}]
_LEVEL = {
    "level": (float, type(None)),
    "label": _MAYBE,
    "words": [_MAYBE],
    "above": [int],
    "hard": [{"what": str, "tokens": [int], "text": str, "level": float, "label": str}],
}
_EVIDENCE = {
    "system": str,
    "item": int,
    "error?": _MAYBE,
    "source?": [str],
    "sentences?": [[str]],
    "scenes?": [_SCENE],
    "links?": [[list]],
    "output?": [str],
    **{f"{side}_{part}?": [float] for side in ("source", "output") for part in ("words", "weights")},
    "source_scenes?": _STATED,
    "output_scenes?": _STATED,
    "levels?": {"output": _LEVEL, "source": _LEVEL, "target": _MAYBE},
}
_CHUNK = {
    "end": int,
    "ends": dict.fromkeys(FILES, int),
    "sha256": dict.fromkeys(FILES, str),
    "failed": int,
    "sums": {None: {None: [[float]]}},
    "check?": str,
}
SHAPES = {ITEMS: _ITEM, TEXTS: _TEXTS, EVIDENCE: _EVIDENCE, CHUNKS: _CHUNK}
"""The shape of a line of each file."""

Sums = dict[str, dict[str, list[list[float]]]]
"""For each system and metric, for each number of a row the exact sum (:func:`sema.scoring.item_scores.exact_parts`)."""


@dataclass(frozen=True)
class ChunkEntry:
    """A line of ``chunks.jsonl``: a chunk that is complete.

    Attributes:
        end: the number of the first item after it.
        ends: for each file where the chunk ends in it.
        sha256: for each file the hash of what the chunk wrote.
        failed: how many outputs could not be scored.
        sums: the sums of its rows.
        check: the hash of all of this; empty in runs of earlier editions.
    """

    end: int
    ends: dict[str, int]
    sha256: dict[str, str]
    failed: int
    sums: Sums
    check: str = ""

    @property
    def is_intact(self) -> bool:
        """Whether it is unchanged since it was written, by its checksum if it has one."""
        return self.check in ("", self._hash())

    def line(self) -> bytes:
        """The line, with its end."""
        return json_line({**asdict(self), "check": self._hash()})

    def _hash(self) -> str:
        return hashlib.sha256(json_line({**asdict(self), "check": ""})).hexdigest()


def json_line(row: Any) -> bytes:
    """A line of JSON."""
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def read_head(folder: Path) -> dict[str, Any]:
    """The contents of a folder's ``run.json``.

    Raises:
        InputError: there is none, or this version cannot read it.
    """
    path = folder / HEAD
    try:
        head = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            "is not the folder of a run (it has no run.json); name one that was saved", file=folder
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError("is damaged; score again", file=path) from error
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InputError(f"is not of format {FORMAT}; score again with this edition", file=path)
    if not fits(head, _HEAD) or (head["finished"] and not _is_complete(head)):
        raise InputError("is damaged; score again", file=path)
    return head


def _is_complete(head: Mapping[str, Any]) -> bool:
    """Whether a finished run's head has a score of every metric for every system."""
    names = {entry["name"] for entry in head["metrics"]}
    scores = head.get("scores", {})
    return "failed" in head and all(names <= scores.get(system, {}).keys() for system in head["systems"])


def read_lines(path: Path, start: int = 0, first: int = 1, skip: int = 0) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file, one after the other, from byte ``start`` on, which is line number ``first``.

    ``skip`` lines of these are passed over unread.

    Raises:
        InputError: the file cannot be read, or a line is damaged.
    """
    try:
        with path.open("rb") as lines:
            lines.seek(start)
            for number, line in islice(enumerate(lines, start=first), skip, None):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise InputError("is damaged; score again", file=path, line=number) from error
                if not fits(row, SHAPES[path.name]) or (path.name == EVIDENCE and not _has_its_tokens(row)):
                    raise InputError("is damaged; score again", file=path, line=number)
                yield row
    except OSError as error:
        raise InputError("cannot be read; score again", file=path) from error


def _has_its_tokens(row: Mapping[str, Any]) -> bool:
    """Whether evidence refers only to tokens that the item has."""
    if "error" in row or "source" not in row:
        return "error" in row
    source, sentences = len(row["source"]), [len(words) for words in row.get("sentences", ())]
    for scene in row.get("scenes", ()):
        centers = [center for part in (scene["main_relation"], *scene["participants"]) for center in part]
        tokens = [*scene.get("leaves", ()), *(token for center in centers for token in center["tokens"])]
        place = scene["sentence"]
        links = [link for center in centers for link in center["links"] if link is not None]
        if not _are_below(tokens, source) or not (place is None or 0 <= place < len(sentences)):
            return False
        if not all(_is_link(link, source, sentences[place or 0] if sentences else 0) for link in links):
            return False
        if any(len(center["links"]) != len(center["tokens"]) for center in centers):
            return False
    links_of = row.get("links", [[] for _ in sentences])
    sides = (("source", source), ("output", sum(sentences)))
    levels = row.get("levels", {})
    return (
        len(links_of) == len(sentences)
        and all(_is_link(link, source, size) for size, found in zip(sentences, links_of, strict=True) for link in found)
        and all(len(row.get(f"{side}_{part}", [0] * size)) == size for side, size in sides for part in _PARALLEL)
        and all(len(levels[side]["words"]) == size for side, size in sides if levels)
        and all(_are_below(scene["tokens"], size) for side, size in sides for scene in row.get(f"{side}_scenes", ()))
    )


_PARALLEL = ("words", "weights")
_KINDS = frozenset(LinkKind)


def _are_below(tokens: Sequence[int], size: int) -> bool:
    return all(0 <= token < size for token in tokens)


def _is_link(link: Sequence[Any], source: int, output: int) -> bool:
    """Whether a list is a source token, a token of the sentence, and a kind."""
    if len(link) != 3:
        return False
    start, end, kind = link
    if type(start) is not int or type(end) is not int or type(kind) is not str:  # truth values are whole numbers too
        return False
    return 0 <= start < source and 0 <= end < output and kind in _KINDS


def read_chunks(path: Path) -> Iterator[ChunkEntry]:
    """The chunks that a manifest lists.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    for row in read_lines(path):
        yield ChunkEntry(**{part.name: row[part.name] for part in fields(ChunkEntry) if part.name in row})


def item_row(system: str, item: ItemScore) -> dict[str, Any]:
    """The line of ``items.jsonl`` for an item of a system."""
    return {"system": system, **item.to_dict(), "rows": {name: list(row) for name, row in item.rows.items()}}


def read_item(row: Mapping[str, Any]) -> ItemScore:
    """The item of such a line."""
    scores = {name: float("nan") if value is None else value for name, value in row["scores"].items()}
    rows = {name: tuple(values) for name, values in row["rows"].items()}
    return ItemScore(row["item"], scores, rows, row.get("error"))


def text_rows(given: Inputs, start: int = 0) -> Iterator[dict[str, Any]]:
    """The lines of ``texts.jsonl``, generated lazily; the first item is number ``start``."""
    outputs = zip(*given.systems.values(), strict=True)
    references: Iterable[Any] = repeat(None) if given.references is None else given.references
    for index, (source, texts, entry) in enumerate(zip(given.sources, outputs, references, strict=False), start):
        found: dict[str, Any] = {
            "item": index,
            "source": _plain(source),
            "outputs": dict(zip(given.systems, map(_plain, texts), strict=True)),
        }
        if entry is not None:
            found["references"] = list(map(_plain, [entry] if isinstance(entry, str | SemaError) else entry))
        yield found


def _plain(text: object) -> Any:
    """A text as JSON: a string, its sentences, or ``{"sentences": [[token, …], …]}`` if it came tokenized."""
    if isinstance(text, Text):
        return {"sentences": [list(words) for words in text.sentence_words]}
    if isinstance(text, SemaError):
        return None
    if isinstance(text, str):
        return text.encode("utf-8", "replace").decode()
    return [str(sentence).encode("utf-8", "replace").decode() for sentence in text]  # type: ignore[attr-defined]
