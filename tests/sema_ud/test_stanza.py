import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from sema_ud import generic
from sema_ud import stanza_provider as models
from sema_ud.extraction import DependencyExtractor
from sema_ud.trees import DependencyTree

from sema.errors import ResourceError
from sema.options import Settings
from tests.commands import one_line, write
from tests.conftest import Run
from tests.sema_ud.building import scenes, tree
from tests.sema_ud.stanza_models import NAME, write_installation


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


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as ``stanza.download`` leaves it, for the language ``fr``."""
    pytest.importorskip("stanza")
    folder: Path = tmp_path_factory.mktemp("stanza_resources")
    write_installation(folder)
    return folder


@pytest.mark.stress
def test_any_installed_language_is_segmented_and_parsed(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(installed))
    parts = generic("fr").parts(settings=Settings({"threads": 1}))
    texts = parts.segmenter.segment(["Ann sleeps. She likes the old dog.", " "])
    assert texts[0].words and not texts[1].words
    assert all(text.raw[token.start : token.end] == token.text for text in texts for token in text.tokens)
    graphs = parts.extractor.extract(texts[0].sentence_words)
    assert [graph.tokens for graph in graphs] == list(texts[0].sentence_words)
    assert ":fr:installed:" in parts.extractor.signature
    assert parts.aligner.align([(["Le", "mangeait"], ["mange"])])[0][0].source == 1


@pytest.mark.stress
def test_a_broken_installation_says_what_to_do(
    installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "resources"
    shutil.copytree(installed, broken)
    (broken / "fr" / "pos" / f"{NAME}.pt").write_bytes(b"no model")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(broken))
    with pytest.raises(ResourceError, match="run 'sema models install fr' again"):
        models.StanzaProvider("fr").parse([["a"]])


@pytest.mark.stress
def test_the_way_to_a_language_of_one_s_own_does_not_lead_in_a_circle(
    installed: Path, monkeypatch: pytest.MonkeyPatch, command: Run
) -> None:
    """What each line says to do is another thing than what was done, and at its end there are scores."""
    write("s.txt", "Ann sleeps.\n")
    score = ["score", "--lang", "ud:fr", "-s", "s.txt", "-o", "s.txt", "--metrics", "sema"]
    monkeypatch.setenv("STANZA_RESOURCES_DIR", "none")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "stanza", None)
        for arguments in (score, ["models", "install", "fr"]):
            one_line(command(*arguments), 1, "sema: the Python package 'stanza' is missing: pip install stanza\n")
    one_line(command(*score), 1, "run 'sema models install fr' while online")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(installed))  # as the command leaves it
    assert "s.txt" in command(*score).stdout
