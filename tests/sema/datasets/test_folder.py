from pathlib import Path

import pytest

from sema.datasets.folder import data_folder, data_path
from sema.errors import ResourceError


def test_the_variable_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SEMA_DATA", str(tmp_path))
    (tmp_path / "ud").mkdir()
    assert data_path("ud", "en_ewt") == tmp_path / "ud" / "en_ewt"
    assert data_folder("ud") == tmp_path / "ud"
    with pytest.raises(ResourceError, match="set SEMA_DATA"):
        data_folder("ucca")


def test_without_it_the_data_lies_beside_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEMA_DATA", raising=False)
    assert data_path() == Path(__file__).resolve().parents[4] / "shared" / "data"
