"""Passages on the command line: given tokens, and sources parsed as one sentence."""

import json
from pathlib import Path

import pytest

from sema import Scorer
from sema.errors import UsageError
from tests.conftest import Run

SOURCE = "La kato dormas . Mi vidas domon .\n"
SWAPPED = "Mi vidas domon . La kato dormas .\n"


@pytest.fixture
def sema(command: Run, outside_package: Path, tmp_path: Path) -> Run:
    (tmp_path / "source.txt").write_text(SOURCE)
    (tmp_path / "output.txt").write_text(SWAPPED)
    common = ("score", "--lang", "eo", "-s", "source.txt", "-o", "output.txt", "--level", "passage", "--json")
    return lambda *arguments: command(*common, *arguments, site=outside_package)


def scores(done) -> dict[str, float]:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["systems"][0]["scores"]


def test_the_sentences_of_a_tokenized_passage_are_found(sema: Run) -> None:
    """As one sentence the output would hold both Scenes: SAMSA 50."""
    assert scores(sema("--tokenized", "--no-segment", "--metrics", "samsa,sema")) == {"samsa": 100, "sema": 100}
    plain = scores(sema("--metrics", "sema"))
    assert scores(sema("--tokenized", "--metrics", "sema")) == plain


def test_strings_of_a_list_stay_the_sentences_of_a_tokenized_passage(sema: Run, tmp_path: Path) -> None:
    (tmp_path / "output.jsonl").write_text(json.dumps({"text": [SWAPPED.strip()]}) + "\n")
    done = sema("--tokenized", "--no-segment", "--metrics", "samsa", "-o", "output.jsonl")
    systems = {system["name"]: system["scores"]["samsa"] for system in json.loads(done.stdout)["systems"]}
    assert systems == {"output.txt": 100, "output.jsonl": 50}


def test_a_source_passage_can_be_parsed_as_one_sentence(sema: Run) -> None:
    """The parser makes one Scene of both verbs, both of which then want one sentence."""
    done = sema("--parse-whole", "--metrics", "sema_base")
    assert scores(done)["sema_base"] < scores(sema("--no-segment", "--metrics", "sema_base"))["sema_base"] == 100
    assert "|segment:no,parse=whole|" in json.loads(done.stdout)["signature"]


@pytest.mark.parametrize(
    ("wrong", "remedy"),
    [({"level": "passage"}, "give segment=False"), ({"segment": False}, "give level='passage' and segment=False")],
)
def test_only_passages_that_are_not_segmented_are_parsed_whole(wrong: dict[str, object], remedy: str) -> None:
    with pytest.raises(UsageError, match=f"{remedy}$"):
        Scorer("en", parse_whole=True, **wrong)
