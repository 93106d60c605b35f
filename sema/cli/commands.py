"""Commands and their arguments, declared; arguments that several commands share, and what their values choose."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from sema.cli.messages import warn
from sema.errors import UsageError

if TYPE_CHECKING:
    from sema.analysis.analyser import Analyser
    from sema.model.language import Parts
    from sema.options import Settings

SHORTHANDS = ("model", "layer", "heads", "precision", "threads", "tokenizer", "lowercase", "hsk", "bertscore_model")
"""Deprecated flags replaced by ``--set``; they warn for one release."""


class Argument(NamedTuple):
    """What :meth:`argparse.ArgumentParser.add_argument` takes, and the title of the group that shows the argument."""

    names: tuple[str, ...]
    options: dict[str, Any]
    group: str = ""


def argument(*names: str, **options: Any) -> Argument:
    """An argument of a command; ``options`` are those of argparse."""
    return Argument(names, options)


def grouped(title: str, *arguments: Argument) -> list[Argument]:
    """The arguments, shown in a group of their own."""
    return [argument._replace(group=title) for argument in arguments]


def flag(name: str, help: str) -> Argument:
    """An argument without a value."""
    return argument(name, action="store_true", help=help)


@dataclass
class Command:
    """A command: the function that runs it returns its exit status, and has its name and its help."""

    run: Callable[[argparse.Namespace], int]
    arguments: Sequence[Argument]

    def __post_init__(self) -> None:
        self.name = self.run.__name__
        self.help = inspect.getdoc(self.run) or ""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments to the command's parser."""
        groups: dict[str, argparse._ActionsContainer] = {"": parser}
        for names, options, group in self.arguments:
            if group not in groups:
                groups[group] = parser.add_argument_group(group)
            groups[group].add_argument(*names, **options)


def command(*arguments: Argument) -> Callable[[Callable[[argparse.Namespace], int]], Command]:
    """Make a function a command; its docstring is the help, of which the first line is shown in lists of commands."""
    return lambda run: Command(run, arguments)


def natural(text: str, least: int = 0) -> int:
    """An argparse type: a whole number of ``least`` or more."""
    if int(text) < least:
        raise argparse.ArgumentTypeError(f"{text} is not {least} or more")
    return int(text)


def positive(text: str) -> int:
    """An argparse type: a whole number of 1 or more."""
    return natural(text, 1)


def several(*names: str, **options: Any) -> Argument:
    """An option that takes several files, and may be repeated."""
    return argument(*names, action="extend", nargs="+", default=[], **options)


def repeated(name: str, **options: Any) -> Argument:
    """An option that may be repeated."""
    return argument(name, action="append", default=[], **options)


def source(*, required: bool = True, help: str = "the original texts") -> Argument:
    """The file of the original texts."""
    return argument("-s", "--source", required=required, metavar="SOURCE", help=help)


def settings(metavar: str, help: str) -> Argument:
    """The option ``--set``."""
    return repeated("--set", dest="settings", metavar=metavar, help=help)


FILE = argument("file", metavar="FILE", help="texts, one a line (or a table); - for standard input")
WORKERS = argument("--workers", type=positive, default=1, metavar="N", help="processes that score in parallel")
RAW_CELLS = flag(
    "--raw-cells", "leave texts in a .csv file that a spreadsheet would run as formulas (default: a ' before them)"
)
FORMAT = (
    argument("--format", choices=("text", "markdown", "latex", "json"), default="text", help="how to print the result"),
    argument("--json", action="store_const", const="json", dest="format", help="same as --format json"),
)
PER_ITEM = (
    argument(
        "--per-item", metavar="FILE", help="write a row for each item to FILE.jsonl, .csv, .tsv, .xlsx or .parquet"
    ),
    RAW_CELLS,
)
SIGNATURE = argument(
    "--signature",
    choices=("short", "long"),
    default="short",
    help="below the table: one short line, or all that decides the numbers, as JSON and saved runs have it",
)


def language(*, required: bool = True, aligns: bool = True, passages: bool = False) -> list[Argument]:
    """Arguments that choose a language and its parts.

    Args:
        required: whether the language must be named.
        aligns: whether the command aligns words.
        passages: whether it has ``--level``.
    """
    line = " (--level passage: a passage)" if passages else ""
    aligner = "word aligner other than the language's default" if aligns else argparse.SUPPRESS
    hidden = {name: {"action": "store_true"} if name == "lowercase" else {} for name in SHORTHANDS}
    return [
        argument("--lang", required=required, metavar="CODE", help="language of the texts (see `sema languages`)"),
        flag("--tokenized", f"tokens are separated by spaces and kept as given; a line is a sentence{line}"),
        *grouped(
            "parts of the language",
            argument("--extractor", metavar="NAME", help="scene extractor other than the language's default"),
            argument("--aligner", metavar="NAME", help=aligner),
            settings(
                "COMPONENT.OPTION=VALUE",
                "any option of a metric or of a language's part (see `sema metrics NAME`, `sema languages CODE`); "
                "OPTION=VALUE alone sets it wherever there is one: threads=2, tokenizer=penn, lowercase=yes, "
                "heads=root",
            ),
        ),
        *(argument(f"--{name.replace('_', '-')}", help=argparse.SUPPRESS, **hidden[name]) for name in SHORTHANDS),
    ]


