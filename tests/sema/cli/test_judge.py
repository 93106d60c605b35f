"""`sema features` and `sema judge` with a language from outside: no model is loaded, a judge is trained and used."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.conftest import Run

SOURCES = [f"La {color} kato dormas kaj mi vidas domon." for color in "abcdefghijkl"]
GOOD = [source.replace(" kaj mi", ". Mi") for source in SOURCES]
BAD = ["Domo." for _ in SOURCES]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "source.txt").write_text("\n".join(SOURCES) + "\n", encoding="utf-8")
    (tmp_path / "good.txt").write_text("\n".join(GOOD) + "\n", encoding="utf-8")
    (tmp_path / "bad.txt").write_text("\n".join(BAD) + "\n", encoding="utf-8")
    with (tmp_path / "ratings.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["source", "output", "meaning"])
        for source, good, bad in zip(SOURCES, GOOD, BAD, strict=True):
            writer.writerows([[source, good, "good"], [source, bad, "bad"]])
    return tmp_path


def test_features_as_csv_and_jsonl(command: Run, outside_package: Path, files: Path) -> None:
    pair = ("--lang", "eo", "-s", "source.txt", "-o", "good.txt", "bad.txt")
    done = command("features", *pair, "--groups", "lengths,scenes", "--format", "csv", site=outside_package)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 24
    assert float(rows[0]["lengths.sentences"]) == 2
    assert float(rows[12]["scenes.matched"]) < float(rows[0]["scenes.matched"])
    assert command("features", *pair, "--to", "features.jsonl", site=outside_package).returncode == 0
    first = json.loads((files / "features.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["system"] == "good.txt"
    assert first["features"]["lengths.sentences"] == 2
    assert "readability.fkgl" not in first["features"]  # English alone


def test_features_say_what_is_wrong(command: Run, outside_package: Path, files: Path) -> None:
    wrong = command(
        "features", "--lang", "eo", "-s", "source.txt", "-o", "good.txt", "--groups", "lexical", site=outside_package
    )
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("sema: unknown feature group for language 'eo' 'lexical'; known: alignment")
    assert wrong.stderr.count("\n") == 1
    listed = command("features", "--lang", "eo", "--list", site=outside_package)
    assert "alignment.rare_recall" in listed.stdout


def test_a_judge_is_trained_and_used(command: Run, outside_package: Path, files: Path) -> None:
    arguments = ("ratings.csv", "--lang", "eo", "--aspect", "meaning", "--to", "my_judge", "--groups", "lengths,scenes")
    learned = command("judge", "train", *arguments, site=outside_package)
    assert learned.returncode == 0, learned.stderr
    assert "24 rated pairs" in learned.stdout
    assert (files / "my_judge" / "report.md").read_text(encoding="utf-8") == learned.stdout
    said = command(
        *("judge", "--lang", "eo", "-s", "source.txt", "-o", "good.txt", "bad.txt", "--judge", "my_judge", "--json"),
        site=outside_package,
    )
    assert said.returncode == 0, said.stderr
    rows = [json.loads(line) for line in said.stdout.splitlines()]
    labels = [row["aspects"]["meaning"]["label"] for row in rows]
    assert labels == ["good"] * 12 + ["bad"] * 12
    assert sum(rows[0]["aspects"]["meaning"]["probabilities"].values()) == pytest.approx(1, abs=1e-3)
    assert len(rows[0]["aspects"]["meaning"]["drivers"]) == 3


def test_judges_say_what_is_wrong(command: Run, outside_package: Path, files: Path) -> None:
    def error(*arguments: str, status: int = 1) -> str:
        done = command("judge", *arguments, "--lang", "eo", site=outside_package)
        assert done.returncode == status
        assert done.stderr.count("\n") == 1
        return done.stderr

    assert "there is no judge for language 'eo'" in error("-s", "source.txt", "-o", "good.txt")
    assert "no such file" in error("-s", "source.txt", "-o", "good.txt", "--judge", "nowhere")
    assert "--aspect is missing" in error("train", "ratings.csv", "--to", "judge", status=2)
    assert "no column 'fluency'" in error("train", "ratings.csv", "--to", "judge", "--aspect", "fluency")
    (files / "taken").mkdir()
    (files / "taken" / "other.txt").write_text("mine", encoding="utf-8")
    assert "other files" in error("train", "ratings.csv", "--to", "taken", "--aspect", "meaning")
