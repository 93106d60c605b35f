"""``sema score --select-references``: files of three sets, by name, list or pattern."""

from pathlib import Path

import pytest

from sema.datasets.folder import REFERENCE_SETS
from tests.commands import one_line, printed, write
from tests.conftest import Run

TEXTS = {
    "source": "The big dog that lives here barked loudly at night .",
    "deleted": "The dog barked at night .",
    "s.0": "The big dog barked loudly . It lives here .",
    "r.0": "The dog barked at night .",
    "r.1": "A dog barked .",
    "g.0": "A dog barks . It is loud .",
}
SCORE = ["score", "--lang", "en", "-s", "source", "-o", "deleted", "--metrics", "bleu", "--json", "--select-references"]


@pytest.fixture
def score(command: Run) -> Run:
    for name, text in TEXTS.items():
        write(name, f"{text}\n")
    return lambda *sets: command(*SCORE, *sets)


def test_files_by_list_and_pattern(score: Run) -> None:
    report = printed(score("s.0", "r.*", "g.0"))
    assert report["systems"][0]["scores"]["bleu"] == pytest.approx(100), "words were deleted: r.0 is a reference"
    assert "references:selected" in report["signature"]
    assert printed(score("s.0,g.0", "s.0", "g.0"))["systems"][0]["scores"]["bleu"] < 50


def test_sets_by_name(score: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMA_DATA", str(tmp_path / "data"))
    one_line(score("hsplit", "turk", "asset"), 1, "SEMA_DATA")
    for name, place in REFERENCE_SETS.items():
        file = tmp_path / "data/simplification" / place.partition("[")[0]
        file.parent.mkdir(parents=True)
        Path(f"{file}1").write_text({"hsplit": "A .", "turk": TEXTS["r.0"], "asset": "B ."}[name] + "\n")
    assert printed(score("hsplit", "turk", "asset"))["systems"][0]["scores"]["bleu"] == pytest.approx(100)
