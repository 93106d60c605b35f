from pathlib import Path

import pytest
from sema_ud import stanza_provider as models

from sema.errors import ResourceError


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


def test_a_language_without_models_says_how_to_get_them_and_then_where_they_are(
    nothing_installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stanza = pytest.importorskip("stanza")
    with pytest.raises(ResourceError, match="sema models install fr"):
        models.find_models("fr")
    monkeypatch.setattr(stanza, "download", lambda code, model_dir, verbose: pretend_installed(Path(model_dir), code))
    assert str(nothing_installed / "fr") in models.install("fr")
    assert models.find_models("fr").folder == nothing_installed / "fr"


def test_a_download_that_fails_is_one_sentence(nothing_installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stanza = pytest.importorskip("stanza")

    def offline(*_: object, **__: object) -> None:
        raise ConnectionError("no route\nto host")

    monkeypatch.setattr(stanza, "download", offline)
    with pytest.raises(ResourceError, match=r"could not be downloaded \(ConnectionError: no route to host\)"):
        models.install("fr")
