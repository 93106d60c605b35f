"""``sema features`` and ``sema judge``: the features of each item, and the ratings that judges predict."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sema.cli.arguments import RAW_CELLS, Given, Items, argument, choice, flag, grouped, read, repeated, scored, written
from sema.cli.commands import command, make_parts, names, settings_of
from sema.cli.messages import print_columns, progress_bar, report_errors
from sema.cli.texts import print_json, read_inputs, write_text
from sema.errors import InputError, UnknownNameError, UsageError
from sema.files.formats import write_items
from sema.metrics.base import Metric, Row
from sema.model.item import Item, unguarded
from sema.model.language import Parts

if TYPE_CHECKING:
    from sema.features.base import FeatureSet

Rows = list[dict[str, Any]]
PAIRS = [one for one in scored(required=False) if "--metrics" not in one.names]
GROUPS = argument("--groups", "NAMES", "feature groups, comma-separated (default: all that suit the language)")


class Features(Metric, name="features"):
    """The features of an item as its row, so that a scorer reads them."""

    range = (-inf, inf)
    known: FeatureSet

    def __init__(self, groups: Sequence[str] | None) -> None:
        self.groups = groups

    def bind(self, parts: Parts) -> Features:
        """The metric with the groups of a language."""
        from sema.features.base import FeatureSet

        bound = type(self)(self.groups)
        bound.known = FeatureSet(parts, self.groups)
        bound.requires = bound.known.requires
        return bound

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The values of every feature of each item."""
        return [tuple(row) for row in self.known.table(list(map(unguarded, items))).tolist()]

    def value(self, row: Row) -> float:
        """The sum of the first feature; nobody reads it."""
        return row[0]


@command(
    *PAIRS,
    GROUPS,
    flag("--list", "list the groups and features of the language"),
    written("--to", "FILE", "write a row for each item to FILE.jsonl, .csv, .tsv, .xlsx or .parquet", kind=Items),
    RAW_CELLS,
)
def features(arguments: argparse.Namespace) -> int:
    """Read features off each source and output: lengths, readability, words, structure, alignment, Scenes …
    Prints a table of every feature's mean, spread and meaning, or with --to writes the features of every item.

    examples:
      sema features --lang en --list
      sema features --lang en -s original.txt -o system.txt
      sema features --lang en -s original.txt -o a.txt -o b.txt --groups lexical,structure --to features.csv
      sema features --lang zh -s 原文.txt -o 简化.txt --groups lengths,alignment --to features.jsonl"""
    if arguments.list:
        rows = []
        for group in _feature_set(arguments)[1].groups:
            rows.append([group.name, group.description])
            rows += [[f"  {group.name}.{name}", what] for name, what in group.features.items()]
        print_columns(["group, feature", "what it is"], rows)
        return 0
    _require_texts(arguments, "ask for --list")
    task = read_inputs(arguments, [Features(_groups(arguments))])
    report = task.report()
    (bound,) = task.scorer.engine.metrics
    assert isinstance(bound, Features)
    known = bound.known
    found: Rows = []
    for system in report.systems:
        for item in system.items:
            values = [round(value, 6) for value in item.rows.get(bound.name, ())]
            row = {"features": dict(zip(known.names, values, strict=True))} if values else {"error": item.error}
            own = {} if report.ids is None else {"id": report.ids[item.index]}
            found.append({"system": system.name, "item": item.index, **own, **row})
    if arguments.to is None:
        _print_features(known, found)
    else:
        labels = [] if report.ids is None else ["id"]
        how: dict[str, Any] = {"labels": labels, "under": "features", "raw_cells": arguments.raw_cells}
        write_items(found, known.names, arguments.to, **how)
    return report_errors([failure.error for failure in report.summary.failed])


def _require_texts(arguments: argparse.Namespace, otherwise: str) -> None:
    if not arguments.source or not arguments.output:
        raise UsageError(f"name the texts with -s SOURCE and -o OUTPUT, or {otherwise}")


def _groups(arguments: argparse.Namespace) -> list[str] | None:
    """The feature groups that are named; ``None`` for all that suit the language."""
    groups = list(dict.fromkeys(names(arguments.groups)))
    if arguments.groups is not None and not groups:
        raise UsageError("no group is named; see `sema features --list` for the names")
    return groups or None


def _feature_set(arguments: argparse.Namespace) -> tuple[Parts, FeatureSet]:
    """The parts of the language, and the feature groups that are named."""
    from sema.features.base import FeatureSet

    parts = make_parts(arguments, settings_of(arguments))
    return parts, FeatureSet(parts, _groups(arguments))


