"""Plug-ins from a real wheel: a language comes from outside; broken ones are named and harm nothing else."""

from functools import partial
from pathlib import Path

import pytest

from sema.plugins import points_of
from tests.commands import EO, is_one_line, one_line, printed, write
from tests.conftest import Run, installed, wheel

WANTS_ARGUMENT = "def part(needed):\n    raise AssertionError\n"


LEXICON_RAISES = """
from dataclasses import replace
from sema.errors import ResourceError
from sema_eo import esperanto

def lexicon():
    raise ResourceError("the word list of Volapük is missing; reinstall sema-broken")

def language():
    aligners = {"rules": lambda lexicon: None}
    return replace(esperanto(), code="vo", name="Volapük", extractors={}, aligners=aligners, lexicon=lexicon)
"""


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

class Writing(Leaving, name="writing"):
    "Scores as text."
    def scores(self, items):
        return ["1"] * len(items)

def runner(**options):
    sys.exit(0)
"""
NAMES = ("Leaving", "Interrupting", "Writing")


FAULTS = {"xa": "raising", "xb": "lacking", "xc": "wanting"}
POINTS = "\n".join([
    "[sema.metrics]", *(f"{name.lower()} = sema_broken_exits:{name}" for name in NAMES),
    *(f"{module} = sema_broken_{module}:part" for module in ("raising", "lacking", "wanting", "exit", "interrupt")),
    "nameless = sema_broken_lacking:Nameless",
    "[sema.runners]", "leaving = sema_broken_exits:runner",
    "[sema.languages]", *(f"{code} = sema_broken_{fault}:part" for code, fault in FAULTS.items()),
    "vo = sema_broken_lexicon:language",
    "[sema.scene_formats]", *(f"{code} = sema_broken_{fault}:part" for code, fault in FAULTS.items()), "",
])  # fmt: skip


@pytest.fixture(scope="module")
def broken_package(outside_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the outside package with a second one beside it that is broken in every way."""
    folder = tmp_path_factory.mktemp("broken")
    modules = {
        "sema_broken_raising.py": "raise RuntimeError('no luck\\ntoday')\n",
        "sema_broken_lacking.py": "class Nameless:\n    pass\n",
        "sema_broken_wanting.py": WANTS_ARGUMENT,
        "sema_broken_lexicon.py": LEXICON_RAISES,
        "sema_broken_exits.py": EXITS,
        "sema_broken_exit.py": "raise SystemExit(0)\n",
        "sema_broken_interrupt.py": "raise KeyboardInterrupt\n",
    }
    return installed(folder, wheel(folder, "sema-broken", "9.9", modules, POINTS), outside_wheel)


@pytest.fixture
def sema(command: Run, broken_package: Path) -> Run:
    """Run a command beside both packages, in a folder with two items; the second output is one word."""
    write("source.txt", "La kato dormas.\nLa kato dormas.\n")
    write("output.txt", "La kato dormas.\nKato\n")
    return partial(command, site=broken_package)


@pytest.mark.parametrize(
    ("listing", "names"),
    [
        ("metrics", {"raising": "no luck today", "lacking": "part", "wanting": "argument", "nameless": "Nameless"}),
        ("languages", {"xa": "no luck today", "xb": "part", "xc": "argument"}),
    ],
)
def test_listings_name_the_distribution_and_the_reason(sema: Run, listing: str, names: dict[str, str]) -> None:
    done = sema(listing)
    assert done.returncode == 0
    for name, reason in names.items():
        (line,) = [line for line in done.stdout.splitlines() if line.split()[:1] == [name]]
        assert "sema-broken 9.9" in line and reason in line
    if listing == "languages":  # and where one comes from that is whole
        (line,) = [line for line in done.stdout.splitlines() if line.startswith("eo ")]
        assert "Esperanto" in line and "sema-eo 0.1" in line
    else:
        assert "words" in done.stdout


def test_a_broken_plugin_leaves_scoring_alone(sema: Run) -> None:
    done = sema("score", *EO, "--json", "--metrics", "words,sema")
    assert printed(done)["systems"][0]["scores"] == {"words": 2.5, "sema": 75.0}
    assert done.stderr == ""


@pytest.mark.parametrize("name", ["raising", "exit", "interrupt"])
def test_a_broken_metric_is_one_line(sema: Run, name: str) -> None:
    one_line(sema("score", *EO, "--metrics", name), 1, "sema-broken 9.9")
    assert "sema-broken 9.9" in sema("metrics").stdout


def test_a_broken_lexicon_is_one_line(sema: Run) -> None:
    assert "Volapük" in sema("languages").stdout
    done = sema("score", "--lang", "vo", "-s", "source.txt", "-o", "output.txt", "--metrics", "deletions")
    assert done.returncode == 1
    assert done.stderr == "sema: the word list of Volapük is missing; reinstall sema-broken\n"


def test_broken_scene_formats_are_named(sema: Run) -> None:
    Path("scenes").mkdir()
    done = sema("score", *EO, "--scenes", "scenes")
    assert (done.returncode, done.stderr.count("sema-broken 9.9") >= 3) == (1, True)
    assert "no luck today" in done.stderr


def test_options_of_a_plug_in_are_listed_and_set(sema: Run) -> None:
    assert "--set words.least=int (default: 0): letters that a word must have" in sema("metrics", "words").stdout
    done = sema("score", *EO, "--metrics", "words", "--json", "--set", "words.least=3")
    assert printed(done)["systems"][0]["scores"] == {"words": 1.5}


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    ("name", "reason"), [("leaving", "SystemExit: 0"), ("interrupting", "KeyboardInterrupt"), ("writing", "'1'")]
)
def test_an_exit_or_a_text_fails_its_items_and_prints_stay_off_results(sema: Run, name: str, reason: str, workers: str):
    done = sema("score", *EO, "--json", "--metrics", name, "--workers", workers)
    answer = printed(done)
    assert (done.returncode, answer["failed"][-1]["item"]) == (1, 1)
    assert name in done.stderr and reason in done.stderr
    if name != "writing":
        assert answer["systems"][0]["scores"] == {name: 50.0}
        assert "sema-broken 9.9" in done.stderr
        assert workers == "2" or "scoring" in done.stderr  # workers are reused, with the streams of an earlier command


def test_an_exit_outside_scoring_is_an_error_too(sema: Run) -> None:
    done = sema("score", *EO, "--metrics", "words", "--runner", "leaving")
    said = done.stderr.removeprefix("imported\n")  # by the plug-in itself, if it was not imported before
    assert done.returncode == 1
    is_one_line(said, "SystemExit: 0", "sema-broken 9.9")


def test_a_package_installed_while_python_runs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert "late" not in [point.name for point in points_of("sema.metrics")]
    installed(tmp_path, wheel(tmp_path, "late", "1", {}, "[sema.metrics]\nlate = late:Late\n"))
    assert "late" in [point.name for point in points_of("sema.metrics")]


def test_workers_change_nothing(command: Run, outside_package: Path) -> None:
    write("source.txt", "La kato dormas. La hundo manĝas pomon.\nMi vidas la domon.\n" * 150)
    write("output.txt", "La kato dormas. La hundo manĝas pomon.\nMi vidas.\n" * 150)
    alone = command("score", *EO, "--json", site=outside_package)
    together = command("score", *EO, "--json", "--workers", "2", site=outside_package)
    assert together.returncode == 0
    assert together.stdout == alone.stdout
