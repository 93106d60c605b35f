"""Commands of plug-ins, installed from a real wheel: help imports none of them, and a broken one harms nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import EO, environment, is_one_line, one_line
from tests.conftest import Run, installed, wheel

SHOUT = '''
import sys

from sema import UsageError
from sema.cli.arguments import argument, flag, written
from sema.cli.commands import command
from sema.errors import Keyword


@command(
    argument("file", "FILE", "texts"),
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


@command()
def leaves(arguments):
    "End the process."
    sys.exit(7)


def function(arguments):
    """A function that was not made a command."""


@command(flag("--same", "a flag"), flag("--same", "the same again"))
def clashing(arguments):
    """Has an argument twice."""
'''
POINTS = """
[sema.commands]
shout = sema_shout.inner.voice:shout
leaves = sema_shout.inner.voice:leaves
score = sema_shout.inner.voice:shout
function = sema_shout.inner.voice:function
clashing = sema_shout.inner.voice:clashing
nameless = sema_shout.inner.voice:nameless
raising = sema_raising:raising
exiting = sema_exiting:exiting
absent = sema_absent:absent
"""
BROKEN = {
    "function": "'function' names",
    "clashing": "--same",
    "nameless": "nameless",
    "raising": "no luck today",
    "exiting": "SystemExit: 0",
    "absent": "No module named 'sema_absent'",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package of commands installed, most of them broken."""
    folder = tmp_path_factory.mktemp("commands")
    modules = {
        "sema_shout/__init__.py": "",
        "sema_shout/inner/__init__.py": "",
        "sema_shout/inner/voice.py": SHOUT,
        "sema_raising.py": "raise RuntimeError('no luck\\ntoday')\n",
        "sema_exiting.py": "print('leaving')\nraise SystemExit(0)\n",
    }
    return installed(folder, wheel(folder, "sema-shout", "0.2", modules, POINTS))


def test_a_command_has_help_and_runs_as_those_of_sema_do(sema: Run, site: Path) -> None:
    lines = sema("--help", site=site).stdout.splitlines()
    (place,) = [at for at, line in enumerate(lines) if line.split()[:1] == ["shout"]]
    assert "Print texts in capital letters" in lines[place]
    assert place > max(at for at, line in enumerate(lines) if line.split()[:1] == ["completion"])
    shown = sema("shout", "--help", site=site).stdout
    assert "One a line." in shown and "sema shout source.txt" in shown and "--debug" in shown
    done = sema("shout", "source.txt", "--twice", site=site)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.splitlines()[::3] == ["LA KATO DORMAS."] * 2
    one_line(sema("shout", "source.txt", "--to", "source.txt", site=site), 1, "is one of the input files")
    Path("source.txt").write_text("", encoding="utf-8")
    one_line(sema("shout", "source.txt", site=site), 2, "source.txt: has no texts; leave out --twice")
    assert sema("shout", site=site).stderr.count("for example: sema shout source.txt") == 1


def test_an_exit_that_a_command_raises_is_an_error_of_its_distribution(sema: Run, site: Path) -> None:
    one_line(sema("leaves", site=site), 1, "SystemExit: 7", "sema-shout 0.2")


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_command_is_named_with_its_distribution_and_the_reason(sema: Run, site: Path, name: str) -> None:
    done = sema(name, "--help", site=site)
    assert (done.returncode, done.stdout) == (1, "")
    is_one_line(done.stderr.removeprefix("leaving\n"), f"{name!r} of sema-shout 0.2 is broken: ", BROKEN[name])


def test_broken_commands_harm_nothing_else(sema: Run, site: Path) -> None:
    done = sema("score", *EO, "--metrics", "words", site=site)
    assert (done.returncode, done.stderr) == (0, "")
    assert "sema-shout 0.2" in sema("--help", site=site).stdout, "in place of the summary of what has no source"
    one_line(sema("nonsense", site=site), 2, "shout", "score")
    done = sema("completion", "bash", site=site)
    assert done.returncode == 0 and "shout" in done.stdout and "clashing" not in done.stdout
    assert all(f"{name!r} of sema-shout 0.2 is broken" in done.stderr for name in BROKEN)


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
