"""The files of a run on disk, and the contents of their lines.

``run.json`` is the head: everything that determines the numbers and, when the run is finished, the corpus scores. Each
chunk of items is a file, ``00000.jsonl`` and on. Its first line is about the chunk (its checksum, and the exact sums of
its rows). Then come a line for the texts of each item, a line for the scores and rows of each item and system, and a
line for the evidence of each item and system.
``run.schema.json`` beside this module is their JSON Schema.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from io import BufferedReader, BytesIO
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from sema.errors import InputError
from sema.metrics.base import Metric, option_values
from sema.model.text import Text
from sema.scoring.coerce import Inputs
from sema.scoring.item_scores import ItemScore
from sema.scoring.run_folder import MOST_BYTES, RunFolder

FORMAT = 3
HEAD = "run.json"
CHUNK, TEXTS, ITEMS, EVIDENCE = "chunk", "texts", "items", "evidence"
SECTIONS = (TEXTS, ITEMS, EVIDENCE)
_CHUNK_NAME = re.compile(r"\d{5,}\.jsonl")


def chunk_name(number: int) -> str:
    """The name of a chunk's file."""
    return f"{number:05}.jsonl"


def is_run_file(name: str) -> bool:
    """Whether a run has files of that name."""
    return name == HEAD or bool(_CHUNK_NAME.fullmatch(name))


def json_line(row: Any) -> bytes:
    """A line of JSON."""
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def chunk_file(about: Mapping[str, Any], rows: Mapping[str, Iterable[Mapping[str, Any]]]) -> bytes:
    """The contents of a chunk's file: the line ``about`` the chunk, then the rows of each section."""
    lines = {name: list(map(json_line, rows[name])) for name in SECTIONS}
    sections = {name: {"lines": len(own), "bytes": sum(map(len, own))} for name, own in lines.items()}
    head, body = {**about, "sections": sections}, b"".join(chain.from_iterable(lines.values()))
    return json_line({**head, "sha256": _checksum(head, BytesIO(body))}) + body


def _checksum(about: Mapping[str, Any], body: BytesIO | BufferedReader) -> str:
    return hashlib.file_digest(body, lambda: hashlib.sha256(json_line(about))).hexdigest()


def is_intact(folder: RunFolder, number: int) -> bool:
    """Whether a chunk's file is there and has its checksum."""
    try:
        with folder.open(chunk_name(number)) as file:
            about = _read_line(CHUNK, file.readline(MOST_BYTES))
            checksum = about.pop("sha256")
            size = file.tell() + sum(section["bytes"] for section in about["sections"].values())
            known = bool(about["chunk"] == number) and size == os.fstat(file.fileno()).st_size
            return known and checksum == _checksum(about, file)
    except InputError:
        raise
    except (FileNotFoundError, ValueError, RecursionError):
        return False


def read_chunk(folder: RunFolder, number: int) -> dict[str, Any]:
    """The first line of a chunk's file; the rest is not checked."""
    with folder.open(chunk_name(number)) as file:
        return _read_line(CHUNK, file.readline(MOST_BYTES))


def damaged(path: Path, line: int | None = None) -> InputError:
    """The error for a damaged file of a run."""
    return InputError("is damaged; score again", file=path, line=line)


def read_head(folder: RunFolder) -> dict[str, Any]:
    """The contents of a folder's ``run.json``."""
    path, data = folder.path / HEAD, head_file(folder)
    try:
        head = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise damaged(path) from error
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InputError(f"is not of format {FORMAT}; score again with this edition", file=path)
    if not _fits(HEAD, head) or (head["finished"] and not _is_complete(head)):
        raise damaged(path)
    return head


def head_file(folder: RunFolder) -> bytes:
    """A folder's ``run.json``; an ``InputError`` if there is none."""
    try:
        with folder.open(HEAD) as file:
            return file.read(MOST_BYTES)
    except OSError as error:
        raise not_a_run(folder.path) from error


