"""Stanza's tagger and parser on the models that ship for Chinese."""

from pathlib import Path
from typing import Any

import pytest
from sema_chinese import MODELS, chinese
from sema_chinese.provider import ChineseProvider
from sema_chinese.segmentation.segmenter import ChineseSegmenter
from sema_ud.conllu import read_trees
from sema_ud.stanza_provider import DependencyExtractor, StanzaProvider
from sema_ud.trees import ROOT, TreeProvider

from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter

pytest.importorskip("stanza")


@pytest.fixture(scope="module")
def provider() -> ChineseProvider:
    return ChineseProvider(prefer_shipped=True, threads=1)


def test_the_parts_are_what_the_engine_asks_for(provider: ChineseProvider) -> None:
    assert isinstance(provider, TreeProvider)
    assert isinstance(DependencyExtractor("zh-hans", provider=provider), SceneExtractor)
    assert isinstance(ChineseSegmenter(prefer_shipped=True), Segmenter)


def test_the_language_is_described_without_loading_anything() -> None:
    assert chinese().code == "zh"


def test_trees_have_the_sentences_own_words(provider: ChineseProvider) -> None:
    traditional, simplified = ["他們", "都", "喜歡", "漢語", "。"], ["他们", "都", "喜欢", "汉语", "。"]
    sentences = [traditional, [], ["好"], ["🙂", "，"], simplified, ["他", ""]]
    trees = provider.parse(sentences)
    assert [list(tree.words) for tree in trees] == sentences
    assert trees[0].heads == trees[4].heads and trees[0].relations == trees[4].relations
    assert trees[4].relations == ("nsubj", "mark", "root", "obj", "punct")
    assert provider.parse([]) == [] and len(provider.parse([[]])[0]) == 0


def test_the_order_and_company_of_sentences_change_nothing(provider: ChineseProvider) -> None:
    sentences = [["他", "来", "了", "。"], ["我", "喜欢", "她", "写", "的", "书", "。"], ["会议", "在", "巴黎", "举行"]]
    assert provider.parse(sentences[::-1])[::-1] == [provider.parse([sentence])[0] for sentence in sentences]


def test_a_very_long_sentence_is_parsed_in_pieces(provider: ChineseProvider) -> None:
    for words in (["他", "在", "北京", "学习", "，"] * 300, ["北京"] * 900):
        (tree,) = provider.parse([words])
        assert list(tree.words) == words
        assert tree.heads.count(ROOT) == 1


def test_the_fast_decoder_gives_stanzas_own_trees(
    ud_data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from sema_ud.stanza_provider import parsing_pipeline

    installation = pytest.importorskip("training.ud.installation")
    installation.write_installation(MODELS, "zh-hans", tmp_path)
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    provider = ChineseProvider(threads=1)
    words = [tree.words for tree in read_trees(ud_data / "zh_gsdsimp" / "zh_gsdsimp-ud-dev.conllu")[:60]]
    fast = provider.parse(words)
    pipeline: Any = parsing_pipeline(StanzaProvider("zh-hans").models)
    model = pipeline.processors["depparse"].trainer.model
    decode = model.__dict__.pop("decode_graph_predictions")
    try:
        assert provider.parse(words) == fast
    finally:
        model.decode_graph_predictions = decode


def test_trees_as_annotated(provider: ChineseProvider, ud_data: Path) -> None:
    gold = read_trees(ud_data / "zh_gsdsimp" / "zh_gsdsimp-ud-test.conllu")[:120]
    parsed = provider.parse([tree.words for tree in gold])
    total = sum(len(tree) for tree in gold)
    pairs = list(zip(gold, parsed, strict=True))
    tags = sum(a == b for one, other in pairs for a, b in zip(one.upos, other.upos, strict=True))
    heads = sum(a == b for one, other in pairs for a, b in zip(one.heads, other.heads, strict=True))
    assert tags / total > 0.88
    assert heads / total > 0.72
