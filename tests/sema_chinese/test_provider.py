"""Trees of Chinese sentences by the parser of all languages."""

from pathlib import Path

import pytest
from sema_chinese.segmentation.segmenter import ChineseSegmenter, to_model_characters
from sema_ud.conllu import read_trees
from sema_ud.extraction import DependencyExtractor
from sema_ud.parser import UniversalParser
from sema_ud.trees import ROOT, TreeProvider

from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter


@pytest.fixture(scope="module")
def provider() -> TreeProvider:
    return UniversalParser("zh", threads=1, spelling=to_model_characters)


def test_the_parts_are_what_the_engine_asks_for(provider: TreeProvider) -> None:
    assert isinstance(provider, TreeProvider)
    assert isinstance(DependencyExtractor("zh", provider), SceneExtractor)
    assert isinstance(ChineseSegmenter(), Segmenter)


def test_trees_have_the_sentences_own_words(provider: TreeProvider) -> None:
    traditional, simplified = ["他們", "都", "喜歡", "漢語", "。"], ["他们", "都", "喜欢", "汉语", "。"]
    sentences = [traditional, [], ["好"], ["🙂", "，"], simplified, ["他", ""]]
    trees = provider.parse(sentences)
    assert [list(tree.words) for tree in trees] == sentences
    assert trees[0].heads == trees[4].heads and trees[0].relations == trees[4].relations
    assert trees[4].relations == ("nsubj", "mark", "root", "obj", "punct")
    assert provider.parse([]) == [] and len(provider.parse([[]])[0]) == 0


def test_the_order_and_company_of_sentences_change_nothing(provider: TreeProvider) -> None:
    sentences = [["他", "来", "了", "。"], ["我", "喜欢", "她", "写", "的", "书", "。"], ["会议", "在", "巴黎", "举行"]]
    assert provider.parse(sentences[::-1])[::-1] == [provider.parse([sentence])[0] for sentence in sentences]


def test_a_very_long_sentence_is_parsed_in_pieces(provider: TreeProvider) -> None:
    for words in (["他", "在", "北京", "学习", "，"] * 300, ["北京"] * 900):
        (tree,) = provider.parse([words])
        assert list(tree.words) == words
        assert tree.heads.count(ROOT) == 1


def test_trees_as_annotated(provider: TreeProvider, ud_data: Path) -> None:
    gold = read_trees(ud_data / "zh_gsdsimp" / "zh_gsdsimp-ud-test.conllu")[:120]
    parsed = provider.parse([tree.words for tree in gold])
    total = sum(len(tree) for tree in gold)
    pairs = list(zip(gold, parsed, strict=True))
    tags = sum(a == b for one, other in pairs for a, b in zip(one.upos, other.upos, strict=True))
    heads = sum(a == b for one, other in pairs for a, b in zip(one.heads, other.heads, strict=True))
    assert tags / total > 0.88
    assert heads / total > 0.72