def not_a_run(folder: str | Path) -> InputError:
    """The error for a folder without a run."""
    return InputError("is not the folder of a run (it has no run.json); name one that was saved", file=folder)


def metric_names(head: Mapping[str, Any]) -> list[str]:
    """The names of a run's metrics, in the order of results."""
    return [entry["name"] for entry in head["metrics"]]


def chunk_count(head: Mapping[str, Any]) -> int:
    """How many chunks a run has."""
    return -(-int(head["items"]) // int(head["chunk"]))


def _is_complete(head: Mapping[str, Any]) -> bool:
    """Whether a finished run's head has every system's score by every metric, and the number of items with one."""
    names = set(metric_names(head))
    numbers = [head.get(what, {}).get(system, {}).keys() for what in ("scores", "scored") for system in head["systems"]]
    return "failed" in head and all(known >= names for known in numbers)


def read_section(folder: Path, number: int, name: str, skip: int = 0) -> Iterator[dict[str, Any]]:
    """The rows of a section of a chunk; the first ``skip`` are skipped without being parsed."""
    path, line = folder / chunk_name(number), 1
    try:
        with RunFolder(folder) as opened, opened.open(path.name) as file:
            about = _read_line(CHUNK, file.readline(MOST_BYTES))
            sections = about["sections"]
            before = [sections[other] for other in SECTIONS[: SECTIONS.index(name)]]
            file.seek(sum(other["bytes"] for other in before), 1)
            first = 2 + sum(other["lines"] for other in before)
            for line in range(first, first + sections[name]["lines"]):
                text = file.readline(MOST_BYTES)
                if line < first + skip:
                    continue
                row = _read_line(name, text)
                if name == ITEMS and not _adds_up(row, about["sums"]):
                    raise ValueError("the chunk's sums have other columns")
                yield row
    except InputError:
        raise
    except OSError as error:
        raise InputError("cannot be read; score again", file=path) from error
    except (ValueError, RecursionError, OverflowError) as error:
        raise damaged(path, line) from error


def _adds_up(row: Mapping[str, Any], sums: Mapping[str, Any]) -> bool:
    """Whether an item's rows have as many columns as the sums of its chunk."""
    columns = sums.get(row["system"], {})
    return all(len(values) == len(columns.get(name, ())) for name, values in row["rows"].items())


def _read_line(name: str, line: bytes) -> dict[str, Any]:
    """The object of a line of a section; a ``ValueError`` if the line is damaged."""
    row: dict[str, Any] = json.loads(line)
    if not _fits(name, row) or (name == EVIDENCE and not _has_its_tokens(row)):
        raise ValueError(f"the object is not one of {name}")
    return row


def _fits(name: str, content: Any) -> bool:
    """Whether the head, or a line of a section, matches the schema."""
    from fastjsonschema import JsonSchemaValueException

    try:
        _validator(name)(content)
    except JsonSchemaValueException:
        return False
    return True


@cache
def _validator(name: str) -> Callable[[Any], Any]:
    from fastjsonschema import compile as compile_schema

    schema = json.loads(Path(__file__).with_name("run.schema.json").read_text(encoding="utf-8"))
    validator: Callable[[Any], Any] = compile_schema(
        {**schema, "$ref": f"#/definitions/{name}"}, use_default=False, detailed_exceptions=False
    )
    return validator


def _has_its_tokens(row: Mapping[str, Any]) -> bool:
    """Whether evidence refers only to tokens that the item has."""
    if "error" in row or "source" not in row:
        return "error" in row
    source, sentences = len(row["source"]), [len(words) for words in row.get("sentences", ())]
    places: list[tuple[int, int]] = []  # each with the number of those that there are
    parallel: list[tuple[Sequence[Any], int]] = []  # each with the length that it must have
    links = list(zip(row.get("links", [()] * len(sentences)), sentences, strict=True))
    for scene in row.get("scenes", ()):
        place = scene["sentence"]
        places += [(token, source) for token in scene.get("leaves", ())]
        places += [] if place is None else [(place, len(sentences))]
        output = dict(enumerate(sentences)).get(place, 0)
        for center in chain(scene["main_relation"], *scene["participants"]):
            places += [(token, source) for token in center["tokens"]]
            parallel.append((center["links"], len(center["tokens"])))
            links.append(([link for link in center["links"] if link is not None], output))
    for side, size in (("source", source), ("output", sum(sentences))):
        parallel += [(row[name], size) for name in (f"{side}_words", f"{side}_weights") if name in row]
        parallel += [(row["levels"][side]["words"], size)] if "levels" in row else []
        places += [(token, size) for scene in row.get(f"{side}_scenes", ()) for token in scene["tokens"]]
    places += [pair for these, size in links for link in these for pair in ((link[0], source), (link[1], size))]
    return all(place < count for place, count in places) and all(len(values) == size for values, size in parallel)


def item_row(system: str, item: ItemScore) -> dict[str, Any]:
    """The row with the scores of an item of a system."""
    rows = {name: list(row) for name, row in item.rows.items()}
    return {"system": system, **item.to_dict(), "rows": rows, **({"errors": item.errors} if item.errors else {})}


def plain_options(values: Mapping[str, object]) -> dict[str, object]:
    """Options as JSON; a metric is replaced by its name with its options, any other object by the name of its type."""
    return {key: _plain_value(value) for key, value in sorted(values.items())}


def metric_options(metric: Metric) -> dict[str, object]:
    """All options of a metric as JSON."""
    return plain_options(option_values(metric))


def _plain_value(value: object) -> object:
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, Metric):
        return value.full_name
    return str(value) if isinstance(value, Path) else type(value).__name__


