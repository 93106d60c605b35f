"""`sema features` and `sema judge` with a language from outside: no model is loaded, a judge is trained and used."""

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


def test_features_as_csv_and_jsonl(sema: Run, files: Path) -> None:
    pair = ("--lang", "eo", "-s", "source.txt", "-o", "good.txt", "bad.txt")
    done = sema("features", *pair, "--groups", "lengths,scenes", "--format", "csv")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 24
    assert float(rows[0]["lengths.sentences"]) == 2
    assert float(rows[12]["scenes.matched"]) < float(rows[0]["scenes.matched"])
    assert sema("features", *pair, "--to", "features.jsonl").returncode == 0
    first = json.loads((files / "features.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["system"] == "good.txt"
    assert first["features"]["lengths.sentences"] == 2
    assert "readability.fkgl" not in first["features"]  # English only
    assert "alignment.rare_recall" in sema("features", "--lang", "eo", "--list").stdout


def test_a_judge_is_trained_and_used(sema: Run, files: Path) -> None:
    arguments = ("ratings.csv", "--lang", "eo", "--aspect", "meaning", "--to", "my_judge", "--groups", "lengths,scenes")
    learned = sema("judge", "train", *arguments)
    assert learned.returncode == 0, learned.stderr
    assert "24 rated pairs" in learned.stdout
    assert (files / "my_judge" / "report.md").read_text(encoding="utf-8") == learned.stdout
    said = sema(
        *("judge", "--lang", "eo", "-s", "source.txt", "-o", "good.txt", "bad.txt", "--judge", "my_judge", "--json")
    )
    assert said.returncode == 0, said.stderr
    rows = [json.loads(line) for line in said.stdout.splitlines()]
    labels = [row["aspects"]["meaning"]["label"] for row in rows]
    assert labels == ["good"] * 12 + ["bad"] * 12
    assert sum(rows[0]["aspects"]["meaning"]["probabilities"].values()) == pytest.approx(1, abs=1e-3)
    assert len(rows[0]["aspects"]["meaning"]["drivers"]) == 3
