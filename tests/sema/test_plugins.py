"""Broken plug-ins, installed from a real wheel: each is named with its reason and harms nothing else."""

import json
from pathlib import Path

import pytest

from tests.commands import EO, one_line
from tests.conftest import Run, installed, wheel

WANTS_ARGUMENT = """
def language(needed):
    raise AssertionError
def metric(needed):
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
POINTS = """
[sema.metrics]
raising = sema_broken_raising:metric
lacking = sema_broken_lacking:metric
wanting = sema_broken_wanting:metric
nameless = sema_broken_lacking:Nameless
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
    }
    return installed(folder, wheel(folder, "sema-broken", "9.9", modules, POINTS), outside_wheel)


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    (tmp_path / "source.txt").write_text("La kato dormas.\n", encoding="utf-8")
    (tmp_path / "output.txt").write_text("La kato dormas.\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("listing", "names"),
    [
        ("metrics", {"raising": "no luck today", "lacking": "metric", "wanting": "argument", "nameless": "Nameless"}),
        ("languages", {"xa": "no luck today", "xb": "language", "xc": "argument"}),
    ],
)
def test_listings_name_the_distribution_and_the_reason(
    command: Run, broken_package: Path, listing: str, names: dict[str, str]
) -> None:
    done = command(listing, site=broken_package)
    assert done.returncode == 0
    for name, reason in names.items():
        (line,) = [line for line in done.stdout.splitlines() if line.split()[:1] == [name]]
        assert "sema-broken 9.9" in line
        assert reason in line
    assert ("words" if listing == "metrics" else "Esperanto") in done.stdout


def test_scoring_goes_on(command: Run, broken_package: Path, texts: Path) -> None:
    arguments = ["score", *EO, "--json"]
    done = command(*arguments, "--metrics", "words,sema", site=broken_package)
    assert json.loads(done.stdout)["systems"][0]["scores"] == {"words": 4.0, "sema": 100.0}
    assert done.stderr == ""


def test_a_broken_metric_is_one_line(command: Run, broken_package: Path, texts: Path) -> None:
    arguments = ["score", *EO, "--metrics", "raising"]
    done = command(*arguments, site=broken_package)
    one_line(done, 1, "sema-broken 9.9")


def test_a_broken_lexicon_is_one_line(command: Run, broken_package: Path, texts: Path) -> None:
    assert "Volapük" in command("languages", site=broken_package).stdout
    arguments = ["score", "--lang", "vo", "-s", "source.txt", "-o", "output.txt", "--metrics", "deletions"]
    done = command(*arguments, site=broken_package)
    assert done.returncode == 1
    assert done.stderr == "sema: the word list of Volapük is missing; reinstall sema-broken\n"


def test_broken_scene_formats_are_named(command: Run, broken_package: Path, texts: Path) -> None:
    (texts / "scenes").mkdir()
    arguments = ["score", *EO, "--scenes", "scenes"]
    done = command(*arguments, site=broken_package)
    assert done.returncode == 1
    assert done.stderr.count("sema-broken 9.9") >= 3
    assert "no luck today" in done.stderr


def test_options_of_a_plug_in_are_listed_and_set(command: Run, broken_package: Path, texts: Path) -> None:
    shown = command("metrics", "words", site=broken_package).stdout
    assert "--set words.least=int (default: 0): letters that a word must have" in shown
    arguments = ["score", *EO, "--metrics", "words", "--json"]
    done = command(*arguments, "--set", "words.least=3", site=broken_package)
    assert json.loads(done.stdout)["systems"][0]["scores"] == {"words": 2.0}