def read_item(row: Mapping[str, Any]) -> ItemScore:
    """The item of a row that :func:`item_row` made."""
    rows = {name: tuple(values) for name, values in row["rows"].items()}
    return ItemScore(row["item"], read_scores(row["scores"]), rows, row.get("error"), errors=row.get("errors", {}))


def read_scores(scores: Mapping[str, float | None]) -> dict[str, float]:
    """Scores from JSON: ``None`` becomes NaN."""
    return {name: float("nan") if value is None else value for name, value in scores.items()}


def text_rows(given: Inputs, start: int = 0) -> Iterator[dict[str, Any]]:
    """The rows of texts, generated lazily; the first item is number ``start``."""
    outputs = zip(*given.systems.values(), strict=True)
    references: Iterable[Any] = repeat(None) if given.references is None else given.references
    for index, (source, texts, entry) in enumerate(zip(given.sources, outputs, references, strict=False), start):
        row: dict[str, Any] = {
            "item": index,
            "source": _plain(source),
            "outputs": dict(zip(given.systems, map(_plain, texts), strict=True)),
        }
        if given.ids is not None:
            row["id"] = given.ids[index - start]
        if entry is not None:
            several = isinstance(entry, Sequence) and not isinstance(entry, str)
            row["references"] = list(map(_plain, entry if several else [entry]))
        yield row


def _plain(text: object) -> Any:
    """A text as JSON: a string, its sentences, or ``{"sentences": [[token, …], …]}`` if it came tokenized.

    ``None`` stands for what is no text.
    """
    if isinstance(text, Text):
        return {"sentences": [list(words) for words in text.sentence_words]}
    if isinstance(text, str):
        return text.encode("utf-8", "replace").decode()
    return list(map(_plain, map(str, text))) if isinstance(text, Sequence) else None


def plain_text(text: Any) -> str:
    """A text of a row that :func:`text_rows` made, as one string; empty if it could not be read."""
    if isinstance(text, Mapping):
        return " ".join(" ".join(words) for words in text["sentences"])
    return text if isinstance(text, str) else " ".join(text or ())
