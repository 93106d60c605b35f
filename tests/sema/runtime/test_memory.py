"""The threads of a process of ours share one heap; a user's program is left as it is."""

import ctypes
import subprocess
import sys

import pytest

from sema.runtime import memory
from tests.commands import environment


def test_a_c_library_without_heaps_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_ours", False)
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda name: object())
    memory.own_process()
    assert memory.is_own()


HEAPS = """
import ctypes, sys, threading
from sema.runtime.memory import own_process
if "own" in sys.argv:
    own_process()
ready = threading.Barrier(5)
def work():
    kept = [bytes(4000) for _ in range(100)]
    ready.wait()
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
ready.wait()
c = ctypes.CDLL(None)
c.fdopen.restype = ctypes.c_void_p
stream = ctypes.c_void_p(c.fdopen(1, b"w"))
c.malloc_info(0, stream)
c.fflush(stream)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="needs glibc")
def test_threads_share_a_heap_in_a_process_of_ours_alone() -> None:
    default = {"MALLOC_ARENA_MAX": "8", "GLIBC_TUNABLES": ""}

    def heaps(*words: str) -> int:
        command = [sys.executable, "-c", HEAPS, *words]
        run = subprocess.run(command, capture_output=True, text=True, env=environment(**default))
        assert run.returncode == 0, run.stderr
        return run.stdout.count("<heap nr=")

    assert heaps() > 1
    assert heaps("own") == 1
