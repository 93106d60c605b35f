from pathlib import Path

import pytest
from sema_ppdb import ParaphraseLexicon
from sema_wordnet import WordNetLexicon

from sema.runtime.pairs import load_pairs
from tests.conftest import ROOT
from training.english import paraphrases


def test_the_shipped_paraphrases_are_found_by_lemma() -> None:
    lexicon = ParaphraseLexicon(WordNetLexicon.english())
    assert lexicon.are_paraphrases("killed", "murdering"), "lemmas are looked up too"
    assert lexicon.are_paraphrases("rise", "increase")
    assert not lexicon.are_paraphrases("buy", "purchase"), "synonyms by sense are no paraphrases"
    assert not lexicon.are_paraphrases("familiar", "unfamiliar")
    assert not lexicon.are_paraphrases("dog", "piano")
    assert lexicon.are_synonyms("buy", "purchase")
    assert lexicon.is_hyponym("beer", "drink")
    assert lexicon.lemmas("left") == {"leave", "left"}


def test_shipped_table_has_no_pairs_of_names() -> None:
    lexicon = ParaphraseLexicon(WordNetLexicon.english())
    for first, second in (("John", "Jones"), ("Davis", "Davy"), ("Nashville", "Tennessee"), ("Gardner", "gardener")):
        assert not lexicon.are_paraphrases(first, second)
    assert lexicon.are_paraphrases("Yemen", "Yemeni") and lexicon.are_paraphrases("France", "French")


NAMES = ROOT / "tests" / "data" / "wordnet" / "names"
"""A WordNet of a few names and of what is none."""


def test_build_keeps_names_apart(tmp_path: Path) -> None:
    listed = tmp_path / "pairs"
    pairs = "john jones, jones person, yemen yemeni, yemen jones, john person, britain kingdom, jones kingdom"
    listed.write_text(pairs.replace(" ", "\t").replace(",\t", "\n"), encoding="utf-8")
    target = tmp_path / "english.npz"
    assert paraphrases.main([str(listed), str(NAMES), "--to", str(target)]) == 0
    assert {frozenset((word, *partners)) for word, partners in load_pairs(target).items()} == {
        frozenset(pair) for pair in (("yemen", "yemeni"), ("john", "person"), ("britain", "kingdom"))
    }


def test_a_build_keeps_pairs_of_words_alone(tmp_path: Path) -> None:
    listed = tmp_path / "pairs"
    listed.write_text(
        "kill\tmurder\nkilled\tmurdered\nbuy\tpurchase\ncar\tcars\nfair\tunfair\nchat\tchien\t\n".replace("\t\n", "\n")
        + "102,70\t102.70\nqwrt\tdog\n",
        encoding="utf-8",
    )
    target = tmp_path / "out" / "english.npz"
    assert paraphrases.main([str(listed), str(NAMES), "--to", str(target)]) == 0
    table = load_pairs(target)
    assert table == {"kill": ("murder",), "murder": ("kill",)}


def test_bad_list_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = tmp_path / "pairs"
    listed.write_text("kill murder\n")
    assert paraphrases.main([str(listed), str(NAMES), "--to", str(tmp_path / "x.npz")]) == 1
    assert "pairs:1:" in capsys.readouterr().err
    assert paraphrases.main([str(tmp_path / "none"), str(NAMES), "--to", str(tmp_path / "x.npz")]) == 1
    listed.write_text("kill\tmurder\n")
    assert paraphrases.main([str(listed), str(tmp_path), "--to", str(tmp_path / "x.npz")]) == 1
    assert "data.noun" in capsys.readouterr().err
