"""``sema features``: the numbers that judges are made of, for anybody's own model."""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from sema.cli.common import add_language_arguments, add_raw_cells, names, progress_bar, settings_of
from sema.cli.items import Found, PairFiles, add_pair_arguments
from sema.cli.messages import report_errors
from sema.display.visible import to_json, visible
from sema.errors import UsageError
from sema.files.formats import harmless

if TYPE_CHECKING:
    from sema.features.registry import FeatureSet
    from sema.options import Settings

HELP = """Read features off each source and output: lengths, readability, words, structure, alignment, Scenes …
Without --format a table of every feature's mean, spread and meaning; with csv or jsonl a row for each item.

examples:
  sema features --lang en --list
  sema features --lang en -s original.txt -o system.txt
  sema features --lang en -s original.txt -o a.txt -o b.txt --groups lexical,structure --format csv > features.csv
  sema features --lang zh -s 原文.txt -o 简化.txt --set hsk.vocabulary=hsk_vocab.xls --to features.jsonl"""
FORMATS = ("table", "csv", "jsonl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema features``."""
    add_language_arguments(parser, passages=True)
    add_pair_arguments(parser, required=False)
    parser.add_argument("--groups", metavar="NAMES", help="comma-separated (default: all that suit the language)")
    parser.add_argument("--list", action="store_true", help="list the groups and features of the language")
    parser.add_argument("--format", choices=FORMATS, help="what to print (default: table, or as --to ends)")
    parser.add_argument("--to", metavar="FILE", help="write to FILE.csv or FILE.jsonl instead of printing")
    add_raw_cells(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the features, or print those of every item."""
    from sema.features.registry import FeatureSet
    from sema.languages import find_language

    form = _format(arguments)
    settings = settings_of(arguments)
    if arguments.hsk:
        settings.values["hsk.vocabulary"] = arguments.hsk
    language = find_language(arguments.lang)
    parts = language.parts(extractor=arguments.extractor, aligner=arguments.aligner, settings=settings)
    features = FeatureSet(parts, _groups(arguments, settings), settings)
    settings.check({**language.components(), **features.factories})
    if arguments.list:
        return _list(features)
    if not arguments.source or not arguments.output:
        raise UsageError("name the texts with -s SOURCE and -o OUTPUT, or ask for --list")
    reader = PairFiles(arguments)
    errors: list[str] = []
    with progress_bar("features", prints=form != "table" and arguments.to is None) as progress:
        rows = _rows(features, reader.items(parts, features.requires, progress), errors)
        if form == "table":
            rows = iter(list(rows))
        else:
            _write(form, features.names, rows, arguments.to, raw_cells=arguments.raw_cells)
    if form == "table":
        _print_table(features, list(rows))
    report_errors(errors)
    return 1 if errors else 0


def _format(arguments: argparse.Namespace) -> str:
    asked: str | None = arguments.format
    if arguments.to is None:
        return asked or "table"
    suffix: str = arguments.to.rpartition(".")[2].lower()
    if suffix not in FORMATS[1:]:
        raise UsageError("features go to .csv or .jsonl; name such a file", file=arguments.to)
    if asked not in (None, suffix):
        raise UsageError(f"--format {asked} does not fit this file's name", file=arguments.to)
    return suffix


def _groups(arguments: argparse.Namespace, settings: Settings) -> list[str]:
    """The groups that are named; without names those that need no option, and those whose options are set."""
    if arguments.groups is None:
        from sema.features.registry import feature_groups

        named = {name.partition(".")[0] for name in settings.values}
        return [name for name, group in feature_groups(arguments.lang).items() if group.default or name in named]
    found = names(arguments.groups)
    if not found:
        raise UsageError("no group is named; see `sema features --list` for the names")
    return list(dict.fromkeys(found))


def _rows(features: FeatureSet, found: Iterator[Found], errors: list[str]) -> Iterator[dict[str, Any]]:
    """A row for each item, with its features or its error."""
    for entry in found:
        row: dict[str, Any] = {"system": entry.system, "item": entry.index}
        if entry.item is None:
            errors.append(entry.error or "")
            row["error"] = entry.error
        else:
            values = features.table([entry.item])[0].tolist()
            row["features"] = {name: round(value, 6) for name, value in zip(features.names, values, strict=True)}
        yield row


def _write(
    form: str, names: Sequence[str], rows: Iterator[dict[str, Any]], path: str | None, *, raw_cells: bool
) -> None:
    lines = map(to_json, rows) if form == "jsonl" else _csv_lines(names, rows, raw_cells=raw_cells)
    if path is None:
        for line in lines:
            print(visible(line))
        return
    from pathlib import Path

    from sema.files.replacing import replacing

    with replacing(Path(path)) as file:
        file.writelines(f"{line}\n".encode() for line in lines)


def _csv_lines(names: Sequence[str], rows: Iterator[dict[str, Any]], *, raw_cells: bool) -> Iterator[str]:
    line = io.StringIO()
    columns = ["system", "item", *names, "error"]
    writer = csv.DictWriter(line, columns, lineterminator="")
    for row in chain([dict(zip(columns, columns, strict=True))], rows):
        cells = {**{key: row.get(key) for key in columns}, **row.get("features", {})}
        writer.writerow(cells if raw_cells else harmless(cells))
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _print_table(features: FeatureSet, rows: Sequence[dict[str, Any]]) -> None:
    """A feature a line: its mean over each system's items, the least and the greatest value, and what it is."""
    from sema.display.terminal import print_columns

    good = [row for row in rows if "features" in row]
    systems = list(dict.fromkeys(row["system"] for row in good))
    lines = []
    for name, what in features.descriptions.items():
        columns = [[row["features"][name] for row in good if row["system"] == system] for system in systems]
        values = [value for column in columns for value in column]
        if values:
            means = [f"{sum(column) / len(column):.3f}" for column in columns]
            lines.append([name, *means, f"{min(values):.3f}", f"{max(values):.3f}", what])
    print_columns(["feature", *systems, "least", "most", "what it is"], lines)


def _list(features: FeatureSet) -> int:
    from sema.display.terminal import print_columns

    rows = []
    for group in features.groups:
        rows.append([group.name, group.description])
        rows += [[f"  {group.name}.{name}", what] for name, what in group.features.items()]
    print_columns(["group, feature", "what it is"], rows)
    return 0
