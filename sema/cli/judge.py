"""``sema features`` and ``sema judge``: the features of each item, and the ratings that judges predict."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sema.analysis.texts import ProgressCallback, RawText, around_errors
from sema.cli.arguments import (
    RAW_CELLS,
    Given,
    Items,
    argument,
    choice,
    flag,
    grouped,
    language,
    read,
    repeated,
    several,
    source,
    written,
)
from sema.cli.commands import command, make_parts, names, settings_of
from sema.cli.messages import part_of, print_columns, progress_bar, report_errors
from sema.cli.texts import place_error, print_json, readable, results, write_text
from sema.errors import InputError, SemaError, UnknownNameError, UsageError
from sema.files.formats import flat, harmless, write_items
from sema.files.ids import in_order_of, labelled
from sema.files.texts import open_outputs, read_column, system_names
from sema.model.item import Item, Need
from sema.model.language import Parts

if TYPE_CHECKING:
    from sema.features.base import FeatureSet
    from sema.judges.model import Judge, Verdict

Rows = list[dict[str, Any]]
SHOWN_ITEMS = 20
CHUNK = {"sentence": 256, "passage": 16}  # items whose features are read at a time
PAIRS = (
    source(required=False),
    several("-o --output", "OUTPUT", "a system's outputs; repeat for more"),
    choice("--level", ("sentence", "passage"), "what an item is", default="sentence"),
)
"""The arguments of :class:`PairFiles`."""


class PairFiles:
    """Files of sources and outputs, read and checked; if none are named, the error says what to do ``otherwise``."""

    def __init__(self, arguments: argparse.Namespace, *, otherwise: str) -> None:
        if not arguments.source or not arguments.output:
            raise UsageError(f"name the texts with -s SOURCE and -o OUTPUT, or {otherwise}")
        self.source = read_column(arguments.source, "source")
        outputs = in_order_of(self.source, open_outputs(arguments.output))
        self._outputs = dict(zip(system_names(outputs), outputs, strict=True))
        self._tokenized: bool = arguments.tokenized
        self._level: str = arguments.level
        self.errors: list[str] = []

    def rows(
        self,
        parts: Parts,
        needs: Collection[Need],
        make: Callable[[list[Item]], Iterable[Mapping[str, Any]]],
        progress: ProgressCallback,
    ) -> Iterator[dict[str, Any]]:
        """A row for each item of each system, with what ``make`` adds to it, or its error."""
        from sema.analysis.analyser import Analyser

        analyser, passages = Analyser(parts, needs), self._level == "passage"
        own, other = (part.segmenter if passages else None for part in (parts.of_sources, parts))
        sources = readable(self.source, "source", self._tokenized, own)

        def work(sources: Sequence[RawText], outputs: Sequence[RawText]) -> Iterable[Mapping[str, Any] | SemaError]:
            return around_errors(analyser.items(sources, outputs, segment=passages), make)

        for place, (name, column) in enumerate(self._outputs.items()):
            outputs = readable(column, "output", self._tokenized, other)
            texts = {"source": sources, f"output of {name!r}": outputs}
            of_all = part_of(progress, place, len(self._outputs))
            for index, made in results(texts, work, parts.language, of_all, CHUNK[self._level]):
                if isinstance(made, SemaError):
                    self.errors.append(place_error(made, self.source, index))
                    made = {"error": self.errors[-1]}
                yield {"system": name, "item": index, **made}


@command(
    *language(passages=True),
    *PAIRS,
    argument("--groups", "NAMES", "comma-separated (default: all that suit the language)"),
    flag("--list", "list the groups and features of the language"),
    choice("--format", ("table", "csv", "jsonl"), "what to print (default: table)"),
    written("--to", "FILE", "write to FILE.jsonl, .csv, .tsv, .xlsx or .parquet instead of printing", kind=Items),
    RAW_CELLS,
)
def features(arguments: argparse.Namespace) -> int:
    """Read features off each source and output: lengths, readability, words, structure, alignment, Scenes …
    Without --format a table of every feature's mean, spread and meaning; with csv or jsonl a row for each item.

    examples:
      sema features --lang en --list
      sema features --lang en -s original.txt -o system.txt
      sema features --lang en -s original.txt -o a.txt -o b.txt --groups lexical,structure --format csv > features.csv
      sema features --lang zh -s 原文.txt -o 简化.txt --groups characters,lengths --to features.jsonl"""
    if arguments.to is not None and arguments.format not in (None, Path(arguments.to).suffix[1:].lower()):
        raise UsageError(f"--format {arguments.format} does not fit this file's name", file=arguments.to)
    parts, feature_set = _feature_set(arguments)
    if arguments.list:
        rows = []
        for group in feature_set.groups:
            rows.append([group.name, group.description])
            rows += [[f"  {group.name}.{name}", what] for name, what in group.features.items()]
        print_columns(["group, feature", "what it is"], rows)
        return 0

    def make(items: list[Item]) -> list[dict[str, Any]]:
        rows = [[round(value, 6) for value in row] for row in feature_set.table(items).tolist()]
        return [{"features": dict(zip(feature_set.names, row, strict=True))} for row in rows]

    reader = PairFiles(arguments, otherwise="ask for --list")
    shown = arguments.to is None and arguments.format in ("csv", "jsonl")
    with progress_bar("features", prints=shown) as progress:
        labels, items = labelled(reader.rows(parts, feature_set.requires, make, progress), reader.source)
        how = {"labels": labels, "raw_cells": arguments.raw_cells}
        if arguments.to is not None:
            write_items(items, feature_set.names, arguments.to, under="features", **how)
        elif shown:
            _print_rows(arguments.format, feature_set.names, items, **how)
        else:
            table = list(items)
    if arguments.to is None and not shown:
        _print_features(feature_set, table)
    return report_errors(reader.errors)


def _print_rows(
    form: str, names: Sequence[str], rows: Iterable[dict[str, Any]], *, labels: Sequence[str], raw_cells: bool
) -> None:
    """Print a row for each item as it comes, as JSON lines or as CSV."""
    if form == "jsonl":
        for row in rows:
            print_json(row)
        return
    writer = csv.DictWriter(sys.stdout, ["system", "item", *labels, *names, "error"], lineterminator="\n")
    writer.writeheader()
    cells = (flat(row, names, "features", labels) for row in rows)
    writer.writerows(cells if raw_cells else map(harmless, cells))


def _feature_set(arguments: argparse.Namespace) -> tuple[Parts, FeatureSet]:
    """The parts of the language, and the feature groups that are named; every setting must reach one of them.

    Without names the groups are those that need no option, and those whose options are set.
    """
    from sema.features.base import FeatureSet, feature_groups

    settings, known = settings_of(arguments), feature_groups(arguments.lang)
    if arguments.groups is None:
        owners = {name.partition(".")[0] for name in settings.values}
        groups = [name for name, group in known.items() if group.default or name in owners]
    elif not (groups := list(dict.fromkeys(names(arguments.groups)))):
        raise UsageError("no group is named; see `sema features --list` for the names")
    parts = make_parts(arguments, settings, {name: known[name] for name in groups if name in known})
    return parts, FeatureSet(parts, groups, settings)


def _print_features(features: FeatureSet, rows: Rows) -> None:
    """A feature a line: its mean over each system's items, the least and the greatest value, and what it is."""
    systems: dict[str, Rows] = {}
    for row in rows:
        if "features" in row:
            systems.setdefault(row["system"], []).append(row["features"])
    lines = []
    for name, what in features.descriptions.items() if systems else ():
        columns = [[values[name] for values in values_of] for values_of in systems.values()]
        means = [f"{sum(column) / len(column):.3f}" for column in columns]
        least, most = min(map(min, columns)), max(map(max, columns))
        lines.append([name, *means, f"{least:.3f}", f"{most:.3f}", what])
    print_columns(["feature", *systems, "least", "most", "what it is"], lines)


