"""The Chinese models run without Stanza: the same words and trees as an installation of the same models has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sema_chinese import MODELS
from sema_chinese.provider import ChineseProvider
from sema_chinese.segmentation.segmenter import MODEL_CODE, ChineseSegmenter
from sema_ud.conllu import read_sentences

pytest.importorskip("stanza")
installation = pytest.importorskip("training.ud.installation")
TEXTS = Path(__file__).parents[1].joinpath("data", "chinese.txt").read_text(encoding="utf-8").splitlines()
TREEBANKS = ("zh_gsdsimp/zh_gsdsimp-ud-test", "zh_gsd/zh_gsd-ud-dev", "zh_hk/zh_hk-ud-test", "zh_pud/zh_pud-001-500")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("stanza_resources")
    installation.write_installation(MODELS, MODEL_CODE, folder)
    return folder


@pytest.fixture(autouse=True)
def stanza_is_installed(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(installed))


def both(threads: int | None = None) -> tuple[ChineseSegmenter, ChineseSegmenter, ChineseProvider, ChineseProvider]:
    segmenters = [ChineseSegmenter(prefer_shipped=shipped, threads=threads) for shipped in (True, False)]
    providers = [ChineseProvider(prefer_shipped=shipped, threads=threads) for shipped in (True, False)]
    assert [one.models.shipped for one in segmenters] == [True, False]
    assert [":shipped:" in one.signature for one in providers] == [True, False]
    return *segmenters, *providers  # type: ignore[return-value]


@pytest.mark.parametrize("threads", [1, 3])
def test_words_and_trees_are_stanzas(threads: int) -> None:
    ours, stanza, trees, stanzas_trees = both(threads)
    texts = [*TEXTS, "", " \x85", "\x80", "\x91好\x92 吗", "".join(TEXTS)]
    segmented = ours.segment(texts)
    assert segmented == stanza.segment(texts)
    sentences = [words for text in segmented for words in text.sentence_words]
    assert trees.parse(sentences) == stanzas_trees.parse(sentences)


@pytest.mark.parametrize("name", TREEBANKS)
def test_words_and_trees_of_treebanks_are_stanzas(name: str, ud_data: Path) -> None:
    ours, stanza, trees, stanzas_trees = both()
    sentences = list(read_sentences(ud_data / f"{name}.conllu"))[::10]
    texts = [sentence.text for sentence in sentences]
    assert ours.segment(texts) == stanza.segment(texts)
    words = [sentence.tree.words for sentence in sentences]
    assert trees.parse(words) == stanzas_trees.parse(words)


def test_torch_is_not_loaded() -> None:
    program = (
        "import sys; from sema_chinese.segmentation.segmenter import ChineseSegmenter as S;"
        "from sema_chinese.provider import ChineseProvider as P;"
        "words = S(prefer_shipped=True).segment(['他来了。'])[0].sentence_words;"
        "assert P(prefer_shipped=True).parse(words)[0].relations[-1] == 'punct';"
        "assert not {'torch', 'stanza', 'transformers'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
