"""The files of a run on disk: their names, the contents of a line, where each chunk begins.

``run.json`` has signature, options, systems and corpus scores; ``items.jsonl`` a line for each item and system with its
scores and rows; ``texts.jsonl`` the texts of each item; ``evidence.jsonl`` each item's evidence;
``chunks.jsonl`` for each chunk where it ends in these files, its hashes and its sums of rows. ``run.schema.json``
beside this module is their JSON Schema.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, repeat
from pathlib import Path
from typing import Any

from sema.errors import InputError, SemaError
from sema.model.text import Text
from sema.scoring.inputs import Inputs
from sema.scoring.item_scores import ItemScore

FORMAT = 2
HEAD, ITEMS, TEXTS, EVIDENCE, CHUNKS = "run.json", "items.jsonl", "texts.jsonl", "evidence.jsonl", "chunks.jsonl"
FILES = (ITEMS, TEXTS, EVIDENCE)
PARTS, LOCK = "parts", ".lock"


def json_line(row: Any) -> bytes:
    """A line of JSON."""
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def chunk_line(chunk: Mapping[str, Any]) -> bytes:
    """The line of ``chunks.jsonl`` for a chunk that is complete, with the hash of everything else in it.

    ``end`` is the number of the first item after the chunk; ``ends`` has for each file where the chunk ends in it,
    ``sha256`` the hash of what it wrote; ``failed`` is how many outputs could not be scored; ``sums`` has for each
    system and metric, for each number of a row, the exact sum (:func:`sema.scoring.item_scores.exact_parts`).
    """
    return json_line({**chunk, "check": _check(chunk)})


def read_chunk(line: bytes) -> dict[str, Any] | None:
    """The chunk of a whole line that is unchanged since it was written; earlier editions wrote no ``check``."""
    try:
        row = _read_line(CHUNKS, line)
    except (ValueError, RecursionError):
        return None
    return row if line.endswith(b"\n") and row.pop("check", "") in ("", _check(row)) else None


def _check(chunk: Mapping[str, Any]) -> str:
    return hashlib.sha256(json_line({**chunk, "check": ""})).hexdigest()


def damaged(path: Path, line: int | None = None) -> InputError:
    """The error of a file of a run that is not as it was written."""
    return InputError("is damaged; score again", file=path, line=line)


def read_head(folder: Path) -> dict[str, Any]:
    """The contents of a folder's ``run.json``."""
    path = folder / HEAD
    try:
        head = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = "is not the folder of a run (it has no run.json); name one that was saved"
        raise InputError(message, file=folder) from error
    except (ValueError, RecursionError) as error:
        raise damaged(path) from error
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InputError(f"is not of format {FORMAT}; score again with this edition", file=path)
    if not _fits(HEAD, head) or (head["finished"] and not _is_complete(head)):
        raise damaged(path)
    return head


def metric_names(head: Mapping[str, Any]) -> list[str]:
    """The names of a run's metrics, in the order of results."""
    return [entry["name"] for entry in head["metrics"]]


def _is_complete(head: Mapping[str, Any]) -> bool:
    """Whether a finished run's head has a score of every metric for every system."""
    scores = head.get("scores", {})
    names = set(metric_names(head))
    return "failed" in head and all(scores.get(system, {}).keys() >= names for system in head["systems"])


