"""The command line: ``sema COMMAND …``. Names, shapes and exit statuses are fixed (see the README's table)."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sema import __version__
from sema.cli import signals
from sema.cli.arguments import Given, Target
from sema.cli.commands import PLUGINS, Command
from sema.cli.compare import compare, report
from sema.cli.explain import explain
from sema.cli.installed import completion, doctor, languages, metrics, models
from sema.cli.judge import features, judge
from sema.cli.levels import levels
from sema.cli.messages import (
    close_stream,
    files_first,
    library_warnings,
    loudness,
    open_streams,
    report_errors,
    results_alone,
    trace,
    warn,
)
from sema.cli.metaeval import metaeval
from sema.cli.scenes import align, parse, scenes
from sema.cli.score import score
from sema.cli.serve import serve
from sema.errors import (
    InputError,
    Keyword,
    ResourceError,
    SemaError,
    UnknownNameError,
    UsageError,
    described,
    missing_package,
)
from sema.files.replacing import refuse_inputs
from sema.model.language import TO
from sema.model.text import visible
from sema.plugins import Broken, raiser

COMMANDS = {
    command.name: command
    for command in (
        *(score, compare, explain, report, serve),
        *(metaeval, features, judge, scenes, align, parse, levels),
        *(languages, metrics, models, doctor, completion),
    )
}
"""The commands of this package, as help lists them; those of plug-ins are in :data:`sema.cli.commands.PLUGINS`."""

YOUNG_OBJECTS = 50_000
"""After so many new objects Python looks for garbage. After 700, its default, it takes a tenth of a short command."""


class _Parser(argparse.ArgumentParser):
    """Wrong usage gives one line on standard error and exit status 2, with an example if arguments are missing."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse unknown arguments of a command here, so that the message names the command's help."""
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return parsed, unknown

    def error(self, message: str) -> None:  # type: ignore[override]
        example = next((line.strip() for line in (self.epilog or "").splitlines() if f"{self.prog} " in line), "")
        if "required" in message and example:
            message = f"{message}; for example: {example.removeprefix('example: ')}"
        self.exit(2, f"{self.prog}: {visible(message)}; see `{self.prog} --help`\n")


def every_command() -> dict[str, Command]:
    """All commands by name; plug-ins are imported, and a broken one costs a warning."""
    found = dict(COMMANDS)
    for plugin in PLUGINS.all():
        if isinstance(plugin, Broken):
            warn(str(plugin))
        else:
            found.setdefault(plugin.name, plugin.made)
    return found


def _needed(argv: Sequence[str]) -> Mapping[str, Command | str]:
    """What a command line needs: the command that it names, or else every name with its summary.

    Of plug-ins only the named one is imported.

    Raises:
        ResourceError: the plug-in that is named is broken.
        UnknownNameError: there is no such command.
    """
    named = next((word for word in argv if not word.startswith("-")), "")
    if command := COMMANDS.get(named) or PLUGINS.get(named):
        return {named: command}
    own = {name: command.help.partition("\n")[0] for name, command in COMMANDS.items()}
    every = {**own, **PLUGINS.summaries(), **own}
    if named:
        raise UnknownNameError("command", named, list(every), remedy="see `sema --help`")
    return every


