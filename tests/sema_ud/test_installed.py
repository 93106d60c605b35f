import shutil
import sys
from pathlib import Path

import pytest
from sema_ud import generic
from sema_ud.stanza_provider import StanzaProvider

from sema.cli.main import main
from sema.errors import ResourceError
from sema.options import Settings
from tests.sema_ud.stanza_models import NAME, write_installation

pytest.importorskip("stanza")
pytestmark = pytest.mark.stress


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as ``stanza.download`` leaves it, for the language ``fr``."""
    folder: Path = tmp_path_factory.mktemp("stanza_resources")
    write_installation(folder)
    return folder


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


def test_a_broken_installation_says_what_to_do(
    installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "resources"
    shutil.copytree(installed, broken)
    (broken / "fr" / "pos" / f"{NAME}.pt").write_bytes(b"no model")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(broken))
    with pytest.raises(ResourceError, match="run 'sema models install fr' again"):
        StanzaProvider("fr").parse([["a"]])


def test_the_way_to_a_language_of_one_s_own_does_not_lead_in_a_circle(
    installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What each line says to do is another thing than what was done, and at its end there are scores."""
    text = tmp_path / "s.txt"
    text.write_text("Ann sleeps.\n", encoding="utf-8")
    score = ["score", "--lang", "ud:fr", "-s", str(text), "-o", str(text), "--metrics", "sema"]
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "none"))
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "stanza", None)
        for command in (score, ["models", "install", "fr"]):
            assert main(command) == 1
            assert capsys.readouterr().err == "sema: the Python package 'stanza' is missing: pip install stanza\n"
    assert main(score) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "run 'sema models install fr' while online" in error
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(installed))  # as the command leaves it
    assert main(score) == 0
    assert "s.txt" in capsys.readouterr().out
