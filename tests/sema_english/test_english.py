"""English from raw text: the papers' examples in the right order, and input that is none."""

import json
from pathlib import Path

import pytest

import sema
from tests.cases import cases
from tests.conftest import ROOT, Run

EXAMPLES = ROOT / "examples" / "en"


@pytest.fixture(scope="module")
def scorer() -> sema.Scorer:
    return sema.Scorer("en", ["meaning", "sema", "sema_part", "samsa", "samsa_abl"])


def scores(scorer: sema.Scorer, source: str, *outputs: str) -> list[dict[str, float]]:
    report = scorer.score([source] * len(outputs), list(outputs))
    return [item.scores for item in report.systems[0].items]


@cases("en/splits")
def test_a_better_split_scores_higher(scorer: sema.Scorer, source: str, good: str, bad: str) -> None:
    better, worse = scores(scorer, source, good, bad)
    assert better["samsa"] > worse["samsa"]
    assert better["sema"] > worse["sema"]


@pytest.mark.parametrize(
    ("source", "worse"),
    [
        (
            "The combination of new weapons and tactics marks this battle as the end of chivalry.",
            "The combination of new weapons and tactics. It is the end of chivalry.",
        ),
        (
            "About 13 million Syrians had to leave their homes because of danger.",
            "About 13 million had to leave their homes.",
        ),
    ],
)
def test_erroneous_splits_and_lost_participants_cost(scorer: sema.Scorer, source: str, worse: str) -> None:
    whole, less = scores(scorer, source, source, worse)
    assert less["samsa_abl"] < whole["samsa_abl"] > 90 and less["sema"] < whole["sema"]


def test_a_wider_word_counts_for_sema(scorer: sema.Scorer) -> None:
    (values,) = scores(scorer, "The farmer drank beer.", "The farmer drank an alcoholic drink.")
    assert values["sema"] >= values["sema_part"]


def test_copies_keep_nearly_everything(scorer: sema.Scorer) -> None:
    sources = (EXAMPLES / "original.txt").read_text(encoding="utf-8").splitlines()
    assert scorer.score(sources, sources).systems[0].scores["sema"] > 95


def test_parsing_to_files_and_back_gives_the_same_scenes(command: Run, tmp_path: Path) -> None:
    source = EXAMPLES / "original.txt"
    assert command("parse", "--lang", "en", str(source), "--to", "xml").returncode == 0
    words = ["score", "--lang", "en", "-s", str(source), "-o", str(EXAMPLES / "split.txt"), "--json"]
    parsed, read = (json.loads(command(*words, *more).stdout)["systems"] for more in ((), ("--scenes", "xml")))
    assert read == parsed
