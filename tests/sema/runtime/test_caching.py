from threading import Thread

import numpy as np

from sema.runtime.caching import BoundedCache


def test_only_what_was_used_last_is_kept() -> None:
    kept: BoundedCache[tuple[str, ...], np.ndarray] = BoundedCache(5, len)
    vectors = {name: np.zeros((2, 3), np.float16) for name in "abc"}
    for name in "ab":
        kept.put((name, name), vectors[name])
    assert set(kept.get([("a", "a")])) == {("a", "a")}
    kept.put(("c", "c"), vectors["c"])
    assert set(kept.get([(name, name) for name in "abc"])) == {("a", "a"), ("c", "c")}
    kept.put(("long",) * 6, np.zeros((6, 3), np.float16))
    assert kept.get([("long",) * 6]) == {}


def test_a_value_put_again_takes_its_room_once() -> None:
    kept: BoundedCache[str, int] = BoundedCache(2)
    for value in range(5):
        kept.put("a", value)
    kept.put("b", 1)
    assert kept.get(["a", "b", "c"]) == {"a": 4, "b": 1}
    assert len(kept) == 2


def test_threads_may_share_it() -> None:
    kept: BoundedCache[int, int] = BoundedCache(10)
    wrong: list[int] = []

    def work(seed: int) -> None:
        for number in range(2000):
            key = (number * seed) % 17
            kept.put(key, key)
            wrong.extend(value for entry, value in kept.get([key, key + 1]).items() if entry != value)

    threads = [Thread(target=work, args=(seed,)) for seed in (3, 5, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(kept) == 10


def test_uncached_values_are_computed_in_one_call() -> None:
    kept: BoundedCache[str, int] = BoundedCache(2)
    kept.put("a", 1)
    asked = []

    def compute(keys: list[str]) -> list[int]:
        asked.append(keys)
        return list(map(len, keys))

    assert kept.lookup(["bb", "a", "ccc", "bb"], compute) == {"a": 1, "bb": 2, "ccc": 3}
    assert kept.lookup(["bb", "ccc"], compute) == {"bb": 2, "ccc": 3}
    assert asked == [["bb", "ccc"]] and kept.get(["a"]) == {}
