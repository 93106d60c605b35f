"""Caches count bytes and share one budget, whose owner can empty them all."""

import gc
import pickle
from collections import Counter
from collections.abc import Hashable
from threading import Thread

import numpy as np
import pytest

from sema import Scorer, Text
from sema.runtime.caching import BUDGET, ENTRY, Budget, Cache, remembered, size_of
from tests.esperanto import esperanto

ROOM = 100
"""The bytes of an entry in these tests, as they are counted."""


def cache_of(budget: Budget) -> Cache[str, int]:
    return Cache(size=lambda key, value: ROOM - ENTRY, budget=budget)


def test_what_was_used_last_is_kept_and_the_budget_is_never_exceeded() -> None:
    budget = Budget(20 * ROOM)
    kept = cache_of(budget)
    for number in range(1_000):
        kept.put(str(number), number)
        assert kept.known(["0"]) == {"0": 0}
        assert budget.used <= budget.limit
    assert kept.known(["1", "2", "999"]) == {"999": 999}


def test_all_caches_share_the_budget() -> None:
    budget = Budget(20 * ROOM)
    first, second = cache_of(budget), cache_of(budget)
    first.put("a", 1)
    for number in range(100):
        second.put(str(number), number)
    assert not first.known(["a"]) and budget.used <= budget.limit


def test_a_value_put_again_takes_its_room_once() -> None:
    budget = Budget(20 * ROOM)
    kept = cache_of(budget)
    for value in range(5):
        kept.put("a", value)
    assert budget.used == ROOM


def test_what_takes_more_than_a_generation_is_not_kept() -> None:
    budget = Budget(20_000)
    kept: Cache[str, bytes] = Cache(budget=budget)
    kept.put("large", bytes(11_000))
    kept.put("small", b"")
    assert kept.known(["large", "small"]) == {"small": b""}


def test_what_is_reserved_stays_until_the_owner_frees_it() -> None:
    budget = Budget(20 * ROOM)
    kept = cache_of(budget)
    budget.reserve(kept, 50 * ROOM)
    names = [str(number) for number in range(50)]
    for name in names:
        kept.put(name, 0)
    assert len(kept.known(names)) == 50
    budget.reserve(kept, 0)
    assert budget.used <= budget.limit


def test_an_owner_that_is_gone_reserves_nothing() -> None:
    budget = Budget(20 * ROOM)
    kept = cache_of(budget)
    other = cache_of(budget)
    budget.reserve(other, 500 * ROOM)
    del other
    gc.collect()
    for number in range(100):
        kept.put(str(number), number)
    assert budget.used <= budget.limit


def test_the_owner_empties_all_caches() -> None:
    budget = Budget()
    kept, asked = cache_of(budget), []
    double = remembered(lambda word: asked.append(word) or word * 2, budget=budget)
    kept.put("a", 1)
    assert [double("a"), double("a")] == ["aa", "aa"] and asked == ["a"]
    budget.empty()
    assert not kept.known(["a"]) and budget.used == 0
    assert double("a") == "aa" and asked == ["a", "a"]


def test_caches_that_nobody_uses_are_not_owned() -> None:
    budget = Budget()
    kept = cache_of(budget)
    kept.put("a", 1)
    del kept
    gc.collect()
    assert budget.used == 0


def test_functions_of_several_arguments_are_remembered() -> None:
    asked = []

    def joined(first: str, second: str = "-") -> str:
        """Both."""
        asked.append(first)
        return first + second

    kept = remembered(joined, budget=Budget())
    assert [kept("a", "b"), kept("a", "b"), kept("a")] == ["ab", "ab", "a-"] and len(asked) == 2
    assert kept.__doc__ == "Both."


def test_threads_may_share_a_cache_while_it_is_emptied() -> None:
    budget = Budget(20 * ROOM)
    kept = cache_of(budget)
    wrong: list[int] = []

    def work(seed: int) -> None:
        for number in range(2000):
            key = (number * seed) % 17
            kept.put(str(key), key)
            wrong.extend(value for entry, value in kept.known(map(str, (key, key + 1))).items() if entry != str(value))
            if number % 100 == 0:
                budget.empty()

    threads = [Thread(target=work, args=(seed,)) for seed in (3, 5, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and 0 <= budget.used <= budget.limit


def test_uncached_values_are_computed_in_one_call() -> None:
    kept: Cache[str, int] = Cache(budget=Budget())
    kept.put("a", 1)
    asked = []

    def compute(keys: list[str]) -> list[int]:
        asked.append(keys)
        return list(map(len, keys))

    assert kept.lookup(["bb", "a", "ccc", "bb"], compute) == {"a": 1, "bb": 2, "ccc": 3}
    assert kept.lookup(["bb", "ccc"], compute) == {"bb": 2, "ccc": 3}
    assert asked == [["bb", "ccc"]]


def test_a_cache_is_pickled_without_what_it_keeps() -> None:
    kept: Cache[str, int] = Cache()
    kept.put("a", 1)
    assert not pickle.loads(pickle.dumps(kept)).known(["a"])


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        ("x" * 1_000, 1_000, 1_100),
        (np.zeros((100, 384), np.float32), 153_600, 154_000),
        (tuple(f"word{number}" for number in range(1_500)), 75_000, 120_000),
        (Counter(f"word{number}" for number in range(1_500)), 100_000, 250_000),
        (Text.from_tokenized(" ".join(f"word{number}" for number in range(1_500))), 150_000, 500_000),
        ([["x" * 100 for _ in range(100)]], 800, 20_000),
    ],
)
def test_sizes_are_bytes_of_all_that_a_value_holds(value: object, least: int, most: int) -> None:
    assert least <= size_of(value) <= most


@pytest.mark.parametrize("key", ["word", ("one", "other"), 3])
@pytest.mark.parametrize(
    "value", [None, True, "other", frozenset(), frozenset({"a", "b"}), ["text", ("x", 1)], {"a": 2}]
)
def test_an_entry_takes_as_much_as_key_and_value(key: Hashable, value: object) -> None:
    budget = Budget()
    for kept in (value, key, [key]):
        cache: Cache[Hashable, object] = Cache(budget=budget)
        cache.put(key, kept)
        assert cache.young_bytes == ENTRY + size_of((key, kept))


def test_long_texts_take_no_more_than_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    BUDGET.empty()
    monkeypatch.setattr(BUDGET, "limit", 4 << 20)
    scorer = Scorer(esperanto(), ["sari", "bleu", "ibleu"])
    for number in range(4):
        text = " ".join(f"word{number}of{place}" for place in range(1_500))
        scorer.score([text], [text], [[text]], keep_items=False)
        assert 0 < BUDGET.used <= BUDGET.limit
    BUDGET.empty()
    assert BUDGET.used == 0
