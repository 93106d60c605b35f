"""``sema judge``: what a rater would say of each output, and judges trained on anybody's ratings."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from sema.cli.common import add_language_arguments, make_parts, progress_bar, settings_of
from sema.cli.items import Found, PairFiles, add_pair_arguments
from sema.cli.messages import report_errors
from sema.display.visible import to_json
from sema.errors import InputError, UnknownNameError, UsageError
from sema.files.replacing import replacing

if TYPE_CHECKING:
    from pathlib import Path

    from sema.judges.bench import Bench
    from sema.judges.model import Judge, Verdict
    from sema.model.language import Parts
    from sema.options import Settings

HELP = """Say what a rater would: good, ok or bad in each aspect, with probabilities and what drove them
Without --json a summary of each system and its items; `train` learns a judge from a table of ratings (columns source,
output, and one named as the aspect; numbers, or good, ok, bad).

examples:
  sema judge --lang en -s original.txt -o system.txt
  sema judge --lang en -s original.txt -o a.txt -o b.txt --json > verdicts.jsonl
  sema judge train ratings.csv --lang en --aspect simplicity --to my_judge
  sema judge --lang en -s original.txt -o system.txt --judge my_judge"""
SHOWN_ITEMS = 20
BATCH = 256


TRAINING = ("to", "groups", "scale")
"""Arguments that judging has no use for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema judge`` and ``sema judge train``."""
    parser.add_argument("action", nargs="?", choices=("train",), help="learn a judge from RATINGS")
    parser.add_argument("ratings", nargs="?", metavar="RATINGS", help="table of ratings: .csv, .tsv, .jsonl, .parquet")
    add_language_arguments(parser, passages=True)
    add_pair_arguments(parser, required=False)
    parser.add_argument(
        "--judge", action="append", default=[], metavar="FOLDER", help="a judge of your own; repeatable"
    )
    parser.add_argument(
        "--drivers", type=int, default=3, metavar="N", help="features shown for each aspect (default: 3)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each item")
    training = parser.add_argument_group("training")
    training.add_argument("--aspect", metavar="NAME", help="what was rated: a column's name; or which aspect to judge")
    training.add_argument("--to", metavar="FOLDER", help="where the judge is written")
    training.add_argument("--groups", metavar="NAMES", help="feature groups (default: all that suit the language)")
    training.add_argument(
        "--scale", nargs=2, type=float, metavar=("LOW", "HIGH"), help="least and greatest rating possible"
    )


def run(arguments: argparse.Namespace) -> int:
    """Judge, or train a judge."""
    settings = settings_of(arguments)
    parts = make_parts(arguments, settings)
    if arguments.action == "train":
        return _train(arguments, parts, settings)
    if arguments.ratings is not None:
        raise UsageError(f"{arguments.ratings!r} is not expected here; write `sema judge train RATINGS`")
    for name in TRAINING:
        if getattr(arguments, name) is not None:
            raise UsageError(f"--{name} is for training; write `sema judge train RATINGS`, or leave it out")
    if not arguments.source or not arguments.output:
        raise UsageError(
            "name the texts with -s SOURCE and -o OUTPUT, or train a judge with `sema judge train RATINGS`"
        )
    return _judge(arguments, parts)


def _judge(arguments: argparse.Namespace, parts: Parts) -> int:
    from sema.judges.bench import Bench

    bench = Bench(_judges(arguments), parts)
    reader = PairFiles(arguments)
    errors: list[str] = []
    found = []
    with progress_bar("judging", prints=arguments.json) as progress:
        for row in _rows(bench, reader.items(parts, bench.requires, progress), arguments.drivers, errors):
            if arguments.json:
                print(to_json(row))
            else:
                found.append(row)
    if not arguments.json:
        _print(found, list(bench.judges), reader.systems)
    report_errors(errors)
    return 1 if errors else 0


def _judges(arguments: argparse.Namespace) -> list[Judge]:
    """The shipped judges, and the user's own in the place of those of the same aspect."""
    from pathlib import Path

    from sema.judges.bench import shipped, shipped_judge
    from sema.judges.storage import load_judge

    found = {aspect: shipped_judge(arguments.lang, aspect) for aspect in shipped(arguments.lang)}
    for folder in arguments.judge:
        own = load_judge(Path(folder))
        found[own.aspect] = own
    if not found:
        raise InputError(
            f"there is no judge for language {arguments.lang!r}; train one with `sema judge train RATINGS`, "
            "and name it with --judge FOLDER"
        )
    if arguments.aspect is not None and arguments.aspect not in found:
        raise UnknownNameError(f"aspect of language {arguments.lang!r}:", arguments.aspect, list(found))
    return [judge for aspect, judge in found.items() if arguments.aspect in (None, aspect)]


