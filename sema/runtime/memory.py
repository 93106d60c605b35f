"""One heap of the C library for all threads, in the command line's process and in workers.

glibc gives threads heaps of their own, whose gaps other threads cannot use: a tenth of the memory of a process that has
scored a thousand pairs. Python's threads take turns, so one heap serves all. The setting affects a whole process, so a
program that uses the library is left as it is.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

_ONE_HEAP = (-8, 1)
"""``M_ARENA_MAX`` of ``mallopt``, and its value."""


def own_process() -> None:
    """Have all threads to come share one heap; for a process that is sema's own."""
    with suppress(AttributeError, OSError, TypeError):  # a C library without it
        ctypes.CDLL(None).mallopt(*_ONE_HEAP)
