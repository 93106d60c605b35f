"""Runs on disk: a folder that scoring writes as it goes, resumes from, and that every other command reads.

``run.json`` has signature, options, systems and corpus scores; ``items.jsonl`` a line for each system and item with its
scores and rows; ``texts.jsonl`` the texts of each item; ``evidence.jsonl`` why each item scored as it did. While a run
is under way its chunks lie in ``parts``, each complete or not there at all: nothing is lost or scored twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any

from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import ProgressCallback, Readable
from sema.errors import InputError, SemaError
from sema.files.replacing import replacing
from sema.metrics.base import Metric
from sema.metrics.registry import make_metric
from sema.model.text import Text
from sema.options import Settings
from sema.scoring.engine import ChunkScores, Keep
from sema.scoring.inputs import References
from sema.scoring.results import ItemScore, Report, SystemScore, make_system, plain_scores
from sema.scoring.scorer import CHUNK, Scorer

FORMAT = 1
HEAD, ITEMS, TEXTS, EVIDENCE, PARTS = "run.json", "items.jsonl", "texts.jsonl", "evidence.jsonl", "parts"
FILES = (ITEMS, TEXTS, EVIDENCE)


def score_to(
    folder: str | Path,
    scorer: Scorer,
    sources: Sequence[Readable],
    systems: Mapping[str, Sequence[Readable]],
    references: References | None = None,
    *,
    scenes: Sequence[SourceAnalysis | SemaError] | None = None,
    resume: bool = False,
    progress: ProgressCallback | None = None,
    describe: Mapping[str, str] | None = None,
) -> Run:
    """Score into a folder, chunk by chunk; memory does not grow with the number of results.

    Broken items are collected. ``describe`` goes into ``run.json`` as it is (names of files, say).

    Args:
        folder: where the run goes; it must not exist, be empty, or hold the same run unfinished (``resume``).
        scorer: what scores.
        sources, systems, references, scenes: as :meth:`Scorer.score` takes them, several systems by name.
        resume: go on with an unfinished run; a finished one is returned as it is.
        progress: called with items done and total.

    Raises:
        InputError: the folder holds something else, or a run of other inputs or options, or is in use.
    """
    scorer.check(sources, systems, references)
    signature = scorer.engine.signature(scenes)
    head: dict[str, Any] = {
        "format": FORMAT,
        "signature": signature,
        "lang": scorer.language.code,
        "level": scorer.engine.plan.level,
        "segment": scorer.engine.plan.segment,
        "extractor": _name(scorer.engine.plan.extractor),
        "aligner": _name(scorer.engine.plan.aligner),
        "options": _plain_options(scorer.engine.plan.settings.values),
        "wishes": _plain_options(scorer.engine.plan.settings.wishes),
        "metrics": [{"name": metric.name, "higher_is_better": metric.higher_is_better} for metric in scorer.metrics],
        "systems": list(systems),
        "items": len(sources),
        "inputs": _digest(sources, systems, references),
        "finished": False,
        **({"described": dict(describe)} if describe else {}),
    }
    path = Path(folder)
    with _Writer(path, head, resume=resume) as writer:
        if not writer.finished:
            size = CHUNK[scorer.engine.plan.level]
            done = writer.complete_parts()
            parts = scorer.stream(sources, systems, references, scenes=scenes, keep=Keep.EVIDENCE, skip=done)
            for number, part in enumerate(parts, start=done):
                start, end = number * size, min((number + 1) * size, len(sources))
                texts = (_texts(index, sources, systems, references) for index in range(start, end))
                writer.write_part(number, list(systems), part, texts)
                if progress is not None:
                    progress(end, len(sources))
            writer.finish(scorer.metrics)
    return Run(path)


@dataclass(frozen=True)
class Run:
    """A run on disk, read when it is asked for.

    Raises:
        InputError: the folder holds no finished run, or one that cannot be read.
    """

    folder: Path

    def __init__(self, folder: str | Path) -> None:
        object.__setattr__(self, "folder", Path(folder))
        if not self.head.get("finished"):
            raise InputError(
                "is a run that is not finished; finish it first with the same command and resume", file=folder
            )

    @property
    def head(self) -> dict[str, Any]:
        """What ``run.json`` holds."""
        return read_head(self.folder)

    def report(self, metrics: Iterable[Metric] = ()) -> Report:
        """The report, equal to the one that scoring returned.

        ``metrics`` are objects of metrics that no installed package offers by name.
        """
        head = self.head
        own = {metric.name: metric for metric in metrics}
        settings = Settings(head["options"], head["wishes"])
        names = [entry["name"] for entry in head["metrics"]]
        objects = tuple(own[name] if name in own else make_metric(name, settings) for name in names)
        columns: dict[str, list[ItemScore]] = {name: [] for name in head["systems"]}
        for row in _read_lines(self.folder / ITEMS):
            columns[row["system"]].append(_item(row))
        systems = []
        for name, items in columns.items():
            items.sort(key=lambda item: item.index)
            scores = {
                metric: float("nan") if value is None else value for metric, value in head["scores"][name].items()
            }
            systems.append(SystemScore(name, scores, tuple(items)))
        return Report(head["signature"], head["lang"], head["level"], tuple(names), tuple(systems), objects)

    def texts(self, index: int) -> dict[str, Any]:
        """The texts of an item: ``source``, ``outputs`` by system, ``references``.

        Raises:
            InputError: the run has no such item.
        """
        return next(self._rows(TEXTS, index))

    def scores(self, index: int) -> dict[str, dict[str, float]]:
        """The scores of an item, by system.

        Raises:
            InputError: the run has no such item.
        """
        return {row["system"]: _item(row).scores for row in self._rows(ITEMS, index)}

    def evidence(self, index: int) -> dict[str, dict[str, Any]]:
        """Why an item scored as it did, by system.

        Raises:
            InputError: the run has no such item.
        """
        found = {row["system"]: row for row in self._rows(EVIDENCE, index)}
        return {name: {key: value for key, value in row.items() if key != "system"} for name, row in found.items()}

    def all_texts(self) -> Iterator[dict[str, Any]]:
        """The texts of every item, in their order (:meth:`texts`)."""
        yield from _read_lines(self.folder / TEXTS)

    def all_evidence(self) -> Iterator[dict[str, Any]]:
        """The evidence of every item and system, with ``system`` and ``item``; read as it is asked for."""
        yield from _read_lines(self.folder / EVIDENCE)

    def _rows(self, name: str, index: int) -> Iterator[dict[str, Any]]:
        if not 0 <= index < self.head["items"]:
            raise InputError(f"has no item {index}; its items are 0 to {self.head['items'] - 1}", file=self.folder)
        yield from (row for row in _read_lines(self.folder / name) if row["item"] == index)

    @staticmethod
    def merge(runs: Sequence[Run | str | Path]) -> Report:
        """The report of all items of several runs, one after the other (:meth:`Report.merge`)."""
        return Report.merge([(run if isinstance(run, Run) else Run(run)).report() for run in runs])


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


class _Writer:
    """Writes a run's folder: complete parts, then the whole; holds a lock against a second writer."""

    def __init__(self, folder: Path, head: dict[str, Any], *, resume: bool) -> None:
        self.folder, self.head, self.resume = folder, head, resume
        self.finished = False
        self._lock: Any = None

    def __enter__(self) -> _Writer:
        from filelock import FileLock, Timeout

        try:
            new = not self.folder.exists() or not any(self.folder.iterdir())
            if not new and not self.resume:
                raise InputError("exists already; name a new folder, or resume the run in it", file=self.folder)
            if not new:
                self._check(read_head(self.folder))
            self.folder.mkdir(parents=True, exist_ok=True)
        except NotADirectoryError as error:
            raise InputError("is a file; name a folder", file=self.folder) from error
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", file=self.folder) from error
        self._lock = FileLock(str(self.folder / ".lock"))
        try:
            self._lock.acquire(timeout=0)
        except Timeout as error:
            raise InputError("is being written by another process; wait for it", file=self.folder) from error
        if new:
            self._write(HEAD, json.dumps(self.head, ensure_ascii=False, indent=1) + "\n")
        (self.folder / PARTS).mkdir(exist_ok=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        if self.finished:
            (self.folder / ".lock").unlink(missing_ok=True)

    def _check(self, found: dict[str, Any]) -> None:
        for key, what in (("inputs", "inputs"), ("systems", "systems"), ("signature", "options, models or version")):
            if found.get(key) != self.head[key]:
                raise InputError(f"is a run of other {what}; name another folder", file=self.folder)
        self.finished = bool(found["finished"])

    def complete_parts(self) -> int:
        """The number of parts that are complete, one after the other from the first."""
        number = 0
        while (self._part(number, HEAD)).exists():
            number += 1
        return number

    def write_part(
        self, number: int, systems: Sequence[str], scores: ChunkScores, texts: Iterable[dict[str, Any]]
    ) -> None:
        """Write one chunk; what marks it complete comes last."""
        scored = [
            (name, item) for items in zip(*scores, strict=True) for name, item in zip(systems, items, strict=True)
        ]
        self._write_part(number, ITEMS, (_item_row(name, item) for name, item in scored))
        self._write_part(number, EVIDENCE, ({"system": name, **item.evidence()} for name, item in scored))
        self._write_part(number, TEXTS, texts)
        self._write_part(number, HEAD, [])

    def finish(self, metrics: Sequence[Metric]) -> None:
        """Join the parts, compute the corpus scores from the rows, and mark the run finished."""
        count = self.complete_parts()
        for name in FILES:
            with replacing(self.folder / name) as file:
                for number in range(count):
                    file.write(self._part(number, name).read_bytes())
        columns: dict[str, list[ItemScore]] = {name: [] for name in self.head["systems"]}
        for row in _read_lines(self.folder / ITEMS):
            columns[row["system"]].append(_item(row))
        scores = {name: plain_scores(make_system(name, items, metrics).scores) for name, items in columns.items()}
        finished = {**self.head, "finished": True, "scores": scores}
        self._write(HEAD, json.dumps(finished, ensure_ascii=False, indent=1) + "\n")
        for number in range(count):
            for name in (*FILES, HEAD):
                self._part(number, name).unlink()
        (self.folder / PARTS).rmdir()
        self.finished = True

    def _part(self, number: int, name: str) -> Path:
        return self.folder / PARTS / f"{number:08d}.{name}"

    def _write_part(self, number: int, name: str, rows: Iterable[dict[str, Any]]) -> None:
        with replacing(self._part(number, name)) as file:
            file.writelines(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)

    def _write(self, name: str, text: str) -> None:
        with replacing(self.folder / name) as file:
            file.write(text.encode())


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise InputError("is damaged; score again", file=path, line=number) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("cannot be read; score again", file=path) from error


def _item_row(system: str, item: ItemScore) -> dict[str, Any]:
    return {"system": system, **item.to_dict(), "rows": {name: list(row) for name, row in item.rows.items()}}


def _item(row: Mapping[str, Any]) -> ItemScore:
    scores = {name: float("nan") if value is None else value for name, value in row["scores"].items()}
    return ItemScore(
        row["item"], scores, {name: tuple(values) for name, values in row["rows"].items()}, row.get("error")
    )


def _texts(
    index: int, sources: Sequence[Readable], systems: Mapping[str, Sequence[Readable]], references: References | None
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "item": index,
        "source": _plain(sources[index]),
        "outputs": {name: _plain(system[index]) for name, system in systems.items()},
    }
    if references is not None:
        entry = references[index]
        found["references"] = [_plain(text) for text in ([entry] if isinstance(entry, str) else entry)]  # type: ignore[union-attr]
    return found


def _plain(text: object) -> Any:
    """A text as JSON: a string, its sentences, or ``{"sentences": [[token, …], …]}`` if it came tokenized."""
    if isinstance(text, Text):
        return {"sentences": [list(words) for words in text.sentence_words]}
    if isinstance(text, SemaError):
        return None
    if isinstance(text, str):
        return text.encode("utf-8", "replace").decode()
    return [str(sentence).encode("utf-8", "replace").decode() for sentence in text]  # type: ignore[attr-defined]


def _digest(
    sources: Sequence[Readable], systems: Mapping[str, Sequence[Readable]], references: References | None
) -> str:
    """A hash of all inputs, item by item."""
    found = hashlib.sha256()
    for index in range(len(sources)):
        found.update(json.dumps(_texts(index, sources, systems, references), ensure_ascii=False).encode())
    return found.hexdigest()


def _plain_options(values: Mapping[str, object]) -> dict[str, object]:
    """Options as JSON has them."""
    return {
        key: values[key] if isinstance(values[key], str | int | float | bool | NoneType) else str(values[key])
        for key in sorted(values)
    }


def _name(part: object) -> str | None:
    return part if part is None or isinstance(part, str) else type(part).__name__
