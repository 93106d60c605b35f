"""Broken plug-ins, installed from a real wheel: each is named with its reason and harms nothing else."""

from functools import partial
from pathlib import Path

import pytest

from sema.plugins import points_of
from tests.commands import EO, is_one_line, one_line, printed, write
from tests.conftest import Run, installed, wheel

WANTS_ARGUMENT = """
def language(needed):
    raise AssertionError
def metric(*, needed):
    raise AssertionError
def scene_format(needed):
    raise AssertionError
"""
LEXICON_RAISES = '''
from sema import Language
from sema.alignment.relations import WordRelations
from sema.alignment.rules import RuleAligner
from sema.errors import ResourceError

class Lexicon:
    """Finds its word list missing."""
    def __init__(self):
        raise ResourceError("the word list of Volapük is missing; reinstall sema-broken")

class Segmenter:
    signature = "none"
    def segment(self, texts):
        from sema import Text
        return [Text.from_tokenized(text) for text in texts]

def aligner(lexicon):
    return RuleAligner(WordRelations(lexicon))

def language():
    return Language("vo", "Volapük", Segmenter, {}, {"rules": aligner}, Lexicon)
'''
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

class Averaging(Leaving, name="averaging"):
    "One score for all items."
    def scores(self, items):
        return [50.0]

class Writing(Leaving, name="writing"):
    "Scores as text."
    def scores(self, items):
        return ["1"] * len(items)

def runner(**options):
    sys.exit(0)
"""
NO_DEFAULT = "its option 'needed' has no default; give it one"
POINTS = """
[sema.metrics]
leaving = sema_broken_exits:Leaving
interrupting = sema_broken_exits:Interrupting
averaging = sema_broken_exits:Averaging
writing = sema_broken_exits:Writing
imported_exit = sema_broken_exit:metric
imported_interrupt = sema_broken_interrupt:metric
raising = sema_broken_raising:metric
lacking = sema_broken_lacking:metric
wanting = sema_broken_wanting:metric
nameless = sema_broken_lacking:Nameless
[sema.runners]
leaving = sema_broken_exits:runner
[sema.languages]
xa = sema_broken_raising:language
xb = sema_broken_lacking:language
xc = sema_broken_wanting:language
vo = sema_broken_lexicon:language
[sema.scene_formats]
xa = sema_broken_raising:scene_format
xb = sema_broken_lacking:scene_format
xc = sema_broken_wanting:scene_format
"""


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
        ("metrics", {"raising": "no luck today", "lacking": "metric", "wanting": NO_DEFAULT, "nameless": "Nameless"}),
        ("languages", {"xa": "no luck today", "xb": "language", "xc": NO_DEFAULT}),
    ],
)
def test_listings_name_the_distribution_and_the_reason(sema: Run, listing: str, names: dict[str, str]) -> None:
    done = sema(listing)
    assert done.returncode == 0
    for name, reason in names.items():
        (line,) = [line for line in done.stdout.splitlines() if line.split()[:1] == [name]]
        assert "sema-broken 9.9" in line
        assert reason in line
    assert ("words" if listing == "metrics" else "Esperanto") in done.stdout


def test_a_broken_plugin_leaves_scoring_alone(sema: Run) -> None:
    done = sema("score", *EO, "--json", "--metrics", "words,sema")
    assert printed(done)["systems"][0]["scores"] == {"words": 2.5, "sema": 75.0}
    assert done.stderr == ""


@pytest.mark.parametrize("name", ["raising", "imported_exit", "imported_interrupt"])
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
    assert done.returncode == 1
    assert done.stderr.count("sema-broken 9.9") >= 3
    assert "no luck today" in done.stderr


def test_options_of_a_plug_in_are_listed_and_set(sema: Run) -> None:
    assert "--set words.least=int (default: 0): letters that a word must have" in sema("metrics", "words").stdout
    done = sema("score", *EO, "--metrics", "words", "--json", "--set", "words.least=3")
    assert printed(done)["systems"][0]["scores"] == {"words": 1.5}


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    ("name", "reason"), [("leaving", "SystemExit: 0"), ("interrupting", "KeyboardInterrupt"), ("writing", "'1'")]
)
def test_an_exit_or_a_text_fails_its_items_and_prints_stay_off_the_results(
    sema: Run, name: str, reason: str, workers: str
) -> None:
    done = sema("score", *EO, "--json", "--metrics", name, "--workers", workers)
    assert done.returncode == 1
    answer = printed(done)
    assert answer["failed"][-1]["item"] == 1
    assert name in done.stderr and reason in done.stderr
    if name != "writing":
        assert answer["systems"][0]["scores"] == {name: 50.0}
        assert "sema-broken 9.9" in done.stderr
        assert workers == "2" or "scoring" in done.stderr  # workers are reused, with the streams of an earlier command


def test_one_score_for_two_items_is_refused_by_name(sema: Run) -> None:
    done = sema("score", *EO, "--metrics", "averaging")
    assert (done.returncode, done.stdout) == (1, "")
    assert "averaging returns 1 row for 2 items" in done.stderr


def test_an_exit_outside_scoring_is_an_error_too(sema: Run) -> None:
    done = sema("score", *EO, "--metrics", "words", "--runner", "leaving")
    said = done.stderr.removeprefix("imported\n")  # by the plug-in itself, if it was not imported before
    assert done.returncode == 1
    is_one_line(said, "SystemExit: 0", "sema-broken 9.9")


def test_a_package_installed_while_python_runs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "late" not in [point.name for point in points_of("sema.metrics")]
    information = tmp_path / "late-1.dist-info"
    information.mkdir()
    (information / "entry_points.txt").write_text("[sema.metrics]\nlate = late:Late\n", encoding="utf-8")
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: late\nVersion: 1\n", encoding="utf-8")
    assert "late" in [point.name for point in points_of("sema.metrics")]
