"""The files of a run on disk: what their names are, what a line holds, where a chunk of them begins.

``run.json`` has signature, options, systems and corpus scores; ``items.jsonl`` a line for each item and system with its
scores and rows; ``texts.jsonl`` the texts of each item; ``evidence.jsonl`` why each item scored as it did;
``chunks.jsonl`` for each chunk where it ends in these files, its hashes and its sums of rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

from sema.analysis.texts import Readable
from sema.errors import InputError, SemaError
from sema.model.text import Text
from sema.scoring.inputs import References
from sema.scoring.item_scores import ItemScore

FORMAT = 2
HEAD, ITEMS, TEXTS, EVIDENCE, CHUNKS = "run.json", "items.jsonl", "texts.jsonl", "evidence.jsonl", "chunks.jsonl"
FILES = (ITEMS, TEXTS, EVIDENCE)
PARTS, LOCK = "parts", ".lock"

Sums = dict[str, dict[str, list[list[float]]]]
"""For each system and metric, for each number of a row the exact sum (:func:`sema.scoring.columns.exact_parts`)."""


@dataclass(frozen=True)
class ChunkEntry:
    """A line of ``chunks.jsonl``: a chunk that is complete.

    Attributes:
        end: the number of the first item after it.
        ends: for each file where the chunk ends in it.
        sha256: for each file the hash of what the chunk wrote.
        failed: how many outputs could not be scored.
        sums: the sums of its rows.
    """

    end: int
    ends: dict[str, int]
    sha256: dict[str, str]
    failed: int
    sums: Sums

    def line(self) -> bytes:
        """The line, with its end."""
        return json_line(asdict(self))


def json_line(row: Any) -> bytes:
    """A line of a file of ours."""
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def read_head(folder: Path) -> dict[str, Any]:
    """What ``run.json`` of a folder holds.

    Raises:
        InputError: there is none, or it is not one that this edition reads.
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
    return head


def read_lines(path: Path, start: int = 0, first: int = 1) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file, one after the other, from byte ``start`` on, which is line number ``first``.

    Raises:
        InputError: the file cannot be read, or a line is damaged.
    """
    try:
        with path.open("rb") as lines:
            lines.seek(start)
            for number, line in enumerate(lines, start=first):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise InputError("is damaged; score again", file=path, line=number) from error
                if not isinstance(row, dict):
                    raise InputError("is damaged; score again", file=path, line=number)
                yield row
    except OSError as error:
        raise InputError("cannot be read; score again", file=path) from error


def read_chunks(path: Path) -> Iterator[ChunkEntry]:
    """The chunks that a manifest lists.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    for number, row in enumerate(read_lines(path), start=1):
        try:
            yield ChunkEntry(**row)
        except TypeError as error:
            raise InputError("is damaged; score again", file=path, line=number) from error


def item_row(system: str, item: ItemScore) -> dict[str, Any]:
    """The line of ``items.jsonl`` for an item of a system."""
    return {"system": system, **item.to_dict(), "rows": {name: list(row) for name, row in item.rows.items()}}


def read_item(row: Mapping[str, Any]) -> ItemScore:
    """The item of such a line."""
    scores = {name: float("nan") if value is None else value for name, value in row["scores"].items()}
    rows = {name: tuple(values) for name, values in row["rows"].items()}
    return ItemScore(row["item"], scores, rows, row.get("error"))


def text_rows(
    sources: Sequence[Readable],
    systems: Mapping[str, Sequence[Readable]],
    references: References | None,
    start: int = 0,
) -> Iterator[dict[str, Any]]:
    """The lines of ``texts.jsonl``, made as they are asked for; the first item is number ``start``."""
    outputs = zip(*systems.values(), strict=True)
    given: Sequence[Any] | repeat[None] = repeat(None) if references is None else references
    for index, (source, texts, entry) in enumerate(zip(sources, outputs, given, strict=False), start):
        found: dict[str, Any] = {
            "item": index,
            "source": _plain(source),
            "outputs": dict(zip(systems, map(_plain, texts), strict=True)),
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
