"""Where models run: ONNX Runtime (offline, one core a session) and torch, and how many cores there are.

Everything that wants ``onnxruntime`` gets it from :func:`onnx_runtime`: it collects usage data unless it is told not to
before it is loaded. With ``ORT_DISABLE_TELEMETRY`` set it writes no device id to the user's folder and looks no host
up.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

TORCH_THREADS = 1
"""Threads of torch's models unless told otherwise: batches of sentences are too small to gain much from a second one,
and beside another busy process threads that wait for each other take ten times as long."""


def available_cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this platform
        return os.cpu_count() or 1


def onnx_runtime() -> Any:
    """The module ``onnxruntime``, loaded with its telemetry off."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


@lru_cache(maxsize=8)
def session(file: Path) -> Any:
    """A session that runs each batch on one core (batches run beside each other), or on the GPU if there is one.

    A session holds no state between runs and may be used from several threads, so one for each file serves the process.
    """
    ort = onnx_runtime()
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    wanted = ("CUDAExecutionProvider", "CPUExecutionProvider")
    providers = [name for name in wanted if name in ort.get_available_providers()]
    return ort.InferenceSession(str(file), options, providers=providers)


@contextmanager
def torch_threads(threads: int | None) -> Iterator[None]:
    """Limit torch to that many threads (``None``: :data:`TORCH_THREADS`); afterwards it has what it had before."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(threads or TORCH_THREADS)
    try:
        yield
    finally:
        torch.set_num_threads(before)