@command(
    choice("action", ("train",), "learn a judge from RATINGS", nargs="?"),
    read("ratings", "RATINGS", "table of ratings: .csv, .tsv, .jsonl, .parquet", nargs="?"),
    *language(passages=True),
    *PAIRS,
    repeated("--judge", "FOLDER", "a judge of your own; repeatable", type=Given),
    argument("--drivers", "N", "features shown for each aspect", type=int, default=3),
    flag("--json", "print one JSON object for each item"),
    *grouped(
        "training",
        argument("--aspect", "NAME", "what was rated: a column's name; or which aspect to judge"),
        written("--to", "FOLDER", "where the judge is written"),
        argument("--groups", "NAMES", "feature groups (default: all that suit the language)"),
        argument("--scale", ("LOW", "HIGH"), "least and greatest rating possible", nargs=2, type=float),
    ),
)
def judge(arguments: argparse.Namespace) -> int:
    """Say what a rater would: good, ok or bad in each aspect, with probabilities and what drove them
    Without --json a summary of each system and its items; `train` learns a judge from a table of ratings (columns
    source, output, and one named as the aspect; numbers, or good, ok, bad).

    examples:
      sema judge --lang en -s original.txt -o system.txt
      sema judge --lang en -s original.txt -o a.txt -o b.txt --json > verdicts.jsonl
      sema judge train ratings.csv --lang en --aspect simplicity --to my_judge
      sema judge --lang en -s original.txt -o system.txt --judge my_judge"""
    if arguments.action == "train":
        return _train(arguments)
    if arguments.ratings is not None:
        raise UsageError(f"{arguments.ratings!r} is not expected here; write `sema judge train RATINGS`")
    for name in ("to", "groups", "scale"):
        if getattr(arguments, name) is not None:
            raise UsageError(f"--{name} is for training; write `sema judge train RATINGS`, or leave it out")
    reader = PairFiles(arguments, otherwise="train a judge with `sema judge train RATINGS`")
    from sema.judges.metrics import BoundJudge

    parts = make_parts(arguments, settings_of(arguments))
    judges = {judge.aspect: BoundJudge(judge, parts) for judge in _judges(arguments)}
    needs = frozenset[Need]().union(*(bound.features.requires for bound in judges.values()))

    def make(items: list[Item]) -> list[dict[str, Any]]:
        columns = [bound.verdicts(items) for bound in judges.values()] if items else []
        plain = ([_plain(verdict, arguments.drivers) for verdict in row] for row in zip(*columns, strict=True))
        return [{"aspects": dict(zip(judges, row, strict=True))} for row in plain]

    with progress_bar("judging", prints=arguments.json) as progress:
        rows = reader.rows(parts, needs, make, progress)
        if arguments.json:
            for row in rows:
                print_json(row)
        else:
            judged = [row for row in rows if "aspects" in row]
    if not arguments.json:
        _print_verdicts(judged)
    return report_errors(reader.errors)


