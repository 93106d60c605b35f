"""ONNX Runtime: models on one core a session, offline.

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

from sema.errors import ResourceError
from sema.runtime.pruning import pruned


def onnx_runtime() -> Any:
    """The module ``onnxruntime``, loaded with its telemetry off."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


@lru_cache(maxsize=8)
def session(file: Path, outputs: tuple[str, ...] = ()) -> Any:
    """A session that runs each batch on one core (batches run beside each other), or on the GPU if there is one.

    A session holds no state between runs and may be used from several threads, so one for each file serves the process.
    ``outputs`` leaves out what these outputs of the model do not need; none: all of it.
    """
    ort = onnx_runtime()
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    wanted = ("CUDAExecutionProvider", "CPUExecutionProvider")
    providers = [name for name in wanted if name in ort.get_available_providers()]
    with _told(file):
        model = pruned(file.read_bytes(), outputs) if outputs else str(file)
        return Session(ort.InferenceSession(model, options, providers=providers), file)


class Session:
    """A model of ONNX Runtime, whose failures are errors of ours."""

    def __init__(self, found: Any, file: Path) -> None:
        self._found, self._file = found, file

    def run(self, *given: Any) -> Any:
        """What the model makes of its inputs (as ``InferenceSession.run`` takes them).

        Raises:
            MemoryError: the memory is full.
            ResourceError: it fails for another reason.
        """
        with _told(self._file):
            return self._found.run(*given)


@contextmanager
def _told(file: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # each kind of failure has a class of its own, with no base but this one
        said = " ".join(str(error).split())
        if "alloc" in said:
            raise MemoryError(said) from error
        raise ResourceError(f"the model {file.name} fails ({said[:200]}); reinstall its package") from error
