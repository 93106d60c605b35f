import hashlib
import json
import shutil
from pathlib import Path

import pytest
from sema_ud import models

from sema.errors import ResourceError
from sema.runtime import checksums


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "stanza_resources"
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(folder))
    return folder


def pretend_installed(folder: Path, language: str) -> None:
    for processor in models.PROCESSORS:
        (folder / language / processor).mkdir(parents=True)
        (folder / language / processor / "default.pt").write_bytes(b"weights")
    (folder / "resources.json").write_text("{}")


def shipped_copy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of shipped models with small files and their true checksums."""
    folder = tmp_path / "models" / "zh-hans"
    folder.mkdir(parents=True)
    sums = {}
    for name in ("tokenize.onnx", "trees.onnx"):
        (folder / name).write_bytes(name.encode())
        sums[name] = hashlib.sha256(name.encode()).hexdigest()
    (folder / checksums.RECORD).write_text(json.dumps(sums))
    monkeypatch.setattr(models, "shipped_folder", {"zh-hans": folder}.get)
    return folder


def test_the_shipped_models_are_small_whole_and_checked(nothing_installed: Path) -> None:
    found = models.find_models("zh-hans")
    assert found.shipped and len(found.fingerprint) == 12
    files = [file for file in found.folder.iterdir() if file.name not in {checksums.RECORD, "MODEL_CARD.md"}]
    listed = json.loads((found.folder / checksums.RECORD).read_text())
    assert sorted(listed) == sorted(file.name for file in files)
    assert sum(file.stat().st_size for file in files) < 21_000_000


def test_the_users_own_models_come_first(nothing_installed: Path) -> None:
    pretend_installed(nothing_installed, "zh-hans")
    assert not models.find_models("zh-hans").shipped
    assert models.find_models("zh-hans", prefer_shipped=True).shipped


def test_a_language_without_models_says_how_to_get_them(nothing_installed: Path) -> None:
    with pytest.raises(ResourceError, match="sema models install fr"):
        models.find_models("fr")
    assert not models.is_available("fr") and models.is_available("zh-hans")
    pretend_installed(nothing_installed, "fr")
    assert models.is_available("fr") and models.find_models("fr").folder == nothing_installed / "fr"


def test_a_damaged_file_is_refused(nothing_installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = shipped_copy(monkeypatch, tmp_path)
    (folder / "trees.onnx").write_bytes(b"other")
    with pytest.raises(ResourceError, match="damaged"):
        models.find_models("zh-hans")


def test_a_missing_file_is_named(nothing_installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = shipped_copy(monkeypatch, tmp_path)
    (folder / "trees.onnx").unlink()
    with pytest.raises(ResourceError, match=r"trees\.onnx is missing"):
        models.find_models("zh-hans")


def test_undamaged_models_are_found(nothing_installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = shipped_copy(monkeypatch, tmp_path)
    assert models.find_models("zh-hans").folder == folder
    shutil.rmtree(folder)


def test_a_download_that_fails_is_one_sentence(nothing_installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stanza = pytest.importorskip("stanza")

    def offline(*_: object, **__: object) -> None:
        raise ConnectionError("no route\nto host")

    monkeypatch.setattr(stanza, "download", offline)
    with pytest.raises(ResourceError, match=r"could not be downloaded \(ConnectionError: no route to host\)"):
        models.install("fr")


def test_a_download_that_succeeds_says_where_the_models_are(
    nothing_installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stanza = pytest.importorskip("stanza")
    monkeypatch.setattr(stanza, "download", lambda code, model_dir, verbose: pretend_installed(Path(model_dir), code))
    assert str(nothing_installed / "fr") in models.install("fr")
