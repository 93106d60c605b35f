"""The English cross-encoder: what it is given, and a floor for what it makes of it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sema_english.meaning.reader import EnglishReader
from sema_english.segmentation import EnglishSegmenter
from sema_reader import minilm
from sema_reader.pieces import ABSENT, ELSEWHERE, IN_ORDER, overlap
from sema_reader.reader import Ids
from sema_ucca.encoder import UccaEncoder

from sema.errors import ResourceError
from sema.model.text import Text
from sema.runtime.checksums import RECORD, sha256

pieces = st.lists(st.integers(0, 6), max_size=20)


@pytest.fixture(scope="module")
def reader() -> EnglishReader:
    return EnglishReader()


def texts(*raw: str) -> list[Text]:
    return EnglishSegmenter().segment(list(raw))


def test_marks_tell_order_from_presence() -> None:
    first, second = overlap([1, 2, 3, 9], [3, 1, 2, 8])
    assert first == [IN_ORDER, IN_ORDER, ELSEWHERE, ABSENT]
    assert second == [ELSEWHERE, IN_ORDER, IN_ORDER, ABSENT]


@given(pieces, pieces)
def test_marks_agree_on_both_sides(source: list[int], output: list[int]) -> None:
    first, second = overlap(source, output)
    assert first.count(IN_ORDER) == second.count(IN_ORDER)
    assert all((mark == ABSENT) == (piece not in output) for piece, mark in zip(source, first, strict=True))


def test_other_pieces_change_the_signatures_of_all_that_read_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def signatures() -> tuple[str, str]:
        return EnglishReader().signature, UccaEncoder().signature

    shipped = signatures()
    record = json.loads((minilm.WEIGHTS / RECORD).read_text()) | {minilm.WORDS: sha256(Path(__file__))}
    (tmp_path / RECORD).write_text(json.dumps(record))
    for name in record:
        (tmp_path / name).symlink_to(Path(__file__) if name == minilm.WORDS else minilm.WEIGHTS / name)
    monkeypatch.setattr(minilm, "WEIGHTS", tmp_path)
    monkeypatch.setattr(minilm, "digest", minilm.digest.__wrapped__)
    monkeypatch.setattr(minilm, "words", lambda *, finer: None)
    assert [one == other for one, other in zip(shipped, signatures(), strict=True)] == [False, False]
    (tmp_path / minilm.WORDS).unlink()
    with pytest.raises(ResourceError, match="missing"):
        EnglishReader()


def test_a_pair_that_occurs_again_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = EnglishReader()
    asked: list[int] = []
    prepare = reader._inputs

    def counted(pairs: Sequence[Ids]) -> Any:
        asked.append(len(pairs))
        return prepare(pairs)

    monkeypatch.setattr(reader, "_inputs", counted)
    source, output = texts("The committee rejected the plan in March.", "The plan was turned down in March.")
    first, second, turned = reader.read([(source, output), (source, output), (output, source)])
    assert reader.read([(source, output)]) == [first] == [second] != [turned]
    assert sum(asked) == 2


def test_a_changed_number_in_a_copy_is_seen(reader: EnglishReader) -> None:
    source, copy, changed = texts(
        "The bridge over the river was opened to traffic in 1931 after four years of work.",
        "The bridge over the river was opened to cars in 1931 after four years of work.",
        "The bridge over the river was opened to traffic in 1961 after four years of work.",
    )
    faithful, wrong = reader.read([(source, copy), (source, changed)])
    assert wrong.same < faithful.same
    assert min(wrong.supported) == wrong.supported[changed.words.index("1961")] < 0.5
