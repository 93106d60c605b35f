"""Work in batches and threads: everything is done once, and libraries keep to the threads that they are given."""

import os
from concurrent.futures import CancelledError
from threading import Event

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import ThreadpoolController

from sema.runtime import threads as module
from sema.runtime.batching import batches, equal_batches, padded
from sema.runtime.onnx import onnx_runtime
from sema.runtime.threads import each, one_blas_thread, stoppable

SIZES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40)


@given(SIZES)
def test_every_entry_is_in_one_batch_and_every_batch_fits(sizes: list[tuple[int, int]]) -> None:
    def fits(count: int, size: tuple[int, ...]) -> bool:
        return count * size[0] * size[1] <= 200

    grouped = batches(sizes, fits)
    assert sorted(index for batch in grouped for index in batch) == list(range(len(sizes)))
    for batch in grouped:
        widest = tuple(max(sizes[index][side] for index in batch) for side in (0, 1))
        assert len(batch) == 1 or fits(len(batch), widest)
    assert [sizes[index] for batch in grouped for index in batch] == sorted(sizes)


@given(st.lists(st.integers(1, 50), max_size=30))
def test_a_batch_has_entries_of_one_padded_size(sizes: list[int]) -> None:
    grouped = equal_batches(sizes, 100)
    assert sorted(index for group in grouped for index in group) == list(range(len(sizes)))
    for group in grouped:
        (size,) = {padded(sizes[index]) for index in group}
        assert len(group) == 1 or len(group) * size <= 100


def test_blas_keeps_to_one_thread_and_gets_its_threads_back() -> None:
    def threads() -> set[int]:
        np.ones((2, 2)) @ np.ones((2, 2))  # loads the library
        return {library["num_threads"] for library in ThreadpoolController().info() if library["user_api"] == "blas"}

    module._libraries.cache_clear()  # other tests may have loaded more libraries since it was filled
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        before = threads()
        with one_blas_thread():
            with one_blas_thread():
                pass
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


def test_telemetry_is_off_wherever_the_runtime_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    assert hasattr(onnx_runtime(), "InferenceSession")
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
