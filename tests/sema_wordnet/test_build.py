import gzip
import shutil
from math import log2
from pathlib import Path

import pytest
from sema_wordnet import WordNetLexicon, build
from sema_wordnet.index import load_words

from sema.errors import ResourceError
from tests.conftest import ROOT


@pytest.fixture
def tiny_wordnet(tmp_path: Path) -> Path:
    """A small WordNet in the WNDB format: beer and what it is a kind of, some verbs and an adverb."""
    return shutil.copytree(ROOT / "tests" / "data" / "wordnet" / "tiny", tmp_path / "corpora" / "wordnet")


def test_built_index_answers(tiny_wordnet: Path, tmp_path: Path) -> None:
    for name in ("out", "again"):
        assert build.main([str(tiny_wordnet), "--to", str(tmp_path / name)]) == 0
    index, graph = (tmp_path / "out" / name for name in ("english.npz", "graph.npz"))
    assert all(file.read_bytes() == (tmp_path / "again" / file.name).read_bytes() for file in (index, graph))
    lexicon = WordNetLexicon(index, graph)
    lemmas = {"Leaves": {"leaf", "leave"}, "left": {"leave"}, "zebra": frozenset()}
    assert {word: lexicon.lemmas(word) for word in lemmas} == lemmas
    assert lexicon.are_synonyms("drinks", "Beverage") and lexicon.are_synonyms("imbibe", "drank")
    assert not lexicon.are_synonyms("beer", "leaf")
    assert lexicon.is_hyponym("beers", "drink", depth=3) and not lexicon.is_hyponym("beers", "drink", depth=2)
    assert not lexicon.is_hyponym("drink", "beer")
    assert lexicon.is_hyponym("Guinness", "stout"), "an instance is a kind of its class"
    assert not lexicon.is_hyponym("beverage", "food"), "food stands 3 steps below the root: too abstract"
    assert lexicon.is_hyponym("leave", "move"), "verbs have no floor"
    assert lexicon.graph.individuals == lexicon.senses("guinness")
    (tmp_path / "broken.npz").write_bytes(b"nonsense")
    with pytest.raises(ResourceError, match=r"sema_wordnet\.build"):
        WordNetLexicon(tmp_path / "broken.npz").lemmas("beer")


def test_information_content_by_hand() -> None:
    """A root of two kinds, one of them seen 5 times: 8 occurrences in all with one more for each synset."""
    hypernyms = {(0, 1): (), (0, 2): ((0, 1),), (0, 3): ((0, 1),), (0, 4): ((0, 2), (0, 3))}
    bits = build.information_content(hypernyms, {(0, 4): 4})
    assert bits == {(0, 1): 0.0, (0, 2): log2(8 / 6), (0, 3): log2(8 / 6), (0, 4): log2(8 / 5)}


def test_every_verb_of_the_index_is_found_by_other_wordnets_names() -> None:
    chinese = WordNetLexicon.chinese()
    assert chinese.graph.find(1, 1_009_240) in WordNetLexicon.english().senses("say")
    assert chinese.are_synonyms("说", "讲"), "01009240-v"


def test_bad_folder_and_bad_tab_are_one_line(
    tiny_wordnet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build.main([str(tmp_path / "nowhere")]) == 1
    assert "data.noun" in capsys.readouterr().err
    tab = tmp_path / "wn.tab"
    tab.write_text("not a wordnet\n")
    assert build.main([str(tiny_wordnet), "--chinese", str(tab), "--to", str(tmp_path)]) == 1
    assert "wn.tab:1:" in capsys.readouterr().err
    (tiny_wordnet / "index.verb").write_text("leave v 1 0 1 0 00009999  \n")
    assert build.main([str(tiny_wordnet), "--to", str(tmp_path)]) == 1
    assert "index.verb:1:" in capsys.readouterr().err


def built(tiny_wordnet: Path, tmp_path: Path, lines: str) -> Path:
    """The folder of an index with a French wordnet; ``{beer}`` and the like stand for synsets."""
    nouns = (tiny_wordnet / "data.noun").read_text().split("\n")
    numbers = {line.split()[4]: f"{line[:8]}-n" for line in nouns if line[:1].isdigit()}
    tab = tmp_path / "fra.tab.gz"
    tab.write_bytes(gzip.compress(lines.format(**numbers).encode()))
    assert build.main([str(tiny_wordnet), "--languages", str(tab), "--to", str(tmp_path / "out")]) == 0
    return tmp_path / "out"


def test_an_index_answers_as_its_wordnet_says(tiny_wordnet: Path, tmp_path: Path) -> None:
    given = "# WOLF\n{beer}\tfra:lemma\tBière\n{beverage}\tfra:lemma\tboisson\n{beverage}\tfra:lemma\tbreuvage\n"
    out = built(tiny_wordnet, tmp_path, given)
    lexicon = WordNetLexicon(out / "fr.npz", out / "graph.npz", inflected=False, share=0.2)
    assert lexicon.lemmas("BIÈRE") == {"bière"} and lexicon.lemmas("bières") == frozenset(), "words must be lemmas"
    assert lexicon.are_synonyms("boisson", "Breuvage") and not lexicon.are_synonyms("boisson", "bière")
    assert lexicon.is_hyponym("bière", "boisson") and not lexicon.is_hyponym("boisson", "bière")


def test_notes_and_long_expressions_are_no_lemmas(tiny_wordnet: Path, tmp_path: Path) -> None:
    kept = ["bière", "eau-de-vie", "l'eau", "jus de fruit"]
    others = ["GAP!", "verre (d'eau)", "une boisson très très forte", "7"]
    lines = "".join("{beer}\tfra:lemma\t" + lemma + "\n" for lemma in (*kept, *others))
    index = load_words(built(tiny_wordnet, tmp_path, lines) / "fr.npz")
    assert sorted(index) == sorted(kept)
