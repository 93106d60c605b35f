"""Plug-ins, installed as pip installs them: what is broken is named with its reason and harms nothing else."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.commands import EO, environment, is_one_line, one_line, printed, write
from tests.conftest import Run, install, install_esperanto

EXITS = """
import sys
from sema import MeanMetric

print("imported")

class Leaving(MeanMetric, name="leaving"):
    "Ends the process on a text of one word."
    error = SystemExit(0)
    def scores(self, items):
        print("scoring")
        if any(len(item.output.words) == 1 for item in items):
            raise self.error
        return [50.0] * len(items)

class Interrupting(Leaving, name="interrupting"):
    "Presses Ctrl-C itself."
    error = KeyboardInterrupt()

def runner(**options):
    sys.exit(0)
"""
SHOUT = '''
from sema import UsageError
from sema.cli.arguments import argument, flag, read, written
from sema.cli.commands import command
from sema.errors import Keyword


@command(
    read("file", "FILE", "texts"),
    flag("--twice", "shout twice"),
    argument("--lang", "CODE", "language of the texts"),
    written("--to", "FILE", "write them here"),
)
def shout(arguments):
    """Print texts in capital letters
    One a line.

    example:
      sema shout source.txt"""
    with open(arguments.file, encoding="utf-8") as file:
        text = file.read()
    if not text:
        raise UsageError("has no texts", file=arguments.file, remedy=("leave out ", Keyword("twice", "True")))
    print(text.upper() * (1 + arguments.twice), end="")
    return 0


def function(arguments):
    """A function that was not made a command."""


@command(flag("--same", "a flag"), flag("--same", "the same again"))
def clashing(arguments):
    """Has an argument twice."""
'''
NAMED = '''
from sema import MeanMetric


class Ones(MeanMetric, name="ones"):
    """A score that is always 1."""

    def scores(self, items):
        return [1.0] * len(items)


ONE = Ones()
'''
MODULES = {
    "sema_broken_raising.py": "raise RuntimeError('no luck\\ntoday')\n",
    "sema_broken_lacking.py": "class Nameless:\n    pass\n",
    "sema_broken_wanting.py": "def wanting(needed):\n    raise AssertionError\n",
    "sema_broken_exits.py": EXITS,
    "sema_broken_exit.py": "print('leaving')\nraise SystemExit(0)\n",
    "sema_broken_interrupt.py": "raise KeyboardInterrupt\n",
    "sema_broken_named.py": NAMED,
    "sema_shout/__init__.py": "",
    "sema_shout/inner/__init__.py": "",
    "sema_shout/inner/voice.py": SHOUT,
}
POINTS = """
[sema.metrics]
leaving = sema_broken_exits:Leaving
interrupting = sema_broken_exits:Interrupting
imported_exit = sema_broken_exit:metric
imported_interrupt = sema_broken_interrupt:metric
raising = sema_broken_raising:metric
lacking = sema_broken_lacking:metric
wanting = sema_broken_wanting:wanting
nameless = sema_broken_lacking:Nameless
bleu = sema_broken_named:Ones
one = sema_broken_named:ONE
renamed = sema_broken_named:Ones
[sema.runners]
leaving = sema_broken_exits:runner
[sema.languages]
xa = sema_broken_raising:language
[sema.scene_formats]
xa = sema_broken_raising:scene_format
[sema.commands]
shout = sema_shout.inner.voice:shout
score = sema_shout.inner.voice:shout
function = sema_shout.inner.voice:function
clashing = sema_shout.inner.voice:clashing
nameless = sema_shout.inner.voice:nameless
raising = sema_broken_raising:raising
exiting = sema_broken_exit:exiting
absent = sema_absent:absent
"""
BROKEN_COMMANDS = {
    "function": "'function' names",
    "clashing": "--same",
    "nameless": "nameless",
    "raising": "no luck today",
    "exiting": "SystemExit: 0",
    "absent": "No module named 'sema_absent'",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the outside package with a second one beside it that is broken in every way."""
    return install(install_esperanto(tmp_path_factory.mktemp("broken")), "sema-broken", "9.9", MODULES, POINTS)


@pytest.fixture
def sema(command: Run, site: Path) -> Run:
    """Run a command beside both packages, in a folder with two items; the second output is one word."""
    write("source.txt", "La kato dormas.\nLa kato dormas.\n")
    write("output.txt", "La kato dormas.\nKato\n")
    return partial(command, site=site)


def printed_by_plugins_removed(error: str) -> str:
    """A plug-in prints when it is imported, which happens once."""
    return error.removeprefix("imported\n").removeprefix("leaving\n")


@pytest.mark.parametrize(
    ("listing", "name", "reason"),
    [
        ("metrics", "raising", "no luck today"),
        ("metrics", "lacking", "metric"),
        ("metrics", "wanting", "its option 'needed' has no default; give it one"),
        ("metrics", "nameless", "Nameless"),
        ("metrics", "one", "it is a metric and makes none; name its class"),
        ("languages", "xa", "no luck today"),
    ],
)
def test_listings_name_the_distribution_and_the_reason(sema: Run, listing: str, name: str, reason: str) -> None:
    done = sema(listing)
    (line,) = [line for line in done.stdout.splitlines() if line.split()[:1] == [name]]
    assert done.returncode == 0 and "sema-broken 9.9" in line and reason in line
    assert ("words" if listing == "metrics" else "Esperanto") in done.stdout


