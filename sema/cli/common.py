"""Shared by commands: options of a language's parts, reading items, the progress bar, errors of items."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from shlex import quote
from time import monotonic
from typing import TYPE_CHECKING, Any

from sema.cli.messages import loudness, note, trace, warn
from sema.errors import InputError, SemaError, UsageError
from sema.files.blocks import BLOCK, BlockSequence

if TYPE_CHECKING:
    from sema.analysis.analyser import Analyser
    from sema.analysis.texts import ProgressCallback, Readable
    from sema.files.texts import Column
    from sema.model.item import Need
    from sema.model.language import Parts, WholeWords
    from sema.model.text import Segmenter, Text
    from sema.options import Settings

STRETCH = 64
"""Texts that commands without a scorer take at a time."""
PROGRESS_SECONDS = 15


SHORTHANDS = ("model", "layer", "heads", "precision", "threads", "tokenizer", "lowercase", "hsk", "bertscore_model")
"""Deprecated flags replaced by ``--set``; they warn for one release."""


def positive(text: str) -> int:
    """An argparse type: a whole number of 1 or more."""
    return _at_least(1, text)


def natural(text: str) -> int:
    """An argparse type: a whole number of 0 or more."""
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    number = int(text)
    if number < least:
        raise argparse.ArgumentTypeError(f"{text} is not {least} or more")
    return number


def names(text: str | None) -> list[str]:
    """The names in a list with commas; none for no text."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def add_language_arguments(
    parser: argparse.ArgumentParser, *, required: bool = True, aligns: bool = True, passages: bool = False
) -> None:
    """Options that choose a language and its parts.

    Args:
        parser: of a command.
        required: whether the language must be named.
        aligns: whether the command aligns words.
        passages: whether it has ``--level``.
    """
    parser.add_argument(
        "--lang", required=required, metavar="CODE", help="language of the texts (see `sema languages`)"
    )
    parser.add_argument(
        "--tokenized",
        action="store_true",
        help="tokens are separated by spaces and kept as given; a line is a sentence"
        + (" (--level passage: a passage)" if passages else ""),
    )
    parts = parser.add_argument_group("parts of the language")
    parts.add_argument("--extractor", metavar="NAME", help="scene extractor other than the language's default")
    aligner = "word aligner other than the language's default" if aligns else argparse.SUPPRESS
    parts.add_argument("--aligner", metavar="NAME", help=aligner)
    parts.add_argument(
        "--set",
        dest="settings",
        action="append",
        default=[],
        metavar="COMPONENT.OPTION=VALUE",
        help="any option of a metric or of a language's part (see `sema metrics NAME`, `sema languages CODE`); "
        "OPTION=VALUE alone sets it wherever there is one: threads=2, tokenizer=penn, lowercase=yes, heads=root",
    )
    for name in SHORTHANDS:
        flag = f"--{name.replace('_', '-')}"
        if name == "lowercase":
            parser.add_argument(flag, action="store_true", help=argparse.SUPPRESS)
        else:
            parser.add_argument(flag, help=argparse.SUPPRESS)


MANY_FILES: dict[str, Any] = {"action": "append", "nargs": "+", "default": []}
"""Arguments of an option that takes several files, and may be repeated."""


def add_format_arguments(parser: argparse.ArgumentParser) -> None:
    """How tables are printed."""
    parser.add_argument(
        "--format", choices=("text", "markdown", "latex", "json"), default="text", help="how to print the result"
    )
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="same as --format json")


def add_sampling_arguments(parser: argparse.ArgumentParser, what: str) -> None:
    """How often and from which seed ``what`` are drawn."""
    parser.add_argument("--samples", type=positive, default=1000, metavar="N", help=f"{what} (default: 1000)")
    parser.add_argument("--seed", type=natural, default=12345, metavar="N", help=f"of the {what} (default: 12345)")


def add_raw_cells(parser: argparse.ArgumentParser) -> None:
    """The argument that leaves cells as they are."""
    parser.add_argument(
        "--raw-cells",
        action="store_true",
        help="leave texts in a .csv file that a spreadsheet would run as formulas (default: a ' before them)",
    )


def add_signature_argument(parser: argparse.ArgumentParser) -> None:
    """How much of the signature is printed below a table."""
    parser.add_argument(
        "--signature",
        choices=("short", "long"),
        default="short",
        help="below the table: one short line, or all that decides the numbers, as JSON and saved runs have it",
    )


def shown_signature(arguments: argparse.Namespace, signature: str) -> str:
    """The signature as it was asked for."""
    from sema.scoring.results import short_signature

    return signature if arguments.signature == "long" else short_signature(signature)


def setting_values(settings: Sequence[str]) -> dict[str, object]:
    """The values of ``--set``, by the options' names."""
    values: dict[str, object] = {}
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"--set {text!r} has no value; write component.option=value")
        values[name.strip()] = value.strip()
    return values


def settings_of(arguments: argparse.Namespace, metrics: Sequence[str] = ()) -> Settings:
    """The settings of the arguments: ``--set`` must reach a component, ``--tokenized`` sets tokenizers."""
    from sema.options import Settings

    values = setting_values(arguments.settings)
    defaults: dict[str, object] = {"tokenizer": "none"} if arguments.tokenized else {}
    for name in SHORTHANDS:
        value = getattr(arguments, name)
        if value in (None, False):
            continue
        set_now = [name]
        if name == "bertscore_model":
            set_now = [f"{metric}.model" for metric in metrics if metric.startswith("bertscore")]
        for option in set_now:
            shown = "yes" if value is True else quote(str(value))
            warn(f"--{name.replace('_', '-')} goes with the next release; write --set {option}={shown}")
            defaults[option] = value
    return Settings(values, defaults)


