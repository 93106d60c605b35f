"""A bounded cache that evicts the least recently used entries, so that a process can run for weeks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from sema.runtime.forks import SharedLock

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """A thread-safe mapping of the most recently used entries, up to a total size of ``capacity``.

    It looks up many values at a time; functions of single values use ``functools.lru_cache``. ``size`` gives an entry's
    size from its key (default: 1). Entries larger than the capacity are not kept.
    """

    def __init__(self, capacity: int, size: Callable[[Key], int] = lambda key: 1) -> None:
        self.capacity = capacity
        self._size_of = size
        self._used = 0
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = SharedLock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """The entries of these keys that are kept; they count as used."""
        with self._lock:
            found = {key: self._kept[key] for key in keys if key in self._kept}
            for key in found:
                self._kept.move_to_end(key)
        return found

    def lookup(self, keys: Iterable[Key], compute: Callable[[list[Key]], Iterable[Value]]) -> dict[Key, Value]:
        """The entries of these keys; the values of those that are not kept are computed in one call, and kept."""
        wanted = list(dict.fromkeys(keys))
        found = self.get(wanted)
        missing = [key for key in wanted if key not in found]
        for key, value in zip(missing, compute(missing) if missing else (), strict=True):
            found[key] = value
            self.put(key, value)
        return found

    def put(self, key: Key, value: Value) -> None:
        """Keep a value; evict the least recently used entries if necessary."""
        size = self._size_of(key)
        if size > self.capacity:
            return
        with self._lock:
            if key not in self._kept:
                self._used += size
            self._kept[key] = value
            self._kept.move_to_end(key)
            self._evict()

    def limit(self, capacity: int) -> None:
        """Change the capacity."""
        with self._lock:
            self.capacity = capacity
            self._evict()

    def _evict(self) -> None:
        while self._used > self.capacity:
            dropped, _ = self._kept.popitem(last=False)
            self._used -= self._size_of(dropped)
