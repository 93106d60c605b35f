from pathlib import Path

import pytest
from sema_chinese.segmentation.segmenter import to_model_characters
from sema_ud.conllu import read_trees
from sema_ud.extraction import DependencyExtractor, extract_scenes
from sema_ud.parser import UniversalParser
from sema_ud.trees import TreeProvider

from sema.model.scene_graph import SceneExtractor
from tests.cases import as_tuple, cases
from tests.sema_ud.building import scenes, tree


@pytest.fixture(scope="module")
def provider() -> TreeProvider:
    return UniversalParser("zh", threads=1, spelling=to_model_characters)


def test_trees_have_the_sentences_own_words(provider: TreeProvider) -> None:
    traditional, simplified = ["他們", "都", "喜歡", "漢語", "。"], ["他们", "都", "喜欢", "汉语", "。"]
    sentences = [traditional, [], ["好"], ["🙂", "，"], simplified, ["他", ""]]
    trees = provider.parse(sentences)
    assert isinstance(provider, TreeProvider) and isinstance(DependencyExtractor(provider), SceneExtractor)
    assert trees[::-1] == provider.parse(sentences[::-1])
    assert [list(tree.words) for tree in trees] == sentences
    assert trees[0].heads == trees[4].heads and trees[0].relations == trees[4].relations
    assert trees[4].relations == ("nsubj", "mark", "root", "obj", "punct")
    assert provider.parse([]) == [] and len(provider.parse([[]])[0]) == 0


def test_trees_as_annotated(provider: TreeProvider, ud_data: Path) -> None:
    gold = read_trees(ud_data / "zh_gsdsimp" / "zh_gsdsimp-ud-test.conllu")[:120]
    parsed = provider.parse([tree.words for tree in gold])
    for name, least in (("upos", 0.88), ("heads", 0.72)):
        both = ((getattr(one, name), getattr(other, name)) for one, other in zip(gold, parsed, strict=True))
        right = [a == b for pair in both for a, b in zip(*pair, strict=True)]
        assert sum(right) / len(right) > least, name


@cases("zh/coverbs")
def test_a_place_marked_by_a_coverb_is_a_participant(words: str, expected: object) -> None:
    assert as_tuple(scenes(extract_scenes(tree(words)))) == expected
