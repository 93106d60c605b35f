"""A cache that forgets: what was used last stays, within a bound, so that a process can run for weeks.

For functions of one word ``functools.lru_cache`` with a ``maxsize`` does the same; this one is for values that are
found many at a time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """A mapping that keeps what was used last, up to ``capacity`` altogether. Safe to use from several threads.

    ``size`` says how much of the capacity an entry takes, by its key (default: 1). What is larger than the capacity
    itself is not kept.
    """

    def __init__(self, capacity: int, size: Callable[[Key], int] = lambda key: 1) -> None:
        self.capacity = capacity
        self._size_of = size
        self._used = 0
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, key: object) -> bool:
        return key in self._kept

    def get(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """What is kept of these keys; it counts as used now."""
        with self._lock:
            found = {key: self._kept[key] for key in keys if key in self._kept}
            for key in found:
                self._kept.move_to_end(key)
        return found

    def put(self, key: Key, value: Value) -> None:
        """Keep a value; what was not used for longest makes room."""
        with self._lock:
            if key not in self._kept:
                self._used += self._size_of(key)
            self._kept[key] = value
            self._kept.move_to_end(key)
            while self._used > self.capacity:
                dropped, _ = self._kept.popitem(last=False)
                self._used -= self._size_of(dropped)
