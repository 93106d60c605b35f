"""Declarations of arguments, and the arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from sema.files.formats import check_path
from sema.files.replacing import check_file, check_writable
from sema.scoring.run_files import is_run_file


class Argument(NamedTuple):
    """What :meth:`argparse.ArgumentParser.add_argument` takes, and the title of the group that shows the argument."""

    names: list[str]
    options: dict[str, Any]
    group: str = ""


def argument(names: str, metavar: str | tuple[str, ...] | None, help: str, **options: Any) -> Argument:
    """An argument with a value; ``names`` are separated by spaces, ``options`` are those of argparse.

    The help ends with the default, unless there is none or it says something of the default itself.
    """
    if options.get("default") and "default" not in help:
        help = f"{help} (default: {options['default']})"
    return Argument(names.split(), {"metavar": metavar, "help": help, **options})


class Given(str):
    """The name of a file or folder that a command reads; no results go there."""

    def files(self) -> Iterator[Path]:
        """The files that may be meant: with ``:COLUMN`` at the end or not, and those inside a folder."""
        for path in map(Path, filter(None, (self, self.rpartition(":")[0]))):
            yield from (path, *(path.iterdir() if path.is_dir() else ()))


class SavedRun(Given):
    """The name of a run's folder; other files may be written into it."""

    def files(self) -> Iterator[Path]:
        """The run's own files."""
        return (path for path in super().files() if is_run_file(path.name))


class Target(str):
    """The name of a file or folder that a command writes; no other argument may name the same."""

    def check(self) -> None:
        """Raise an ``InputError``, before long work, if it cannot be written."""
        check_writable(self)


class File(Target):
    """The name of a file for some ``contents``, which go to files of these ``suffixes`` only."""

    contents: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]

    def check(self) -> None:
        """Raise an error too if it has another suffix, or its folder is not there."""
        check_file(self, self.contents, self.suffixes)


class Page(File):
    """The name of a file for a page."""

    contents, suffixes = "pages", (".html", ".htm")


class PageOrData(File):
    """The name of a file for a page, or for its data with ``--json``."""

    contents, suffixes = "pages (and --json)", (*Page.suffixes, ".json")


class Cells(File):
    """The name of a file for a table of separated cells."""

    contents, suffixes = "tables", (".csv", ".tsv")


class Weights(File):
    """The name of a file for the weights of a model."""

    contents, suffixes = "weights", (".json",)


class Items(Target):
    """The name of a file for per-item results, in the format of its suffix."""

    def check(self) -> None:
        """Raise an error too if no format has this suffix, or its package is missing."""
        check_path(self)


class Picture(Target):
    """The name of a file for a figure, in the format of its suffix."""

    def check(self) -> None:
        """Raise an error too if figures cannot be drawn, or not to such a file."""
        from sema.display.reports.figures import check_figure_path

        check_figure_path(self)


def written(names: str, metavar: str, help: str, kind: type[Target] = Target, **options: Any) -> Argument:
    """An argument that names a file or folder for results."""
    return argument(names, metavar, help, type=kind, **options)


def read(names: str, metavar: str, help: str, **options: Any) -> Argument:
    """An argument that names a file or folder to read."""
    return argument(names, metavar, help, **{"type": Given, **options})


def choice(names: str, choices: Sequence[str], help: str, **options: Any) -> Argument:
    """An argument whose value is one of ``choices``."""
    return argument(names, None, help, choices=choices, **options)


def repeated(names: str, metavar: str, help: str, **options: Any) -> Argument:
    """An option that may be repeated."""
    return argument(names, metavar, help, **{"action": "append", "default": [], **options})


def several(names: str, metavar: str, help: str, **options: Any) -> Argument:
    """An option that takes several files, and may be repeated."""
    return repeated(names, metavar, help, action="extend", nargs="+", type=Given, **options)


def flag(names: str, help: str) -> Argument:
    """An option without a value."""
    return Argument([names], {"action": "store_true", "help": help})


def grouped(title: str, *arguments: Argument) -> list[Argument]:
    """The arguments, shown in a group of their own."""
    return [argument._replace(group=title) for argument in arguments]


