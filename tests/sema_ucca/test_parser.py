import shutil
from concurrent.futures import CancelledError
from pathlib import Path
from threading import Event
from typing import Literal

import numpy as np
import pytest
from sema_ucca.encoder import UccaEncoder
from sema_ucca.network import WEIGHTS
from sema_ucca.parser import UccaParser
from sema_ucca.trees import CHAIN, LATER, Tree

from benchmarks.overlap import overlap
from sema.errors import ResourceError, UnknownNameError
from sema.model.scene_graph import SceneGraph
from sema.runtime.threads import stoppable

TEXTS = [
    "John got home and gave Mary a call .",
    "The food , which my sister ordered , was cold by the time it arrived , and nobody apologised .",
]
SENTENCES = [text.split() for text in TEXTS]
ODD = [
    *([], ["Hello"], ["."], [".", "!", "..."], ["😀", "e\u0301", "\u0301"], ["\x00"], ["\x00", "works"], [" "]),
    *(["x" * 5000], ["a," * 2000]),
    ["I", "like", "-LRB-", "really", "-RRB-", "it", "``", "''"],
]


@pytest.fixture(scope="module")
def parser() -> UccaParser:
    return UccaParser(encoder=UccaEncoder(threads=1))


def test_attributes_and_possessives_are_scenes_in_ucca_2_alone(parser: UccaParser) -> None:
    texts = ["The big brown dogs slept in the box .", "John kicked his ball .", "John took a shower ."]
    sentences = [text.split() for text in texts]
    assert [len(graph.scenes()) for graph in parser.extract(sentences)] == [1, 1, 1]
    newer = UccaParser(convention="ucca2", encoder=parser.encoder)
    assert len(newer.extract(sentences[:1])[0].scenes()) > 1
    assert newer.signature == parser.signature.replace("ucca.", "ucca2.")
    assert UccaParser(encoder=UccaEncoder(threads=2)).signature == parser.signature
    with pytest.raises(UnknownNameError, match="unknown convention"):
        UccaParser(convention="ucca3")


def test_scenes_of_a_plain_sentence(parser: UccaParser) -> None:
    (graph,) = parser.extract([SENTENCES[0]])
    first, second = graph.scenes()
    assert first.main_relation == ((1,),)
    assert ((0,),) in first.participants
    assert ((0,),) in second.participants, "John gave, too: a remote edge"
    assert ((5,),) in second.participants
    assert any(remote for unit in graph.units() for _, _, remote in graph.edges(unit))


@pytest.mark.parametrize("tokens", ODD, ids=lambda tokens: repr(tokens)[:20])
def test_odd_input_gives_a_sound_graph(parser: UccaParser, tokens: list[str]) -> None:
    (graph,) = parser.extract([tokens])
    assert graph.tokens == tuple(tokens)
    assert sorted(graph.tokens_below(graph.root, remote=False, punctuation=True)) == list(range(len(tokens)))
    graph.scenes()
    states = parser.encoder.states([tokens])[0]
    assert len(states) == len(tokens)
    assert np.isfinite(states).all()


def test_trees_and_states_depend_neither_on_the_batch_nor_on_kept_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sema_ucca.parser.AT_A_TIME", 7)
    shared = UccaEncoder(threads=2)
    shared.keep_states()
    sentences = [sentence[:size] for sentence in SENTENCES for size in range(1, len(sentence) + 1)]
    sentences += [["the", "old", "man", "gave", "his", "dog", "a", "bone", ","] * 60, *ODD]
    trees = UccaParser(encoder=shared).trees(sentences)
    plain, alone = UccaParser(encoder=UccaEncoder(threads=1)), UccaEncoder(threads=1)
    assert trees == [plain.trees([sentence])[0] for sentence in sentences]
    kept = dict(shared._kept[None])
    assert {*map(tuple, sentences)} - {*map(tuple, ODD)} | {("Hello",)} <= set(kept) and () not in kept
    for sentence, states in kept.items():
        np.testing.assert_array_equal(states, alone.states([sentence])[0])


def test_reading_that_nobody_wants_ends_at_its_next_batch() -> None:
    encoder = UccaEncoder(threads=2)
    cut = encoder.cut([["word"] * size for size in range(20, 90)])
    words = [list(range(len(part))) for part in cut.parts]
    stop = Event()
    with stoppable(stop.is_set):
        found = encoder.run(cut, words, ("margins.ucca",))
        next(found)
        stop.set()
        with pytest.raises(CancelledError):
            list(found)
    assert list(encoder.run(cut, words[:1] + [[]] * (len(words) - 1), ("margins.ucca",)))  # other readings go on


def test_damaged_or_missing_weights_are_reported(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="no parser weights"):
        _ = UccaParser(encoder=UccaEncoder(weights=tmp_path)).signature
    copy = tmp_path / "copy"
    shutil.copytree(WEIGHTS, copy)
    (copy / "inventory.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ResourceError, match="damaged"):
        _ = UccaParser(encoder=UccaEncoder(weights=copy)).signature


def units(tree: Tree) -> list[tuple[int, int, str]]:
    return [(*span, part.rstrip(LATER)) for span, label in tree.spans.items() for part in label.split(CHAIN)]


def remote_edges(tree: Tree) -> list[tuple[int, int, str]]:
    return [(edge.child.start, edge.child.end, edge.label) for edge in tree.remotes]


@pytest.mark.parametrize("convention", ["ucca", "ucca2"])
def test_the_shipped_model_on_real_sentences(
    convention: Literal["ucca", "ucca2"], parser: UccaParser, wiki_dev: list[SceneGraph], ewt_dev: list[SceneGraph]
) -> None:
    from training.ucca.corpus import tree_of

    gold = wiki_dev if convention == "ucca" else ewt_dev
    trees = UccaParser(convention=convention, encoder=parser.encoder).trees([graph.tokens for graph in gold])
    wanted = list(map(tree_of, gold))
    assert overlap(map(units, trees), map(units, wanted)).f1 > 0.74
    assert overlap(map(remote_edges, trees), map(remote_edges, wanted)).f1 > 0.38
