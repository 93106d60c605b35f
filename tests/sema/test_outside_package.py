"""A language and a metric from an outside package, without touching this tree."""

from pathlib import Path

import pytest

from tests.conftest import Run


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    (tmp_path / "source.txt").write_text(
        "La kato dormas. La hundo manĝas pomon.\nMi vidas la domon.\n", encoding="utf-8"
    )
    (tmp_path / "output.txt").write_text("La kato dormas. La hundo manĝas pomon.\nMi vidas.\n", encoding="utf-8")
    return tmp_path


def test_languages_says_where_a_language_comes_from(command: Run, outside_package: Path) -> None:
    listing = command("languages", site=outside_package).stdout
    (line,) = [line for line in listing.splitlines() if line.startswith("eo ")]
    assert "Esperanto" in line
    assert "sema-eo 0.1" in line


def test_workers_change_nothing(run: Run, outside_package: Path, texts: Path) -> None:
    for name in ("source.txt", "output.txt"):
        path = texts / name
        path.write_text(path.read_text(encoding="utf-8") * 150, encoding="utf-8")
    arguments = ["score", "--lang", "eo", "-s", "source.txt", "-o", "output.txt", "--json"]
    alone = run(*arguments, site=outside_package)
    together = run(*arguments, "--workers", "2", site=outside_package)
    assert together.returncode == 0
    assert together.stdout == alone.stdout
