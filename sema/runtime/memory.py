"""Memory that chunks have freed goes back to the system.

The C library keeps it where small arrays lie in between, as those that caches hold do: a fifth of the resident set
after ten thousand pairs with ``meaning``. To give it back takes some 3 ms.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from functools import cache
from typing import Any

SECONDS = 1.0
"""How long to wait before giving back again, so that who scores pair by pair does not notice."""

_last = -SECONDS


def give_back() -> None:
    """Have the C library return what it does not use, at most once in :data:`SECONDS`."""
    global _last
    now = time.monotonic()
    trim = _malloc_trim()
    if trim is not None and now - _last >= SECONDS:
        _last = now
        trim(0)


@cache
def _malloc_trim() -> Callable[[int], Any] | None:
    """The function of glibc; other systems' libraries do without one."""
    try:
        found: Callable[[int], Any] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return found