def _judges(arguments: argparse.Namespace) -> list[Judge]:
    """The shipped judges, and the user's own in the place of those of the same aspect."""
    from sema.judges.metrics import shipped, shipped_judge
    from sema.judges.storage import load_judge

    judges = {aspect: shipped_judge(arguments.lang, aspect) for aspect in shipped(arguments.lang)}
    judges |= {own.aspect: own for own in (load_judge(Path(folder)) for folder in arguments.judge)}
    if not judges:
        remedy = "train one with `sema judge train RATINGS`, and name it with --judge FOLDER"
        raise InputError(f"there is no judge for language {arguments.lang!r}; {remedy}")
    if arguments.aspect is not None and arguments.aspect not in judges:
        raise UnknownNameError(f"aspect of language {arguments.lang!r}:", arguments.aspect, list(judges))
    return [judge for aspect, judge in judges.items() if arguments.aspect in (None, aspect)]


def _plain(verdict: Verdict, drivers: int) -> dict[str, Any]:
    return {
        "label": verdict.label,
        "score": round(verdict.score, 2),
        "probabilities": {label: round(share, 4) for label, share in verdict.probabilities.items()},
        "drivers": [[name, round(points, 2)] for name, points in verdict.drivers(drivers)],
    }


def _print_verdicts(rows: Rows) -> None:
    """For each system and aspect the mean score and the shares of the classes; then the first items."""
    entries: dict[tuple[str, str], Rows] = {}
    details = []
    for place, row in enumerate(rows):
        for aspect, entry in row["aspects"].items():
            entries.setdefault((row["system"], aspect), []).append(entry)
            if place < SHOWN_ITEMS:
                why = ", ".join(f"{name} {points:+.1f}" for name, points in entry["drivers"])
                sure = f"{100 * entry['probabilities'][entry['label']]:.0f} %"
                verdict = [aspect, entry["label"], sure, f"{entry['score']:.1f}", why]
                details.append([str(row["item"]), row["system"], *verdict])
    lines = []
    for (system, aspect), verdict in entries.items():
        labels = [entry["label"] for entry in verdict]
        shares = [f"{100 * labels.count(label) / len(labels):.0f} %" for label in ("good", "ok", "bad")]
        lines.append([system, aspect, f"{sum(entry['score'] for entry in verdict) / len(verdict):.1f}", *shares])
    print_columns(["system", "aspect", "score", "good", "ok", "bad"], lines)
    print()
    print_columns(["item", "system", "aspect", "says", "sure", "score", "what drove it (points)"], details)
    if len(rows) > SHOWN_ITEMS:
        print(f"… and {len(rows) - SHOWN_ITEMS} more; --json prints all")


def _train(arguments: argparse.Namespace) -> int:
    from sema.display.reports.training import training_report
    from sema.judges.examples import make_examples, read_ratings
    from sema.judges.storage import save_judge
    from sema.judges.training import train_judge

    for value, name in ((arguments.ratings, "RATINGS"), (arguments.aspect, "--aspect"), (arguments.to, "--to")):
        if value is None:
            raise UsageError(f"{name} is missing: sema judge train RATINGS --aspect NAME --to FOLDER")
    folder = Path(arguments.to)
    if folder.is_file():
        raise InputError("is a file; name a folder for the judge", file=folder)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "judge.json").is_file():
        raise InputError("is a folder with other files; name a new one for the judge", file=folder)
    scale = tuple(arguments.scale) if arguments.scale else None
    rated = read_ratings(arguments.ratings, arguments.aspect, scale)
    parts, features = _feature_set(arguments)
    with progress_bar("reading features") as progress:
        examples = make_examples(rated, features, parts, progress)
    about = {"ratings": Path(arguments.ratings).name, "pairs": len(examples), "features": features.signature}
    named = [group.name for group in features.groups]
    with progress_bar("comparing estimators") as progress:
        trained = train_judge(examples, arguments.aspect, arguments.lang, named, about=about, progress=progress)
    save_judge(trained.judge, folder)
    report = training_report(trained)
    write_text(folder / "report.md", report)
    print(report, end="")
    return 0