def make_analyser(arguments: argparse.Namespace, needs: Sequence[Need] = ()) -> Analyser:
    """The analyser of the language that the arguments name."""
    from sema.analysis.analyser import Analyser

    return Analyser(make_parts(arguments, settings_of(arguments)), needs)


def make_parts(arguments: argparse.Namespace, settings: Settings) -> Parts:
    """The parts of the language that the arguments name; every setting must reach one."""
    from sema.languages import find_language

    language = find_language(arguments.lang)
    settings.check(language.components())
    return language.parts(extractor=arguments.extractor, aligner=arguments.aligner, settings=settings)


def readable(column: Column, role: str, tokenized: bool) -> Sequence[Readable]:
    """A column's texts for a scorer; an unusable text becomes an error with file and line."""
    from sema.analysis.texts import placed_text
    from sema.files.blocks import Mapped
    from sema.model.text import Text

    def read(value: object, line: int) -> Readable:
        checked = placed_text(value, role, column.path, line)
        if tokenized and not isinstance(checked, InputError):
            lines = [value] if isinstance(value, str) else list(value) if isinstance(value, list) else []
            return Text.from_sentences([sentence.split() for sentence in lines])
        return checked

    return Mapped(read, column.values, column.lines)


class TokenizedPassages(BlockSequence["Readable"]):
    """A column's tokenized passages: a line has the sentences that the segmenter sees, a list those of its strings."""

    def __init__(self, column: Column, role: str, segmenter: Segmenter) -> None:
        super().__init__(len(column.values))
        self._values, self._segmenter = column.values, segmenter
        self._texts = readable(column, role, tokenized=True)

    def _block(self, number: int) -> list[Readable]:
        from sema.analysis.placing import divide_tokens
        from sema.model.text import Text

        part = slice(number * BLOCK, (number + 1) * BLOCK)
        texts = self._texts[part]
        lines = {
            place: text
            for place, (text, value) in enumerate(zip(texts, self._values[part], strict=True))
            if isinstance(text, Text) and isinstance(value, str)
        }
        divided = dict(zip(lines, divide_tokens(self._segmenter, list(lines.values())), strict=True))
        return [divided.get(place, text) for place, text in enumerate(texts)]


def read_sources(path: str, tokenized: bool) -> tuple[Column, Sequence[Readable]]:
    """A file's texts; an unusable text is replaced by an error."""
    from sema.files.texts import read_column

    column = read_column(path, "source")
    return column, readable(column, "source", tokenized)


def stretches(
    texts: Sequence[Readable], analyser: Analyser, progress: ProgressCallback
) -> Iterator[list[tuple[int, Text | SemaError]]]:
    """Numbered and segmented texts, in batches small enough to give first results soon."""
    from sema.analysis.texts import around_errors
    from sema.scoring.letters import LetterCheck

    letters = LetterCheck(analyser.parts.language)
    for start in range(0, len(texts), STRETCH):
        part = texts[start : start + STRETCH]
        letters.check(start, {"text": part})
        yield list(enumerate(around_errors(part, analyser.segment), start))
        progress(start + len(part), len(texts))


def whole_words_of(code: str) -> WholeWords | None:
    """How a language puts tokens together to words; ``None`` if it does not, or is not installed here."""
    from sema.languages import find_language

    try:
        return find_language(code).whole_words
    except SemaError:
        return None


def place_error(error: SemaError, column: Column, index: int) -> str:
    """The error's text, with the file and line of the item it belongs to unless it names a place itself."""
    trace(error.__cause__)
    if isinstance(error, InputError) and error.file is not None:
        return str(error)
    message = error.message if isinstance(error, InputError) else str(error)
    return str(InputError(message, file=column.path, line=column.lines[index]))


@contextmanager
def progress_bar(title: str, *, stopped: str = "nothing is kept", prints: bool = False) -> Iterator[ProgressCallback]:
    """A progress bar on standard error for as long as the block runs; a line now and then where that is no terminal.

    Args:
        title: what is being done.
        stopped: what Ctrl-C prints after the number of completed items: what is kept, and how to continue.
        prints: whether the block prints results, which show the progress on a terminal.

    Raises:
        KeyboardInterrupt: with that message.
    """
    counts = (0, 0)
    with _shown(title, prints) as show:

        def tell(done: int, total: int) -> None:
            nonlocal counts
            counts = (done, total)
            show(done, total)

        try:
            yield tell
        except KeyboardInterrupt:
            done, total = counts
            amount = f"{done} of {total} items are done; {stopped}" if done else f"nothing is done yet; {stopped}"
            raise KeyboardInterrupt(amount) from None


@contextmanager
def _shown(title: str, prints: bool) -> Iterator[ProgressCallback]:
    if loudness.quiet or (prints and sys.stdout.isatty()):
        yield lambda done, total: None
    elif not sys.stderr.isatty():
        yield _progress_lines(title)
    else:
        from rich.console import Console
        from rich.progress import Progress

        console = Console(stderr=True)  # heeds NO_COLOR and COLUMNS
        with Progress(console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as progress:
            task = progress.add_task(title, total=None)
            yield lambda done, total: progress.update(task, completed=done, total=total)


def _progress_lines(title: str) -> ProgressCallback:
    """For logs: how much is done and the time left, in a line at most every ``PROGRESS_SECONDS``."""
    start = shown = monotonic()

    def show(done: int, total: int) -> None:
        nonlocal shown
        if monotonic() - shown >= PROGRESS_SECONDS and done < total:
            shown = monotonic()
            left = _in_words((shown - start) / max(done, 1) * (total - done))
            note(f"{title}: {done} of {total}, about {left} left")

    return show


def _in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
