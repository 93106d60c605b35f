"""Python's garbage collector while chunks are scored: at rest, and what a chunk leaves is old to it at once.

Nearly all that is made on the way (graphs, Scenes, links) is kept, and none of it in cycles. Looking at it again and
again finds nothing and takes a sixth of the time; looking once when a chunk is done, as Python would, a twentieth.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

UNSEEN = 1_000_000
"""Objects that chunks may leave, at first, before everything is looked at: some 200 MB, if all of it were garbage."""
MOST = 4 * UNSEEN
"""The same where looking has found little."""

_unseen = 0
_most = UNSEEN


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Let Python look for garbage neither in the midst of a chunk nor at what is left of it, but once in a while."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        _age()
        gc.enable()


def _age() -> None:
    """Count what is young among the old, or look at everything if much came to be since that was done last.

    Where that finds little, the next time comes when twice as much is there, as a look takes longer the more is kept.
    """
    global _unseen, _most
    if gc.get_freeze_count():  # somebody has put objects out of the collector's sight, and they must stay there
        return
    _unseen += gc.get_count()[0]
    if _unseen <= _most:
        gc.freeze()
        gc.unfreeze()
        return
    found = gc.collect()
    _most = UNSEEN if found > _unseen // 10 else min(2 * _most, MOST)
    _unseen = 0
