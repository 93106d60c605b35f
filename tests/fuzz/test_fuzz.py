"""A little of every target in the ordinary tests; `make fuzz` does more."""

import random

import pytest

from sema.errors import SemaError
from tests.fuzz import readers, scoring  # noqa: F401 - registers the targets
from tests.fuzz.harness import TARGETS, Crash, changed, run, seeds
from tests.fuzz.structured import PROPERTIES

SLOW = {"english", "chinese", "chinese_segments", "english_pairs", "chinese_pairs"}
"""These load models and take a tenth of a second for an input."""


@pytest.mark.parametrize("name", [name for name in TARGETS if name not in SLOW | set(PROPERTIES)])
def test_seeds_and_some_changes_end_quietly(name: str) -> None:
    chance = random.Random(name)
    known = seeds(name)
    for data in [*known, *(changed(known, chance) for _ in range(60))]:
        run(name, data)


@pytest.mark.parametrize("name", [name for name in PROPERTIES if name not in SLOW])
def test_written_files_are_read_back_and_wrong_ones_refused(name: str) -> None:
    PROPERTIES[name]()


def test_failing_slow_or_two_line_targets_count_as_crashes(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(data: bytes) -> None:
        raise SemaError("one\ntwo") if data == b"lines" else ValueError("odd")

    monkeypatch.setitem(TARGETS, "fail", fail)
    for data, said in ((b"lines", "more than one line"), (b"", "ValueError: odd")):
        with pytest.raises(Crash, match=said):
            run("fail", data)
    monkeypatch.setitem(TARGETS, "fail", lambda data: None)
    monkeypatch.setattr("tests.fuzz.harness.SECONDS", -1.0)
    with pytest.raises(Crash, match=r"took .* s"):
        run("fail", b"")
