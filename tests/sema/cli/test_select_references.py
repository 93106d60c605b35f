"""``sema score --select-references``: files of three sets, by name, list or pattern."""

import json
from pathlib import Path

import pytest

from sema.cli.main import main
from sema.datasets.folder import REFERENCE_SETS

SOURCE = "The big dog that lives here barked loudly at night ."


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    texts = {
        "source": SOURCE,
        "deleted": "The dog barked at night .",
        "s.0": "The big dog barked loudly . It lives here .",
        "r.0": "The dog barked at night .",
        "r.1": "A dog barked .",
        "g.0": "A dog barks . It is loud .",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    return {name: str(tmp_path / name) for name in texts}


def command(files: dict[str, str], *more: str) -> list[str]:
    start = ["score", "--lang", "en", "-s", files["source"], "-o", files["deleted"], "--metrics", "bleu", "--json"]
    return [*start, *more]


def test_files_by_list_and_pattern(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    pattern = files["r.0"].replace("r.0", "r.*")
    assert main(command(files, "--select-references", files["s.0"], pattern, files["g.0"])) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["systems"][0]["scores"]["bleu"] == pytest.approx(
        100
    )  # words were deleted: r.0 is among its references
    assert "references:selected" in printed["signature"]
    listed = ",".join([files["s.0"], files["g.0"]])
    assert main(command(files, "--select-references", listed, files["s.0"], files["g.0"])) == 0
    assert json.loads(capsys.readouterr().out)["systems"][0]["scores"]["bleu"] < 50


def test_sets_by_name(
    files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEMA_DATA", str(tmp_path / "data"))
    arguments = command(files, "--select-references", "hsplit", "turk", "asset")
    assert main(arguments) == 1
    assert "SEMA_DATA" in capsys.readouterr().err
    for name, place in REFERENCE_SETS.items():
        file = tmp_path / "data/simplification" / place.partition("[")[0]
        file.parent.mkdir(parents=True)
        Path(f"{file}1").write_text({"hsplit": "A .", "turk": "The dog barked at night .", "asset": "B ."}[name] + "\n")
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["systems"][0]["scores"]["bleu"] == pytest.approx(100)
