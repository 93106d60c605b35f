"""Evidence in the terminal: what a model counted as lost or added is said once."""

from __future__ import annotations

import pytest

from sema.display.terminal import print_evidence

EVIDENCE = {
    "item": 0,
    "source": ["The", "cat", "and", "the", "cat", "sat", "."],
    "sentences": [["The", "dog", "sat", "."]],
    "output": ["The", "dog", "sat", "."],
    "scenes": [],
    "source_words": [0.9, 0.1, 0.2, 0.9, 0.1, 0.9, 0.9],
    "output_words": [0.9, 0.1, 0.9, 0.9],
    "source_scenes": [
        {
            "tokens": [0, 1, 5],
            "state": "changed",
            "because": [{"kind": "lost", "text": "Participant: 'cat'"}, {"kind": "role", "text": "'x' is exchanged"}],
        },
        {"tokens": [5], "state": "partly", "because": [{"kind": "lost", "text": "Participant: 'cat'"}]},
    ],
}


def test_a_lost_word_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    print_evidence(EVIDENCE, {"meaning": 40.0}, "system")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["lost", "cat,", "and"] in lines and ["added", "dog"] in lines
    assert ["changed", "The", "cat", "sat", "(source;", "role:", "'x'", "is", "exchanged)"] in lines
    assert ["partly", "sat", "(source)"] in lines
