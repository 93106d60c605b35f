"""Caches count bytes and share one budget, whose owner can empty them all."""

import gc
import pickle
from collections import Counter

import numpy as np
import pytest

from sema import Scorer, Text
from sema.runtime.caching import BUDGET, ENTRY, Budget, Cache, remembered, size_of
from tests.esperanto import esperanto

ROOM = 100
"""The bytes of an entry in these tests, as they are counted."""


def cache_of(budget: Budget) -> Cache[str, int]:
    return Cache(size=lambda key, value: ROOM - ENTRY, budget=budget)


def test_all_caches_share_a_budget_that_is_never_exceeded() -> None:
    budget = Budget(20 * ROOM)
    kept, other = cache_of(budget), cache_of(budget)
    for value in range(5):
        kept.put("0", value)
    assert budget.used == ROOM and dict(kept) == {"0": 4}, "a value put again takes its room once"
    for number in range(1_000):
        (kept if number % 2 else other).put(str(number), number)
        assert (len(kept) + len(other)) * ROOM == budget.used <= budget.limit
    assert kept["999"] == 999 and "1" not in kept
    large: Cache[str, bytes] = Cache(budget=Budget(20_000))
    large.put("large", bytes(21_000))
    large.put("small", b"")
    assert set(large) == {"small"}, "what takes more than the budget is not kept"


def test_the_owner_empties_all_caches_and_caches_that_are_gone_take_no_room() -> None:
    budget, asked = Budget(2 * ROOM), []

    def joined(first: str, second: str = "-") -> str:
        asked.append(first)
        return first + second

    both = remembered(joined, budget=Budget())
    assert [both("a", "b"), both("a", "b"), both("a")] == ["ab", "ab", "a-"] and len(asked) == 2
    kept, gone = cache_of(budget), cache_of(budget)
    kept.put("a", 1)
    gone.put("a", 1)
    del gone
    gc.collect()
    kept.put("b", 2)
    assert set(kept) == {"a", "b"}
    budget.empty()
    assert not kept and budget.used == 0


def test_uncached_values_are_computed_in_one_call_and_not_pickled() -> None:
    kept: Cache[str, int] = Cache(budget=Budget())
    kept.put("a", 1)
    asked = []

    def lengths(keys: list[str]) -> list[int]:
        asked.append(keys)
        return list(map(len, keys))

    for _ in range(2):
        assert kept.lookup(["bb", "a", "ccc", "bb"], lengths) == {"a": 1, "bb": 2, "ccc": 3}
    assert asked == [["bb", "ccc"]] and not pickle.loads(pickle.dumps(kept))


WORDS = [f"word{number}" for number in range(1_500)]


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        ("x" * 1_000, 1_000, 1_100),
        (np.zeros((100, 384), np.float32), 153_600, 154_000),
        (Counter(WORDS), 100_000, 250_000),
        (Text.from_tokenized(" ".join(WORDS)), 150_000, 500_000),
        ([["x" * 100 for _ in range(100)]], 800, 20_000),
    ],
    ids=type,
)
def test_sizes_are_bytes_of_all_that_a_value_holds(value: object, least: int, most: int) -> None:
    assert least <= size_of(value) <= most


def test_long_texts_take_no_more_than_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    BUDGET.empty()
    monkeypatch.setattr(BUDGET, "limit", 4 << 20)
    scorer = Scorer(esperanto(), ["sari", "bleu", "ibleu"])
    for number in range(4):
        text = " ".join(f"{word}of{number}" for word in WORDS)
        scorer.score([text], [text], [[text]], keep_items=False)
        assert 0 < BUDGET.used <= BUDGET.limit
    BUDGET.empty()
