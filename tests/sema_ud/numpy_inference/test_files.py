from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sema_ud.numpy_inference.files import ABOUT, ModelFile, Unsupported, read_model, write_model

UNITS = ["<PAD>", "<UNK>", "他", "们"]
VOCAB = {"word": {"_id2unit": UNITS, "_unit2id": {unit: at for at, unit in enumerate(UNITS)}, "lower": True}}


def model() -> ModelFile:
    numbers = np.random.default_rng(0)
    weights = {"matrix": numbers.normal(size=(3, 5, 40)), "bias": numbers.normal(size=40), "short": np.ones((9, 3)) / 3}
    weights["zeros"] = np.zeros((2, 16))
    floats = {name: value.astype(np.float32) for name, value in weights.items()}
    return ModelFile({"layers": 2, "rate": None}, floats, VOCAB, {"model_type": "graph"})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    given = model()
    write_model(tmp_path / "model.npz", given, steps=15)
    found = read_model(tmp_path / "model.npz")
    assert (found.config, found.vocab, found.rest) == (given.config, VOCAB, given.rest)
    assert found.weights.keys() == given.weights.keys()
    assert all(found.weights[name].dtype == np.float32 for name in given.weights)
    matrix = given.weights["matrix"]
    assert (np.abs(found.weights["matrix"] - matrix) <= np.abs(matrix).max(-1, keepdims=True) / 29).all()
    for name in ("bias", "short"):
        np.testing.assert_array_equal(found.weights[name], given.weights[name].astype(np.float16))
    assert not found.weights["zeros"].any()


def test_matrices_have_eight_bits_or_sixteen(tmp_path: Path) -> None:
    write_model(tmp_path / "small.npz", model(), steps=127)
    write_model(tmp_path / "exact.npz", model(), steps=None)
    with np.load(tmp_path / "small.npz") as archive:
        assert archive["weights/matrix"].dtype == np.int8
    matrix = read_model(tmp_path / "exact.npz").weights["matrix"]
    np.testing.assert_array_equal(matrix, model().weights["matrix"].astype(np.float16))


def test_numbers_are_those_of_the_file_where_they_are_no_enumeration(tmp_path: Path) -> None:
    twice = {"_id2unit": ["a", "b", "a"], "_unit2id": {"a": 0, "b": 1}}
    write_model(tmp_path / "model.npz", ModelFile({}, {}, twice), steps=None)
    assert read_model(tmp_path / "model.npz").vocab == twice


def saved(path: Path, **entries: object) -> None:
    np.savez(path, allow_pickle=True, **{name: np.asarray(value) for name, value in entries.items()})


def test_nothing_in_a_file_is_executed(tmp_path: Path) -> None:
    saved(tmp_path / "model.npz", **{ABOUT: np.array([Path("harm")], object)})
    with pytest.raises(Unsupported, match="allow_pickle=False"):
        read_model(tmp_path / "model.npz")


@pytest.mark.parametrize("content", [b"", b"PK", b"no model", b"PK\x03\x04 cut short"])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "model.npz").write_bytes(content)
    with pytest.raises(Unsupported):
        read_model(tmp_path / "model.npz")


@pytest.mark.parametrize("about", [b"", b"[]", b"{}", json.dumps({"config": {}, "vocab": [], "rest": {}}).encode()])
def test_archives_of_other_things_are_refused(about: bytes, tmp_path: Path) -> None:
    saved(tmp_path / "model.npz", **{ABOUT: np.frombuffer(about, np.uint8)})
    with pytest.raises(Unsupported):
        read_model(tmp_path / "model.npz")
    with zipfile.ZipFile(tmp_path / "other.npz", "w") as archive:
        archive.writestr("text", "no arrays")
    with pytest.raises(Unsupported):
        read_model(tmp_path / "other.npz")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=r"model\.npz cannot be read"):
        read_model(tmp_path / "model.npz")


def test_options_are_compared_and_absent_ones_are_false() -> None:
    model = ModelFile({"charlm": True, "layers": 2, "rate": 0}, {"w": np.zeros(1, np.float32)}, {})
    model.require(layers=2, rate=False, other=None)
    with pytest.raises(Unsupported, match="charlm is True"):
        model.require(charlm=False)
    with pytest.raises(Unsupported, match="other is None"):
        model.require(other=True)
