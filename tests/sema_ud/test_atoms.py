"""Atoms: what words are made of in any script."""

from hypothesis import given
from hypothesis import strategies as st
from sema_reader.pieces import Cutter
from sema_ud.atoms import BEGINS, JOINED, SPACED, PieceCutter, atoms

from tests.cases import cases

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
