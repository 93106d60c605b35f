from __future__ import annotations

from pathlib import Path

import pytest
from sema_ppdb import ParaphraseLexicon, build
from sema_wordnet import WordNetLexicon

from sema.runtime.pairs import load_pairs


def test_shipped_table() -> None:
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


@pytest.fixture
def names(tmp_path: Path) -> Path:
    """A WordNet of a few names and of what is none."""
    folder = tmp_path / "wordnet"
    folder.mkdir()
    for name in ("noun", "verb", "adj", "adv"):
        for file in (f"data.{name}", f"index.{name}", f"{name}.exc"):
            (folder / file).write_text("")
    (folder / "cntlist.rev").write_text("")
    words = ["person", "Jones", "John", "john", "Yemen", "Yemeni", "Britain"]
    instances = {2, 3, 5, 7}
    lines = [
        f"{number:08d} 18 n 01 {word} 0 001 {'@i' if number in instances else '@'} 00000001 n 0000 | gloss\n"
        for number, word in enumerate(words, start=1)
    ]
    (folder / "data.noun").write_text("".join(lines))
    senses = {"person": "1", "jones": "2", "john": "3 4", "yemen": "5", "yemeni": "6", "britain": "7"}
    senses |= {"united_kingdom": "7", "john_paul_jones": "2"}
    (folder / "index.noun").write_text(
        "".join(f"{w} n {len(of.split())} 0 0 {' '.join(o.zfill(8) for o in of.split())}\n" for w, of in senses.items())
    )
    return folder


def test_build_keeps_names_apart(tmp_path: Path, names: Path) -> None:
    listed = tmp_path / "pairs"
    pairs = [
        "john jones",
        "jones person",
        "yemen yemeni",
        "yemen jones",
        "john person",
        "britain kingdom",
        "jones kingdom",
    ]
    listed.write_text("".join(pair.replace(" ", "\t") + "\n" for pair in pairs), encoding="utf-8")
    target = tmp_path / "english.npz"
    assert build.main([str(listed), str(names), "--to", str(target)]) == 0
    assert {frozenset((word, *partners)) for word, partners in load_pairs(target).items()} == {
        frozenset(pair) for pair in (("yemen", "yemeni"), ("john", "person"), ("britain", "kingdom"))
    }


def test_build_selects(tmp_path: Path, names: Path) -> None:
    listed = tmp_path / "pairs"
    listed.write_text(
        "kill\tmurder\nkilled\tmurdered\nbuy\tpurchase\ncar\tcars\nfair\tunfair\nchat\tchien\t\n".replace("\t\n", "\n")
        + "102,70\t102.70\nqwrt\tdog\n",
        encoding="utf-8",
    )
    target = tmp_path / "out" / "english.npz"
    assert build.main([str(listed), str(names), "--to", str(target)]) == 0
    table = load_pairs(target)
    assert table == {"kill": ("murder",), "murder": ("kill",)}


def test_bad_list_is_one_line(tmp_path: Path, names: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = tmp_path / "pairs"
    listed.write_text("kill murder\n")
    assert build.main([str(listed), str(names), "--to", str(tmp_path / "x.npz")]) == 1
    assert "pairs:1:" in capsys.readouterr().err
    assert build.main([str(tmp_path / "none"), str(names), "--to", str(tmp_path / "x.npz")]) == 1
    listed.write_text("kill\tmurder\n")
    assert build.main([str(listed), str(tmp_path), "--to", str(tmp_path / "x.npz")]) == 1
    assert "data.noun" in capsys.readouterr().err