def build_parser(argv: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser of a command line, by default of every command; commands load their heavy parts only when they run."""
    parser = _Parser(
        prog="sema",
        description="Does the simpler text still say what the original said, and is its structure really simpler?",
        epilog="example: sema score --lang en -s original.txt -o system.txt",
    )
    parser.add_argument("--version", action="version", version=f"sema {__version__}")
    _add_loudness(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in (every_command() if argv is None else _needed(argv)).items():
        if isinstance(command, str):
            commands.add_parser(name, help=command)
            continue
        summary, _, rest = command.help.partition("\n")
        added = commands.add_parser(name, help=summary, description=summary, epilog=rest.strip())
        command.add_arguments(added)
        _add_loudness(added)
        added.set_defaults(run=command.run, spell=command.spell, whole_parser=build_parser)
    return parser


def _add_loudness(parser: argparse.ArgumentParser) -> None:
    # without a default: given before the command, they count as well
    unset: dict[str, Any] = {"action": "store_true", "default": argparse.SUPPRESS}
    parser.add_argument("--quiet", **unset, help="leave out warnings, notes and progress; errors stay")
    parser.add_argument("--debug", **unset, help="show the tracebacks of errors")


def _check_files(given: Mapping[str, Any]) -> bool:
    """Check that files can be read and written together; whether any are written.

    Standard input is read once, and results go to no file or folder that is read.
    """
    targets = [value for value in given.values() if isinstance(value, Target)]
    values = [one for value in given.values() for one in (value if isinstance(value, list) else [value])]
    inputs = [value for value in values if isinstance(value, Given)]
    if inputs.count(Given("-")) > 1:
        raise UsageError("standard input can be read only once; name a file for the other", file="-")
    if targets:
        refuse_inputs(targets, [file for value in inputs for file in value.files()])
    for target in targets:
        target.check()
    return bool(targets)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 0 success, 1 bad input, 2 wrong usage, 130 stopped."""
    open_streams()
    if argv is None:
        sys.unraisablehook = _end_interrupted
        gc.set_threshold(YOUNG_OBJECTS)
    try:
        return _run(argv)
    except (MemoryError, SystemError):  # SystemError: memory ran out while raising MemoryError
        if argv is not None:
            return report_errors([signals.MEMORY_IS_FULL.decode().removeprefix("sema: ").rstrip()])
        signals.end_full()
        raise
    finally:
        loudness.quiet = loudness.debug = False
        if argv is None:
            gc.freeze()  # the garbage collection at exit takes a seventh of a short command
            signals.end_on_signals()


def _end_interrupted(ignored: sys.UnraisableHookArgs) -> None:
    """End the process if a signal's ``KeyboardInterrupt`` is lost in a callback that may not raise."""
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        signals.end()
    sys.__unraisablehook__(ignored)


def _run(argv: Sequence[str] | None) -> int:
    status = 0
    spell: Callable[[Keyword], str] = str
    try:
        if argv is None:
            signals.raise_on_signals()
        argv = sys.argv[1:] if argv is None else argv
        with results_alone(sys.stdout):
            parser = build_parser(argv)
        arguments = parser.parse_args(argv)
        loudness.quiet, loudness.debug = "quiet" in arguments, "debug" in arguments
        given, spell = vars(arguments), arguments.spell
        source, lang = given.get("source_lang"), given.get("lang")
        if source and lang and source != lang:  # a pair of languages
            arguments.lang = f"{source}{TO}{lang}"
        with library_warnings(), results_alone(sys.stdout), files_first(_check_files(given)):
            status = _status(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader of our output has stopped, as `| head` does
        close_stream(sys.stdout)
        return status
    except (MemoryError, SystemError):
        raise
    except (Exception, KeyboardInterrupt) as raised:
        trace(raised)
        # what a signal raises may surface as another error, as in Python 3.11 inside `__set_name__`
        error = KeyboardInterrupt() if signals.heard and not isinstance(raised, KeyboardInterrupt) else raised
        if isinstance(error, OSError) and error.filename is None:  # of our output: errors of files name the file
            close_stream(sys.stdout)
        message, status = _end(error, spell)
        report_errors([message])
        if isinstance(error, KeyboardInterrupt):
            signals.stopped()
        return status


def _status(arguments: argparse.Namespace) -> int:
    """Run the command; an exit that a plug-in raises is an error."""
    try:
        return int(arguments.run(arguments))
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # what rich makes of it
            raise error.__context__ from None
        raise ResourceError(f"{described(error)}, raised by {raiser(error)}; repair or uninstall it") from error


def _end(error: BaseException, spell: Callable[[Keyword], str]) -> tuple[str, int]:
    """The message and exit status for an error that ends the command; ``spell`` writes keywords as its flags."""
    message = " ".join(str(error).split())
    match error:
        case InputError():
            return error.spelled(spell), 2 if isinstance(error, UsageError) else 1
        case SemaError():
            return str(error), 1
        case KeyboardInterrupt():
            return f"stopped{f': {message}' if message else ''}", signals.STOPPED
        case ModuleNotFoundError():  # an extra that is not installed
            return str(missing_package(error.name)), 1
        case ImportError():
            return f"a package cannot be loaded ({message}); reinstall it, or give the process more memory", 1
        case OSError():
            what = "the results cannot be written" if error.filename is None else f"{error.filename}: cannot be used"
            remedy = "; check its permissions" if isinstance(error, PermissionError) else ""
            return f"{what}: {error.strerror or message}{remedy}", 1
    return f"unexpected {type(error).__name__}: {message}; `sema --debug …` shows where it comes from", 1
