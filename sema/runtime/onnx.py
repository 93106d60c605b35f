"""ONNX Runtime: models on one core a session, offline.

Import ``onnxruntime`` through :func:`onnx_runtime` only: unless ``ORT_DISABLE_TELEMETRY`` is set before it is loaded,
it collects usage data, writes a device id to the user's folder and looks up hosts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from sema.errors import ResourceError, one_line


def onnx_runtime() -> Any:
    """The module ``onnxruntime``, loaded with its telemetry off."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


@lru_cache(maxsize=8)
def session(file: Path, *, without: tuple[str, ...] = ()) -> Session:
    """The session of a file (:class:`Session`): stateless and thread-safe, so that a process needs one per file."""
    return make_session(str(file), file, without=without)


def make_session(model: str | bytes, file: Path, *, without: tuple[str, ...] = ()) -> Session:
    """A session that runs each batch on one core (batches run in parallel), or on the GPU if there is one.

    Args:
        model: a file's name, or a serialized model.
        file: what errors name.
        without: ONNX Runtime's optimizers that are left out.
    """
    ort = onnx_runtime()
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    wanted = ("CUDAExecutionProvider", "CPUExecutionProvider")
    providers = [name for name in wanted if name in ort.get_available_providers()]
    with _reported(file):
        found = ort.InferenceSession(model, options, providers=providers, disabled_optimizers=without)
    return Session(found, file)


class Session:
    """A model of ONNX Runtime whose failures are raised as :class:`~sema.errors.ResourceError`."""

    def __init__(self, found: Any, file: Path) -> None:
        self._found, self._file = found, file

    def run(self, *given: Any) -> Any:
        """The model's outputs (arguments as for ``InferenceSession.run``).

        Raises:
            MemoryError: the memory is full.
            ResourceError: it fails for another reason.
        """
        with _reported(self._file):
            return self._found.run(*given)


@contextmanager
def _reported(file: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # ONNX Runtime's exceptions have no common base class
        message = one_line(error)
        if "alloc" in message:
            raise MemoryError(message) from error
        raise ResourceError(f"the model {file.name} fails ({message[:200]}); reinstall its package") from error
