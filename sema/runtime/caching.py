"""Caches of results computed from texts. They count bytes, and all of them share one budget (:data:`BUDGET`).

When the budget is full, all its caches are emptied: they fill again with what is still used. So reading an entry costs
no more than a look into a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Set
from functools import partial, wraps
from inspect import signature
from itertools import islice
from sys import getsizeof
from typing import Any, ParamSpec, TypeVar, cast
from weakref import WeakSet

from sema.runtime.forks import SharedLock

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")

LIMIT = 1 << 28
"""Bytes that the caches of a process hold together."""
ENTRY = 200
"""Bytes that an entry takes besides its key and value."""
SAMPLED = 8
"""About how many parts of a large container :func:`size_of` looks at."""
_MISSING: Any = object()


class Budget:
    """The owner of some caches: it bounds their bytes, ``limit`` in all, and can empty them."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.used = 0
        self._caches: WeakSet[Cache[Any, Any]] = WeakSet()
        self._lock = SharedLock()

    def register(self, cache: Cache[Any, Any]) -> None:
        """Own a cache, for as long as something else refers to it."""
        with self._lock:
            self._caches.add(cache)

    def empty(self) -> None:
        """Empty all caches."""
        with self._lock:
            for cache in self._caches:
                cache.clear()
                cache.bytes = 0
            self.used = 0

    def store(self, cache: Cache[Key, Value], key: Key, value: Value, size: int) -> None:
        """Keep an entry, in place of all others if there is no room; one larger than the budget is not kept."""
        with self._lock:
            if key not in cache:
                if self.used + size > self.limit:
                    self.used = sum(known.bytes for known in self._caches)  # some caches may be gone
                    if self.used + size > self.limit:
                        self.empty()
                if size > self.limit:
                    return
                self.used += size
                cache.bytes += size
            cache[key] = value


BUDGET = Budget()
"""The owner of every cache that names no other."""


class Cache(dict[Key, Value]):
    """Values by key, for as long as the budget has room; threads may share it.

    Args:
        compute: computes the value of ``cache[key]`` if it is not kept.
        size: an entry's bytes, if :func:`size_of` cannot see everything that will belong to it.
        budget: the owner.
    """

    __hash__ = object.__hash__  # type: ignore[assignment]  # the mapping can change, and is compared by identity

    def __init__(
        self,
        compute: Callable[[Key], Value] | None = None,
        *,
        size: Callable[[Key, Value], int] | None = None,
        budget: Budget | None = None,
    ) -> None:
        super().__init__()
        self.bytes = 0
        self._compute, self._size, self._budget = compute, size, budget or BUDGET
        self._budget.register(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Cache, size=self._size), (self._compute,)

    def __missing__(self, key: Key) -> Value:
        if self._compute is None:
            raise KeyError(key)
        value = self._compute(key)
        self.put(key, value)
        return value

    def put(self, key: Key, value: Value) -> None:
        """Keep a value."""
        size = _size_of_entry(key, value) if self._size is None else self._size(key, value)
        self._budget.store(self, key, value, ENTRY + size)

    def lookup(self, keys: Iterable[Key], compute: Callable[[list[Key]], Iterable[Value]]) -> dict[Key, Value]:
        """The entries of these keys; the values of those that are not kept are computed in one call, and kept."""
        found = {key: self.get(key, _MISSING) for key in keys}
        missing = [key for key, value in found.items() if value is _MISSING]
        for key, value in zip(missing, compute(missing) if missing else (), strict=True):
            found[key] = value
            self.put(key, value)
        return found


def remembered(function: Callable[Arguments, Value], *, budget: Budget | None = None) -> Callable[Arguments, Value]:
    """A function of texts or words, given by position, whose results are kept in a :class:`Cache`."""
    compute = cast(Callable[..., Value], function)
    if len(signature(function).parameters) == 1:
        cache: Cache[Any, Value] = Cache(compute, budget=budget)

        def call(argument: Any) -> Value:
            return cache[argument]
    else:
        cache = Cache(lambda arguments: compute(*arguments), budget=budget)

        def call(*arguments: Any) -> Value:  # type: ignore[misc]
            return cache[arguments]

    return cast(Callable[Arguments, Value], wraps(function)(call))


_PLAIN = frozenset({str, bytes, int, float, bool})
_CONTAINERS = frozenset({tuple, list, set, frozenset})
_PAIR = getsizeof((None, None))


def size_of(value: object) -> int:
    """Bytes of a value with everything it refers to; long containers are estimated from some of their parts."""
    return int(_size(value, set()))


def _size_of_entry(key: object, value: object) -> int:
    """The size of a key and a value together. Most are words: a full count would take longer than computing them."""
    if type(key) not in _PLAIN:
        return size_of((key, value))
    size = _PAIR + getsizeof(key)
    if value is None or value is key:
        return size
    return size + (getsizeof(value) if type(value) in _PLAIN else int(_size(value, {id(key)})))


def _size(value: object, seen: set[int]) -> float:
    if value is None or id(value) in seen:
        return 0
    seen.add(id(value))
    total = getsizeof(value)
    kind = type(value)  # nearly all values are of these types, and the checks below are slow
    if kind in _PLAIN:
        return total
    if kind in _CONTAINERS:
        return total + _parts(value, len(value), seen)  # type: ignore[arg-type]
    if isinstance(value, str | bytes | int | float):
        return total
    if callable(value):
        return 0
    array = getattr(value, "nbytes", None)
    if isinstance(array, int):  # an array, which may be a view of another one
        return max(total, array)
    if isinstance(value, Mapping):
        return total + _parts(value.keys(), len(value), seen) + _parts(value.values(), len(value), seen)
    if isinstance(value, list | tuple | Set):
        return total + _parts(value, len(value), seen)
    slots = (name for kind in type(value).__mro__ for name in vars(kind).get("__slots__", ()) if name != "__dict__")
    attributes = [*getattr(value, "__dict__", {}).values(), *(getattr(value, name, None) for name in slots)]
    return total + sum(_size(attribute, seen) for attribute in attributes)


def _parts(values: Iterable[object], count: int, seen: set[int]) -> float:
    step = max(1, count // SAMPLED)
    sampled = values if step == 1 else list(islice(values, 0, None, step))
    total = 0.0
    for value in sampled:
        if type(value) not in _PLAIN:
            total += _size(value, seen)
        elif id(value) not in seen:
            seen.add(id(value))
            total += getsizeof(value)
    return total if sampled is values else total * count / len(sampled)  # type: ignore[arg-type]
