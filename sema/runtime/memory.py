"""Two settings of the command line's process and of workers; a program that uses the library is left as it is.

* Python looks for garbage rarely: nearly all objects of a chunk (graphs, Scenes, links) are kept and form no cycles.
  Looking as often as by default takes a tenth of the time.
* All threads share one heap of the C library. Each would have its own, whose gaps other threads cannot use: a tenth of
  the memory of a process that has scored a thousand pairs.
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

NEW_OBJECTS = 1_000_000
"""New objects before Python looks for garbage: about 200 MB, if all of them were garbage."""
_ONE_HEAP = (-8, 1)
"""``M_ARENA_MAX`` of ``mallopt``, and its value."""

_ours = False


def own_process() -> None:
    """Mark this process as ours, and make the settings."""
    global _ours
    _ours = True
    gc.set_threshold(NEW_OBJECTS)
    with suppress(AttributeError, OSError, TypeError):  # a C library without it
        ctypes.CDLL(None).mallopt(*_ONE_HEAP)


def is_own() -> bool:
    """Whether this process is ours."""
    return _ours
