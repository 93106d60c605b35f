from __future__ import annotations

import pickle
import zipfile
from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest
from sema_ud.numpy_inference.files import ModelFile, Unsupported, read, read_model


class Harm:
    """Unpickled, it would make a folder."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (Path.mkdir, (Path("harm"),))  # type: ignore[arg-type]


@pytest.mark.parametrize("zipped", [True, False])
def test_files_saved_by_torch_are_read_without_torch(zipped: bool, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    numbers = torch.arange(12, dtype=torch.float32).reshape(3, 4)
    shared = torch.arange(5)
    saved = {
        "model": OrderedDict(turned=numbers.t(), half=numbers[1:].half(), part=shared[2:], same=shared[:2]),
        "text": {"words": ["他", "们"], "bytes": b"\x00\xff", "none": None},
    }
    torch.save(saved, tmp_path / "model.pt", _use_new_zipfile_serialization=zipped)
    found = read(tmp_path / "model.pt")
    assert found["text"] == saved["text"]
    for name, tensor in saved["model"].items():
        assert found["model"][name].tolist() == tensor.tolist(), name


def test_nothing_in_a_file_is_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile(tmp_path / "model.pt", "w") as archive:
        archive.writestr("model/data.pkl", pickle.dumps({"model": Harm()}))
    with pytest.raises(Unsupported, match="mkdir"):
        read(tmp_path / "model.pt")
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize("content", [b"", b"PK", b"no model", b"PK\x03\x04 cut short", pickle.dumps(1, 2) * 5])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "model.pt").write_bytes(content)
    with pytest.raises(Unsupported):
        read_model(tmp_path / "model.pt")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=r"model\.pt cannot be read"):
        read_model(tmp_path / "model.pt")


def test_options_are_compared_and_absent_ones_are_false() -> None:
    model = ModelFile({"charlm": True, "layers": 2, "rate": 0}, {"w": np.zeros(1, np.float32)}, {}, {})
    model.require(layers=2, rate=False, other=None)
    with pytest.raises(Unsupported, match="charlm is True"):
        model.require(charlm=False)
    with pytest.raises(Unsupported, match="other is None"):
        model.require(other=True)