def number(kind: type[int] | type[float], least: float, most: float = inf) -> Callable[[str], Any]:
    """An argparse type: a number from ``least`` to ``most``."""

    def read(text: str) -> int | float:
        if not least <= (value := kind(text)) <= most:
            limits = f"{least:g} or more" if most == inf else f"a number from {least:g} to {most:g}"
            raise argparse.ArgumentTypeError(f"{text} is not {limits}")
        return value

    read.__name__ = "number"  # argparse: invalid number value
    return read


natural, positive, decimal = number(int, 0), number(int, 1), number(float, -1e9, 1e9)


def source(*, required: bool = True) -> Argument:
    """The file of the original texts."""
    return read("-s --source", "SOURCE", "the original texts", required=required)


FILE = read("file", "FILE", "texts, one a line (or a table); - for standard input")
RUN = read("run_folder", "RUN", "a saved run, in place of texts", nargs="?", type=SavedRun)
WORKERS = argument("--workers", "N", "processes that score in parallel", type=positive, default=1)
RAW_CELLS = flag(
    "--raw-cells", "leave texts in a .csv file that a spreadsheet would run as formulas (default: a ' before them)"
)
LEVEL = choice("--level", ("sentence", "passage"), "what an item is", default="sentence")
SCENES = read("--scenes", "DIR", "read the sources' scenes and words (UCCA XML, CoNLL-U) instead of parsing")
FORMAT = (
    choice("--format", ("text", "markdown", "latex", "json"), "how to print the result", default="text"),
    argument("--json", None, "same as --format json", action="store_const", const="json", dest="format"),
)
PER_ITEM = (
    written("--per-item", "FILE", "write a row for each item to FILE.jsonl, .csv, .tsv, .xlsx or .parquet", kind=Items),
    RAW_CELLS,
)
SIGNATURE = choice(
    "--signature",
    ("short", "long"),
    "below the table: one short line, or all that decides the numbers, as JSON and saved runs have it",
    default="short",
)


def language(*, required: bool = True, aligns: bool = True, passages: bool = False) -> list[Argument]:
    """Arguments that choose a language and its parts, of a command that ``aligns`` words and may score ``passages``."""
    line = " (--level passage: a passage)" if passages else ""
    aligner = "word aligner other than the language's default" if aligns else argparse.SUPPRESS
    return [
        argument("--lang", "CODE", "language of the texts (see `sema languages`)", required=required),
        argument("--source-lang", "CODE", "language of the sources, if another than the outputs' (extra `languages`)"),
        flag("--tokenized", f"tokens are separated by spaces and kept as given; a line is a sentence{line}"),
        *grouped(
            "parts of the language",
            argument("--extractor", "NAME", "scene extractor other than the language's default"),
            argument("--aligner", "NAME", aligner),
            repeated(
                "--set",
                "COMPONENT.OPTION=VALUE",
                "any option of a metric or of a language's part (see `sema metrics NAME`, `sema languages CODE`); "
                "OPTION=VALUE alone sets it wherever there is one: threads=2, tokenizer=penn, lowercase=yes, "
                "heads=root",
                dest="settings",
            ),
        ),
    ]


def sampling(what: str) -> list[Argument]:
    """Arguments for how many ``what`` are drawn, and from which seed."""
    return [
        argument("--samples", "N", what, type=positive, default=1000),
        argument("--seed", "N", f"of the {what}", type=natural, default=12345),
    ]


def scored(*, required: bool = True) -> list[Argument]:
    """Arguments that decide what is scored and how."""
    return [
        *language(required=required, passages=True),
        source(required=required),
        several("-o --output", "OUTPUT", "a system's outputs (repeat for more); FILE:A,B; a folder", required=required),
        several("-r --reference", "REFERENCE", "reference simplifications"),
        argument("--metrics", "NAMES", "comma-separated (default: meaning,sema,samsa; see `sema metrics`)"),
        LEVEL,
        flag(
            "--no-segment",
            "passage level: match all Scenes in one go, not source sentence by sentence (SAMSA needs it)",
        ),
        flag(
            "--parse-whole",
            "passage level: parse a source as one sentence too, as in the unsegmented rows of SEMA's Table 2",
        ),
        SCENES,
        several(
            "--links",
            "FILE",
            "word links to use instead of an aligner's, a file for each output: lines as `sema align` prints "
            "them, or Pharaoh's 0-0 1-2",
        ),
        WORKERS,
        argument("--runner", "NAME", "where to score: local, processes, ray (default: as --workers says)"),
        argument("--address", "ADDRESS", "of the runner's cluster, such as ray://host:10001"),
    ]
