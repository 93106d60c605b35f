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
    for first, second in (("John", "Jones"), ("Davis", "Davy"), ("Nashville", "Tennessee"), ("Gardner", "gardener")):
        assert not lexicon.are_paraphrases(first, second), "names"
    assert lexicon.are_paraphrases("Yemen", "Yemeni") and lexicon.are_paraphrases("France", "French")


NAMES = ROOT / "tests" / "data" / "wordnet" / "names"
"""A WordNet of a few names and of what is none."""


@pytest.mark.parametrize(
    ("pairs", "kept"),
    [
        (
            "kill murder, killed murdered, buy purchase, car cars, fair unfair, chat chien, 102,70 102.70, qwrt dog",
            {("kill", "murder")},
        ),
        (  # names are kept apart
            "john jones, jones person, yemen yemeni, yemen jones, john person, britain kingdom, jones kingdom",
            {("yemen", "yemeni"), ("john", "person"), ("britain", "kingdom")},
        ),
    ],
)
def test_a_build_keeps_pairs_of_words_alone(tmp_path: Path, pairs: str, kept: set[tuple[str, str]]) -> None:
    listed, target = tmp_path / "pairs", tmp_path / "out" / "english.npz"
    listed.write_text(pairs.replace(", ", "\n").replace(" ", "\t"), encoding="utf-8")
    paraphrases.main([str(listed), str(NAMES), "--to", str(target)])
    assert dict(load_pairs(target).items()) == {a: (b,) for pair in kept for a, b in (pair, pair[::-1])}