def test_a_name_of_a_metric_of_sema_is_taken_and_any_other_is_that_of_the_results(sema: Run) -> None:
    own, taken = (line for line in sema("metrics").stdout.splitlines() if line.split()[:1] == ["bleu"])
    assert "sema-broken 9.9" not in own and "sema's own 'bleu' is used in its place" in taken
    done = sema("score", *EO, "--json", "--metrics", "renamed")
    assert printed(done)["systems"][0]["scores"] == {"renamed": 1.0}


def test_broken_plug_ins_leave_scoring_and_options_of_others_alone(sema: Run) -> None:
    done = sema("score", *EO, "--json", "--metrics", "words,sema")
    assert printed(done)["systems"][0]["scores"] == {"words": 2.5, "sema": 75.0}
    assert done.stderr == ""
    assert "--set words.least=int (default: 0): letters that a word must have" in sema("metrics", "words").stdout
    done = sema("score", *EO, "--metrics", "words", "--json", "--set", "words.least=3")
    assert printed(done)["systems"][0]["scores"] == {"words": 1.5}


@pytest.mark.parametrize("name", ["raising", "imported_exit", "imported_interrupt"])
def test_a_broken_metric_is_one_line(sema: Run, name: str) -> None:
    done = sema("score", *EO, "--metrics", name)
    assert done.returncode == 1
    is_one_line(printed_by_plugins_removed(done.stderr), "sema-broken 9.9")


def test_broken_scene_formats_are_named(sema: Run) -> None:
    Path("scenes").mkdir()
    done = sema("score", *EO, "--scenes", "scenes")
    assert done.returncode == 1 and "sema-broken 9.9" in done.stderr and "no luck today" in done.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(("name", "reason"), [("leaving", "SystemExit: 0"), ("interrupting", "KeyboardInterrupt")])
def test_an_exit_fails_its_items_and_prints_stay_off_the_results(
    sema: Run, name: str, reason: str, workers: str
) -> None:
    done = sema("score", *EO, "--json", "--metrics", name, "--workers", workers)
    answer = printed(done)
    assert done.returncode == 1 and answer["failed"][-1]["item"] == 1
    assert name in done.stderr and reason in done.stderr and "sema-broken 9.9" in done.stderr
    assert answer["systems"][0]["scores"] == {name: 50.0}
    assert workers == "2" or "scoring" in done.stderr  # workers are reused, with the streams of an earlier command


def test_an_exit_outside_scoring_is_an_error_too(sema: Run) -> None:
    done = sema("score", *EO, "--metrics", "words", "--runner", "leaving")
    assert done.returncode == 1
    is_one_line(printed_by_plugins_removed(done.stderr), "SystemExit: 0", "sema-broken 9.9")


# Commands


def test_a_command_has_help_and_runs_as_those_of_sema_do(sema: Run) -> None:
    lines = sema("--help").stdout.splitlines()
    (place,) = [at for at, line in enumerate(lines) if line.split()[:1] == ["shout"]]
    assert "Print texts in capital letters" in lines[place]
    assert place > max(at for at, line in enumerate(lines) if line.split()[:1] == ["completion"])
    shown = sema("shout", "--help").stdout
    assert "One a line." in shown and "sema shout source.txt" in shown and "--debug" in shown
    done = sema("shout", "source.txt", "--twice")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "LA KATO DORMAS.\n" * 4)
    one_line(sema("shout", "source.txt", "--to", "source.txt"), 1, "is one of the input files")
    write("source.txt", "")
    one_line(sema("shout", "source.txt"), 2, "source.txt: has no texts; leave out --twice")
    assert sema("shout").stderr.count("for example: sema shout source.txt") == 1


@pytest.mark.parametrize("name", BROKEN_COMMANDS)
def test_a_broken_command_is_named_with_its_distribution_and_the_reason(sema: Run, name: str) -> None:
    done = sema(name, "--help")
    assert (done.returncode, done.stdout) == (1, "")
    said = printed_by_plugins_removed(done.stderr)
    is_one_line(said, f"{name!r} of sema-broken 9.9 is broken: ", BROKEN_COMMANDS[name])


def test_broken_commands_harm_nothing_else(sema: Run) -> None:
    assert "sema-broken 9.9" in sema("--help").stdout, "in place of the summary of what has no source"
    one_line(sema("shuot"), 2, "did you mean 'shout'?")
    done = sema("completion", "bash")
    assert done.returncode == 0 and "shout" in done.stdout and "clashing" not in done.stdout
    assert all(f"{name!r} of sema-broken 9.9 is broken" in done.stderr for name in BROKEN_COMMANDS)


def test_help_and_other_commands_import_no_plug_in(site: Path) -> None:
    code = """
import sys
from importlib.metadata import entry_points
from sema.cli.main import main
for line in ("--help", "score --help", "nonsense"):
    try:
        main(line.split())
    except SystemExit:
        pass
modules = {point.module.partition(".")[0] for point in entry_points(group="sema.commands")}
print(sorted(modules & set(sys.modules)), len(modules))
"""
    done = subprocess.run([sys.executable, "-c", code], env=environment(site), capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[] 7", done.stderr
    assert " rerank " in done.stdout
