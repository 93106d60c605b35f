"""A little of every target in the ordinary tests; `make fuzz` does more."""

from __future__ import annotations

import random

import pytest

from tests.fuzz.targets import SEEDS, TARGETS, changed, run


@pytest.mark.parametrize("name", [name for name in TARGETS if name not in ("english", "chinese")])
def test_seeds_and_some_changes_end_quietly(name: str) -> None:
    chance = random.Random(name)
    for data in [*SEEDS[name], *(changed(SEEDS[name], chance) for _ in range(60))]:
        run(name, data)