def _rows(bench: Bench, found: Iterator[Found], drivers: int, errors: list[str]) -> Iterator[dict[str, Any]]:
    while batch := list(islice(found, BATCH)):
        items = [entry.item for entry in batch if entry.item is not None]
        verdicts = iter(bench.verdicts(items) if items else [])
        for entry in batch:
            row: dict[str, Any] = {"system": entry.system, "item": entry.index}
            if entry.item is None:
                errors.append(entry.error or "")
                row["error"] = entry.error
            else:
                row["aspects"] = {aspect: _plain(verdict, drivers) for aspect, verdict in next(verdicts).items()}
            yield row


def _plain(verdict: Verdict, drivers: int) -> dict[str, Any]:
    return {
        "label": verdict.label,
        "score": round(verdict.score, 2),
        "probabilities": {label: round(share, 4) for label, share in verdict.probabilities.items()},
        "drivers": [[name, round(points, 2)] for name, points in verdict.drivers(drivers)],
    }


def _print(rows: Sequence[dict[str, Any]], aspects: Sequence[str], systems: Sequence[str]) -> None:
    """For each system and aspect the mean score and the shares of the classes; then the first items."""
    from sema.display.terminal import print_columns, print_lines

    judged = [row for row in rows if "aspects" in row]
    lines = []
    for system in dict.fromkeys(systems):
        for aspect in aspects:
            entries = [row["aspects"][aspect] for row in judged if row["system"] == system]
            if entries:
                labels = [entry["label"] for entry in entries]
                shares = [f"{100 * labels.count(label) / len(labels):.0f} %" for label in ("good", "ok", "bad")]
                score = sum(entry["score"] for entry in entries) / len(entries)
                lines.append([system, aspect, f"{score:.1f}", *shares])
    print_columns(["system", "aspect", "score", "good", "ok", "bad"], lines)
    details = []
    for row in judged[:SHOWN_ITEMS]:
        for aspect, entry in row["aspects"].items():
            why = ", ".join(f"{name} {points:+.1f}" for name, points in entry["drivers"])
            sure = f"{100 * entry['probabilities'][entry['label']]:.0f} %"
            details.append(
                [str(row["item"]), row["system"], aspect, entry["label"], sure, f"{entry['score']:.1f}", why]
            )
    print_lines([""])
    print_columns(["item", "system", "aspect", "says", "sure", "score", "what drove it (points)"], details)
    if len(judged) > SHOWN_ITEMS:
        print_lines([f"… and {len(judged) - SHOWN_ITEMS} more; --json prints all"])


def _train(arguments: argparse.Namespace, parts: Parts, settings: Settings) -> int:
    from pathlib import Path

    from sema.features.registry import FeatureSet
    from sema.judges.examples import make_examples, read_ratings
    from sema.judges.storage import save_judge
    from sema.judges.training import train_judge, training_report

    for value, flag in ((arguments.ratings, "RATINGS"), (arguments.aspect, "--aspect"), (arguments.to, "--to")):
        if value is None:
            raise UsageError(f"{flag} is missing: sema judge train RATINGS --aspect NAME --to FOLDER")
    folder = Path(arguments.to)
    _check_folder(folder)
    scale = tuple(arguments.scale) if arguments.scale else None
    pairs = read_ratings(arguments.ratings, arguments.aspect, scale)
    groups = None if arguments.groups is None else [name.strip() for name in arguments.groups.split(",")]
    features = FeatureSet(parts, groups, settings)
    with progress_bar("reading features") as progress:
        examples = make_examples(pairs, features, parts, progress)
    about = {"ratings": Path(arguments.ratings).name, "pairs": len(examples), "features": features.signature}
    names = [group.name for group in features.groups]
    with progress_bar("comparing estimators") as progress:
        trained = train_judge(examples, arguments.aspect, arguments.lang, names, about=about, progress=progress)
    save_judge(trained.judge, folder)
    report = training_report(trained)
    with replacing(folder / "report.md") as file:
        file.write(report.encode())
    print(report, end="")
    return 0


def _check_folder(folder: Path) -> None:
    """Refuse a folder that holds something else than a judge."""
    if folder.is_file():
        raise InputError("is a file; name a folder for the judge", file=str(folder))
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "judge.json").is_file():
        raise InputError("is a folder with other files; name a new one for the judge", file=str(folder))
