"""ONNX Runtime: models on one core a session, offline.

Import ``onnxruntime`` through :func:`onnx_runtime` only: unless ``ORT_DISABLE_TELEMETRY`` is set before it is loaded,
it collects usage data, writes a device id to the user's folder and looks up hosts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sema.errors import ResourceError, one_line
from sema.runtime.forks import SharedLock


def onnx_runtime() -> Any:
    """The module ``onnxruntime``, loaded with its telemetry off."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


class Session:
    """A model that runs each batch on one core (batches run in parallel), or on the GPU if there is one.

    Args:
        file: the model's file, which errors name.
        model: the serialized model, if it is not what the file holds.
        without: ONNX Runtime's optimizers to leave out.

    Making and running it raises :class:`~sema.errors.ResourceError`, or ``MemoryError`` when the memory is full.
    """

    def __init__(self, file: Path, model: bytes | None = None, *, without: tuple[str, ...] = ()) -> None:
        ort = onnx_runtime()
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Planning buffers saves no time: reuse takes half of the loading time, patterns take memory for every shape.
        options.enable_mem_reuse = options.enable_mem_pattern = False
        if _shares_buffers():
            options.add_session_config_entry("session.use_env_allocators", "1")
        wanted = ("CUDAExecutionProvider", "CPUExecutionProvider")
        providers = [name for name in wanted if name in ort.get_available_providers()]
        self._name = file.name
        with self._reported():
            given = model or str(file)
            self._session = ort.InferenceSession(given, options, providers=providers, disabled_optimizers=without)
        self._session._model_bytes = None  # kept for providers that fail later, and as large as the weights

    def run(self, *given: Any) -> Any:
        """The model's outputs (arguments as for ``InferenceSession.run``)."""
        with self._reported():
            return self._session.run(*given)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # ONNX Runtime's exceptions have no common base class
            message = one_line(error)
            if "alloc" in message:
                raise MemoryError(message) from error
            raise ResourceError(f"the model {self._name} fails ({message[:200]}); reinstall its package") from error


def _shares_buffers() -> bool:
    """Whether all sessions share buffers, which some versions of ONNX Runtime refuse; else each keeps its most."""
    with _sharing:  # only one thread registers them
        return _registered()


@cache
def _registered() -> bool:
    ort = onnx_runtime()
    kind = ort.OrtMemoryInfo("Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT)
    try:
        ort.create_and_register_allocator(kind, None)
    except Exception:  # ONNX Runtime's exceptions have no common base class
        return False
    return True


_sharing = SharedLock()


session = lru_cache(maxsize=8)(Session)
"""The session of a file: stateless and thread-safe, so that a process needs one per file."""
