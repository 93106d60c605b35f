from __future__ import annotations

import numpy as np
from threadpoolctl import ThreadpoolController

from sema.runtime.threads import one_blas_thread


def threads() -> set[int]:
    np.ones((2, 2)) @ np.ones((2, 2))  # loads the library
    return {library["num_threads"] for library in ThreadpoolController().info() if library["user_api"] == "blas"}


def test_blas_keeps_to_one_thread_and_gets_its_threads_back() -> None:
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        before = threads()
        with one_blas_thread():
            with one_blas_thread():
                assert threads() == {1}
            assert threads() == {1}
        assert threads() == before