def sampling(what: str) -> list[Argument]:
    """How often and from which seed ``what`` are drawn."""
    return [
        argument("--samples", type=positive, default=1000, metavar="N", help=f"{what} (default: 1000)"),
        argument("--seed", type=natural, default=12345, metavar="N", help=f"of the {what} (default: 12345)"),
    ]


def scored(*, required: bool = True) -> list[Argument]:
    """Arguments that decide what is scored and how."""
    return [
        *language(required=required, passages=True),
        source(required=False, help="the original texts (submissions to TSAR may have them themselves)"),
        several("-o", "--output", required=required, metavar="OUTPUT", help="a system's outputs; repeat for more"),
        several("-r", "--reference", metavar="REFERENCE", help="reference simplifications"),
        argument(
            "--select-references",
            nargs=3,
            metavar=("SPLITTING", "REWORDING", "GENERAL"),
            help="instead of -r: score each output against the references that fit what it did, out of those that only "
            "split, only reword, and do anything; each a list of files with commas, a pattern, or hsplit, turk, asset",
        ),
        argument(
            "--metrics", metavar="NAMES", help="comma-separated (default: meaning,sema,samsa; see `sema metrics`)"
        ),
        argument(
            "--level",
            choices=("sentence", "passage"),
            help="what an item is (default: sentence; of submissions to TSAR: passage)",
        ),
        flag(
            "--no-segment",
            "passage level: match all Scenes in one go, not source sentence by sentence (SAMSA needs it)",
        ),
        flag(
            "--parse-whole",
            "passage level: parse a source as one sentence too, as in the unsegmented rows of SEMA's Table 2",
        ),
        argument(
            "--scenes",
            metavar="DIR",
            help="read the sources' scenes (UCCA XML, UCCAApp JSON, CoNLL-U) instead of parsing",
        ),
        several(
            "--links",
            metavar="FILE",
            help="word links to use instead of an aligner's, a file for each output: lines as `sema align` prints "
            "them, or Pharaoh's 0-0 1-2",
        ),
        WORKERS,
        argument("--runner", metavar="NAME", help="where to score: local, processes, ray (default: as --workers says)"),
        argument("--address", metavar="ADDRESS", help="of the runner's cluster, such as ray://host:10001"),
    ]


def names(text: str | None) -> list[str]:
    """The names in a list with commas; none for no text."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def setting_values(given: Sequence[str]) -> dict[str, object]:
    """The values of ``--set``, by the options' names."""
    values: dict[str, object] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"--set {text!r} has no value; write component.option=value")
        values[name.strip()] = value.strip()
    return values


def settings_of(arguments: argparse.Namespace, metrics: Sequence[str] = ()) -> Settings:
    """The settings of the arguments: ``--set`` must reach a component, ``--tokenized`` sets tokenizers."""
    from sema.options import Settings

    defaults: dict[str, object] = {"tokenizer": "none"} if arguments.tokenized else {}
    for name in SHORTHANDS:
        value = getattr(arguments, name)
        if value in (None, False):
            continue
        options = [name]
        if name == "bertscore_model":
            options = [f"{metric}.model" for metric in metrics if metric.startswith("bertscore")]
        for option in options:
            shown = "yes" if value is True else quote(str(value))
            warn(f"--{name.replace('_', '-')} goes with the next release; write --set {option}={shown}")
            defaults[option] = value
    return Settings(setting_values(arguments.settings), defaults)


def make_parts(arguments: argparse.Namespace, settings: Settings) -> Parts:
    """The parts of the language that the arguments name; every setting must reach one."""
    from sema.languages import find_language

    language = find_language(arguments.lang)
    settings.check(language.components())
    return language.parts(extractor=arguments.extractor, aligner=arguments.aligner, settings=settings)


def make_analyser(arguments: argparse.Namespace) -> Analyser:
    """The analyser of the language that the arguments name."""
    from sema.analysis.analyser import Analyser

    return Analyser(make_parts(arguments, settings_of(arguments)))
