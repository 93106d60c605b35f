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


def test_what_was_used_last_is_kept_and_all_caches_share_a_budget_that_is_never_exceeded() -> None:
    budget = Budget(20 * ROOM)
    kept, other = cache_of(budget), cache_of(budget)
    for value in range(5):
        kept.put("0", value)
    assert budget.used == ROOM, "a value put again takes its room once"
    for number in range(1, 1_000):
        kept.put(str(number), number)
        assert kept.known(["0"]) == {"0": 4} and budget.used <= budget.limit
    assert kept.known(["1", "2", "999"]) == {"999": 999}
    for number in range(100):
        other.put(str(number), number)
    assert not kept.known(["0", "999"]) and budget.used <= budget.limit


def test_what_takes_more_than_a_generation_is_not_kept() -> None:
    kept: Cache[str, bytes] = Cache(budget=Budget(20_000))
    kept.put("large", bytes(11_000))
    kept.put("small", b"")
    assert kept.known(["large", "small"]) == {"small": b""}


def test_the_owner_empties_all_caches_and_counts_none_that_is_gone() -> None:
    budget, asked = Budget(), []

    def joined(first: str, second: str = "-") -> str:
        asked.append(first)
        return first + second

    kept, both = cache_of(budget), remembered(joined, budget=budget)
    kept.put("a", 1)
    assert [both("a", "b"), both("a", "b"), both("a")] == ["ab", "ab", "a-"] and len(asked) == 2
    budget.empty()
    assert not kept.known(["a"]) and budget.used == 0
    assert both("a") == "a-" and len(asked) == 3
    kept.put("a", 1)
    del kept, both
    gc.collect()
    assert budget.used == 0


def test_uncached_values_are_computed_in_one_call_and_not_pickled() -> None:
    kept: Cache[str, int] = Cache(budget=Budget())
    kept.put("a", 1)
    asked = []

    def lengths(keys: list[str]) -> list[int]:
        asked.append(keys)
        return list(map(len, keys))

    for _ in range(2):
        assert kept.lookup(["bb", "a", "ccc", "bb"], lengths) == {"a": 1, "bb": 2, "ccc": 3}
    assert asked == [["bb", "ccc"]]
    assert not pickle.loads(pickle.dumps(kept)).known(["a"])


WORDS = [f"word{number}" for number in range(1_500)]


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        ("x" * 1_000, 1_000, 1_100),
        (np.zeros((100, 384), np.float32), 153_600, 154_000),
        (tuple(WORDS), 75_000, 120_000),
        (Counter(WORDS), 100_000, 250_000),
        (Text.from_tokenized(" ".join(WORDS)), 150_000, 500_000),
        ([["x" * 100 for _ in range(100)]], 800, 20_000),
    ],
)
def test_sizes_are_bytes_of_all_that_a_value_holds(value: object, least: int, most: int) -> None:
    assert least <= size_of(value) <= most


@pytest.mark.parametrize("key", ["word", ("one", "other"), 3])
@pytest.mark.parametrize("value", [None, True, "other", frozenset(), frozenset("ab"), ["text", ("x", 1)], {"a": 2}])
def test_an_entry_takes_as_much_as_key_and_value(key: object, value: object) -> None:
    budget = Budget()
    for kept in (value, key, [key]):
        cache: Cache[object, object] = Cache(budget=budget)
        cache.put(key, kept)
        assert cache.young_bytes == ENTRY + size_of((key, kept))


def test_long_texts_take_no_more_than_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    BUDGET.empty()
    monkeypatch.setattr(BUDGET, "limit", 4 << 20)
    scorer = Scorer(esperanto(), ["sari", "bleu", "ibleu"])
    for number in range(4):
        text = " ".join(f"{word}of{number}" for word in WORDS)
        scorer.score([text], [text], [[text]], keep_items=False)
        assert 0 < BUDGET.used <= BUDGET.limit
    BUDGET.empty()
    assert BUDGET.used == 0