def _print_features(features: FeatureSet, rows: Rows) -> None:
    """A line for each feature: the mean of each system, the least and greatest value, and what it is."""
    systems: dict[str, list[dict[str, float]]] = {}
    for row in rows:
        if "features" in row:
            systems.setdefault(row["system"], []).append(row["features"])
    from statistics import fmean  # imports fractions and decimals

    lines = []
    for name, what in features.descriptions.items() if systems else ():
        columns = [[values[name] for values in values_of] for values_of in systems.values()]
        spread = [*map(fmean, columns), min(map(min, columns)), max(map(max, columns))]
        lines.append([name, *(f"{value:.3f}" for value in spread), what])
    print_columns(["feature", *systems, "least", "most", "what it is"], lines)


@command(
    choice("action", ("train",), "learn a judge from RATINGS", nargs="?"),
    read("ratings", "RATINGS", "table of ratings: .csv, .tsv, .jsonl, .parquet", nargs="?"),
    *PAIRS,
    repeated("--judge", "FOLDER", "a judge of your own; repeatable", type=Given),
    flag("--json", "print one JSON object for each item"),
    *grouped(
        "training",
        argument("--aspect", "NAME", "what was rated: a column's name; or which aspect to judge"),
        written("--to", "FOLDER", "where the judge is written"),
        GROUPS,
        argument("--scale", ("LOW", "HIGH"), "least and greatest rating possible", nargs=2, type=float),
    ),
)
def judge(arguments: argparse.Namespace) -> int:
    """Say what a rater would: good, ok or bad in each aspect, how surely, and what drove it
    Without --json a summary of each system; `train` learns a judge from a table of ratings (columns source, output, and
    one named as the aspect; numbers, or good, ok, bad).

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
    _require_texts(arguments, "train a judge with `sema judge train RATINGS`")
    task = read_inputs(arguments, _judges(arguments))
    errors: list[str] = []
    verdicts: dict[tuple[str, str], Rows] = {}
    for system, item in task.items("judging", prints=arguments.json):
        errors += [failure.error for failure in item.failures(system)]
        evidence, scores = item.evidence(), item.scores.items()
        aspects = {name: {"score": round(score, 2), **evidence[name]} for name, score in scores if name in evidence}
        if arguments.json:
            row = {"aspects": aspects} if aspects else {"error": item.error}
            print_json({"system": system, "item": item.index, **row})
        for aspect, verdict in aspects.items():
            verdicts.setdefault((system, aspect), []).append(verdict)
    if not arguments.json:
        from statistics import fmean

        lines = []
        for key, found in verdicts.items():
            labels = [verdict["label"] for verdict in found]
            shares = [f"{100 * labels.count(label) / len(labels):.0f} %" for label in ("good", "ok", "bad")]
            lines.append([*key, f"{fmean(verdict['score'] for verdict in found):.1f}", *shares])
        print_columns(["system", "aspect", "score", "good", "ok", "bad"], lines)
    return report_errors(errors)


def _judges(arguments: argparse.Namespace) -> list[Metric]:
    """The shipped judges, and the user's own in the place of those of the same aspect."""
    from sema.judges.metrics import OwnJudge, shipped

    folders = [*shipped(arguments.lang).values(), *map(Path, arguments.judge)]
    judges = {judge.aspect: judge for judge in map(OwnJudge, folders)}
    if not judges:
        remedy = "train one with `sema judge train RATINGS`, and name it with --judge FOLDER"
        raise InputError(f"there is no judge for language {arguments.lang!r}; {remedy}")
    if arguments.aspect is not None and arguments.aspect not in judges:
        raise UnknownNameError("aspect", arguments.aspect, list(judges), of=f"of language {arguments.lang!r}")
    return [judge for aspect, judge in judges.items() if arguments.aspect in (None, aspect)]


def _train(arguments: argparse.Namespace) -> int:
    from sema.display.reports.training import training_report
    from sema.judges.examples import make_examples, read_ratings
    from sema.judges.storage import save_judge
    from sema.judges.training import train_judge

    for value, name in ((arguments.ratings, "RATINGS"), (arguments.aspect, "--aspect"), (arguments.to, "--to")):
        if value is None:
            raise UsageError(f"{name} is missing: sema judge train RATINGS --aspect NAME --to FOLDER")
    folder = Path(arguments.to)
    if folder.exists() and not (folder / "judge.json").is_file() and (folder.is_file() or any(folder.iterdir())):
        raise InputError("is a file, or a folder with other files; name a new folder for the judge", file=folder)
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
