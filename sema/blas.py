"""One thread for NumPy's matrix products while a batch is worked on.

The products here are small. Sharing one out among BLAS threads gains nothing, and the threads that wait for the next
one keep the processor from ONNX Runtime: two threads of each took a quarter longer than with one for BLAS.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

_lock = Lock()
_within = 0
_limit: Any = None


@cache
def _libraries() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS to one thread. Several threads may be inside at a time: the last to leave puts back what was set."""
    global _within, _limit
    with _lock:
        if not _within:
            _limit = _libraries().limit(limits=1, user_api="blas")
        _within += 1
    try:
        yield
    finally:
        with _lock:
            _within -= 1
            if not _within:
                _limit.restore_original_limits()
