from __future__ import annotations

from pathlib import Path

import pytest
from sema_ppdb import ParaphraseLexicon, build
from sema_ppdb.index import load_pairs, save_pairs
from sema_wordnet import WordNetLexicon

from sema.errors import ResourceError


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


def test_build_selects(tmp_path: Path) -> None:
    listed = tmp_path / "pairs"
    listed.write_text(
        "kill\tmurder\nkilled\tmurdered\nbuy\tpurchase\ncar\tcars\nfair\tunfair\nchat\tchien\t\n".replace("\t\n", "\n")
        + "102,70\t102.70\nqwrt\tdog\n",
        encoding="utf-8",
    )
    target = tmp_path / "out" / "english.npz"
    assert build.main([str(listed), "--to", str(target)]) == 0
    table = load_pairs(target)
    assert table == {"kill": ("murder",), "murder": ("kill",)}


def test_bad_list_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = tmp_path / "pairs"
    listed.write_text("kill murder\n")
    assert build.main([str(listed), "--to", str(tmp_path / "x.npz")]) == 1
    assert "pairs:1:" in capsys.readouterr().err
    assert build.main([str(tmp_path / "none"), "--to", str(tmp_path / "x.npz")]) == 1


def test_table_round_trips_and_broken_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    save_pairs(path, [("b", "a"), ("a", "b"), ("a", "ç")])
    assert load_pairs(path) == {"a": ("b", "ç"), "b": ("a",), "ç": ("a",)}
    path.write_bytes(b"PK nonsense")
    with pytest.raises(ResourceError, match=r"sema_ppdb\.build"):
        load_pairs(path)
