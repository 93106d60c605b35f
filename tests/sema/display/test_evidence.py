"""Evidence in the terminal: what a model counted as lost or added is said once."""

import json

import pytest

from sema.display.terminal import print_evidence
from tests.conftest import ROOT

EVIDENCE = json.loads((ROOT / "tests" / "data" / "evidence" / "words.json").read_text(encoding="utf-8"))


def test_a_lost_word_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    print_evidence(EVIDENCE, {"meaning": 40.0}, "system")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["lost", "cat,", "and"] in lines and ["added", "dog"] in lines
    assert ["changed", "The", "cat", "sat", "(source;", "role:", "'x'", "is", "exchanged)"] in lines
    assert ["partly", "sat", "(source)"] in lines
