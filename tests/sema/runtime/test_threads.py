from concurrent.futures import CancelledError
from threading import Event

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from sema.runtime import threads as module
from sema.runtime.threads import each, one_blas_thread, stoppable


def threads() -> set[int]:
    np.ones((2, 2)) @ np.ones((2, 2))  # loads the library
    return {library["num_threads"] for library in ThreadpoolController().info() if library["user_api"] == "blas"}


def test_blas_keeps_to_one_thread_and_gets_its_threads_back() -> None:
    module._libraries.cache_clear()  # other tests may have loaded more libraries since it was filled
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        before = threads()
        with one_blas_thread():
            with one_blas_thread():
                assert threads() == {1}
            assert threads() == {1}
        assert threads() == before


@pytest.mark.parametrize("threads", [1, 3])
def test_every_batch_is_worked_on_until_the_work_is_stopped(threads: int) -> None:
    done: list[int] = []
    each(done.append, range(9), threads)
    assert sorted(done) == list(range(9))
    stop = Event()
    stop.set()
    with stoppable(stop.is_set), pytest.raises(CancelledError):
        each(done.append, range(9), threads)
