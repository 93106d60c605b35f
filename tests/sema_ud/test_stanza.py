from collections.abc import Sequence
from pathlib import Path

import pytest
from sema_ud import stanza_provider as models
from sema_ud.extraction import DependencyExtractor
from sema_ud.trees import DependencyTree

from sema.errors import ResourceError
from tests.sema_ud.building import scenes, tree


class Fixed:
    signature = "fixed"

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[DependencyTree]:
        return [tree("Ann PROPN 2 nsubj\nsang VERB 0 root") for _ in sentences]


def test_any_provider_of_trees_will_do() -> None:
    extractor = DependencyExtractor(Fixed(), heads="root")
    (graph,) = extractor.extract([["Ann", "sang"]])
    assert scenes(graph) == [(["sang"], [["Ann"]])]
    assert extractor.signature == "ud(heads:root,fixed)"


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
    with pytest.raises(ResourceError, match="sema models install fr"):
        models.find_models("fr")
    stanza = pytest.importorskip("stanza")
    monkeypatch.setattr(stanza, "download", lambda code, model_dir, verbose: pretend_installed(Path(model_dir), code))
    assert str(nothing_installed / "fr") in models.install("fr")
    assert models.find_models("fr") == nothing_installed / "fr"


def test_a_download_that_fails_is_one_sentence(nothing_installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stanza = pytest.importorskip("stanza")

    def offline(*_: object, **__: object) -> None:
        raise ConnectionError("no route\nto host")

    monkeypatch.setattr(stanza, "download", offline)
    with pytest.raises(ResourceError, match=r"could not be downloaded \(ConnectionError: no route to host\)"):
        models.install("fr")