def read_lines(path: Path, start: int = 0, first: int = 1, skip: int = 0) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file, one after the other, from byte ``start`` on, which is line number ``first``.

    ``skip`` lines of these are passed over unread.
    """
    try:
        with path.open("rb") as lines:
            lines.seek(start)
            for number, line in islice(enumerate(lines, start=first), skip, None):
                try:
                    row = _read_line(path.name, line)
                except (ValueError, RecursionError) as error:
                    raise damaged(path, number) from error
                yield row
    except OSError as error:
        raise InputError("cannot be read; score again", file=path) from error


def _read_line(name: str, line: bytes) -> dict[str, Any]:
    """The object of a line of the file ``name``; a ``ValueError`` if the line is damaged."""
    row: dict[str, Any] = json.loads(line)
    if not _fits(name, row) or (name == EVIDENCE and not _has_its_tokens(row)):
        raise ValueError(f"the object is not one of {name}")
    return row


def _fits(name: str, content: Any) -> bool:
    """Whether the file ``name``, or a line of it, has the shape that the schema asks for."""
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
    links, scenes = row.get("links", [[] for _ in sentences]), row.get("scenes", ())
    if len(links) != len(sentences) or not all(_has_its_links(scene, source, sentences) for scene in scenes):
        return False
    for side, size in (("source", source), ("output", sum(sentences))):
        parallel = [row[name] for name in (f"{side}_words", f"{side}_weights") if name in row]
        if "levels" in row:
            parallel.append(row["levels"][side]["words"])
        tokens = [token for scene in row.get(f"{side}_scenes", ()) for token in scene["tokens"]]
        if any(len(values) != size for values in parallel) or max(tokens, default=-1) >= size:
            return False
    return all(
        _leads(link, source, size) for size, of_sentence in zip(sentences, links, strict=True) for link in of_sentence
    )


def _has_its_links(scene: Mapping[str, Any], source: int, sentences: Sequence[int]) -> bool:
    """Whether a Scene's tokens are below ``source``, and its links lead into its sentence (``sentences``: sizes)."""
    place = scene["sentence"]
    if place is not None and place >= len(sentences):
        return False
    centers = [center for part in (scene["main_relation"], *scene["participants"]) for center in part]
    tokens = [*scene.get("leaves", ()), *(token for center in centers for token in center["tokens"])]
    links = [link for center in centers for link in center["links"] if link is not None]
    return (
        max(tokens, default=-1) < source
        and all(_leads(link, source, 0 if place is None else sentences[place]) for link in links)
        and all(len(center["links"]) == len(center["tokens"]) for center in centers)
    )


def _leads(link: Sequence[Any], source: int, output: int) -> bool:
    """Whether a link leads from a token of the source to one of an output sentence, of these lengths."""
    return bool(link[0] < source and link[1] < output)


def item_row(system: str, item: ItemScore) -> dict[str, Any]:
    """The line of ``items.jsonl`` for an item of a system."""
    rows = {name: list(row) for name, row in item.rows.items()}
    return {"system": system, **item.to_dict(), "rows": rows, **({"errors": item.errors} if item.errors else {})}


def read_item(row: Mapping[str, Any]) -> ItemScore:
    """The item of such a line."""
    rows = {name: tuple(values) for name, values in row["rows"].items()}
    return ItemScore(row["item"], read_scores(row["scores"]), rows, row.get("error"), errors=row.get("errors", {}))


def read_scores(scores: Mapping[str, float | None]) -> dict[str, float]:
    """Scores as JSON has them, as numbers: ``None`` becomes NaN."""
    return {name: float("nan") if value is None else value for name, value in scores.items()}


def text_rows(given: Inputs, start: int = 0) -> Iterator[dict[str, Any]]:
    """The lines of ``texts.jsonl``, generated lazily; the first item is number ``start``."""
    outputs = zip(*given.systems.values(), strict=True)
    references: Iterable[Any] = repeat(None) if given.references is None else given.references
    for index, (source, texts, entry) in enumerate(zip(given.sources, outputs, references, strict=False), start):
        row: dict[str, Any] = {
            "item": index,
            "source": _plain(source),
            "outputs": dict(zip(given.systems, map(_plain, texts), strict=True)),
        }
        if entry is not None:
            row["references"] = list(map(_plain, [entry] if isinstance(entry, str | SemaError) else entry))
        yield row


def _plain(text: object) -> Any:
    """A text as JSON: a string, its sentences, or ``{"sentences": [[token, …], …]}`` if it came tokenized."""
    if isinstance(text, Text):
        return {"sentences": [list(words) for words in text.sentence_words]}
    if isinstance(text, SemaError):
        return None
    if isinstance(text, str):
        return text.encode("utf-8", "replace").decode()
    return [str(sentence).encode("utf-8", "replace").decode() for sentence in text]  # type: ignore[attr-defined]


def plain_text(text: Any) -> str:
    """A text of a line of ``texts.jsonl`` as one string; empty if it could not be read."""
    if isinstance(text, Mapping):
        return " ".join(" ".join(words) for words in text["sentences"])
    return text if isinstance(text, str) else " ".join(text or ())
