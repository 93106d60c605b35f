"""Locks and cached properties that work in a fork of the process, whatever other threads held.

A fork has only the thread that forked: a lock that another thread held is never released there.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from threading import RLock
from typing import Any, TypeVar
from weakref import WeakSet

Value = TypeVar("Value")


class cached_property(functools.cached_property[Value]):
    """``functools.cached_property`` as Python 3.12 has it, without a lock.

    Python 3.11's holds one lock for all objects of a class while it computes. Two threads that come first both compute.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        super().__init__(compute)
        self.lock = nullcontext()


class SharedLock:
    """A lock, by default a reentrant one, that a fork of the process can take even if another thread held it."""

    def __init__(self, make: Callable[[], AbstractContextManager[Any]] = RLock) -> None:
        self._make = make
        self.renew()
        _LOCKS.add(self)

    def renew(self) -> None:
        """Replace the lock by one that nobody holds."""
        self._lock = self._make()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._make,)  # what is sent to another process is locked there for itself

    def __enter__(self) -> None:
        self._lock.__enter__()

    def __exit__(self, *error: object) -> None:
        self._lock.__exit__(*error)  # type: ignore[arg-type]


_LOCKS: WeakSet[SharedLock] = WeakSet()


def _renew_all() -> None:
    for lock in list(_LOCKS):
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
