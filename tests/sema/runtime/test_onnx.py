import os

import pytest

from sema.runtime.onnx import onnx_runtime
from sema.runtime.threads import TORCH_THREADS, available_cores, torch_threads


def test_telemetry_is_off_wherever_the_runtime_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    assert hasattr(onnx_runtime(), "InferenceSession")
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"


def test_torch_is_limited_for_a_while() -> None:
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    with torch_threads(None):
        assert torch.get_num_threads() == TORCH_THREADS
        with torch_threads(2):
            assert torch.get_num_threads() == 2
        assert torch.get_num_threads() == TORCH_THREADS
    assert torch.get_num_threads() == before
    assert available_cores() >= 1
