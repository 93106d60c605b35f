"""A language from an outside package, without touching this tree."""

from pathlib import Path

from tests.commands import EO, write
from tests.conftest import Run


def test_languages_says_where_a_language_comes_from(command: Run, outside_package: Path) -> None:
    listing = command("languages", site=outside_package).stdout
    (line,) = [line for line in listing.splitlines() if line.startswith("eo ")]
    assert "Esperanto" in line
    assert "sema-eo 0.1" in line


def test_workers_change_nothing(command: Run, outside_package: Path) -> None:
    write("source.txt", "La kato dormas. La hundo manĝas pomon.\nMi vidas la domon.\n" * 150)
    write("output.txt", "La kato dormas. La hundo manĝas pomon.\nMi vidas.\n" * 150)
    alone = command("score", *EO, "--json", site=outside_package)
    together = command("score", *EO, "--json", "--workers", "2", site=outside_package)
    assert together.returncode == 0
    assert together.stdout == alone.stdout
