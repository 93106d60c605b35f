"""A short run of every fuzz target in the ordinary tests; `make fuzz` does more."""

import random

import pytest

from sema.errors import SemaError
from tests.fuzz import harness, readers, scoring  # noqa: F401 - registers the targets
from tests.fuzz.harness import TARGETS, Crash, changed, run, seeds
from tests.fuzz.structured import PROPERTIES

SLOW = {"english", "chinese", "chinese_segments"}
"""These load models and take a tenth of a second for an input."""
QUICK = [name for name in TARGETS if name not in SLOW | set(PROPERTIES)]


@pytest.mark.parametrize("name", QUICK)
def test_seeds_end_quietly(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("SECONDS", "MEMORY"):
        monkeypatch.setattr(harness, limit, float("inf"))
    for data in seeds(name):
        run(name, data)


@pytest.mark.stress
@pytest.mark.parametrize("name", QUICK)
def test_changed_seeds_end_quietly(name: str, chance: random.Random) -> None:
    known = seeds(name)
    for _ in range(200):
        run(name, changed(known, chance))


@pytest.mark.stress
@pytest.mark.parametrize("name", PROPERTIES)
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
