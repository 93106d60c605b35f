from __future__ import annotations

from pathlib import Path

import pytest

from sema.datasets.folder import data_path
from sema.errors import InputError, ResourceError
from sema.metrics.hsk import HskLow, read_vocabulary

DATA = data_path()
WORDS = DATA / "simplification/mcts/hsk_vocab.xls"


@pytest.fixture
def words(tmp_path: Path) -> str:
    file = tmp_path / "levels.csv"
    file.write_text("HSK 1,3级,四级,七-九级\n爱,安排,矮,发抖\n爸爸/爸,,爱,\n", encoding="utf-8")
    return str(file)


def test_levels_alternatives_and_the_highest_of_several(words: str) -> None:
    assert read_vocabulary(words) == {"爱": 4, "爸爸": 1, "爸": 1, "安排": 3, "矮": 4, "发抖": 7}


def test_shares_count_every_token_and_pool_over_the_corpus(words: str, make_item, results) -> None:
    items = [make_item("x", "爸 安排 爱 。"), make_item("x", "发抖 爸")]
    low, high = (results(name, items, tokenizer="none", hsk=words) for name in ("hsk_low", "hsk_high"))
    assert low.items == (50, 50)  # 爸 and 安排 of four; 爸 of two
    assert high.items == (25, 50)  # 。 is in no level; 发抖 in the top one
    assert low.corpus == pytest.approx(100 * 3 / 6)
    assert high.corpus == pytest.approx(100 * 2 / 6)


def test_what_is_wrong_with_a_list(tmp_path: Path) -> None:
    plain = tmp_path / "plain.csv"
    plain.write_text("word,meaning\n爱,love\n", encoding="utf-8")
    with pytest.raises(InputError, match="headed by a level"):
        read_vocabulary(str(plain))
    with pytest.raises(InputError, match="no such file"):
        read_vocabulary(str(tmp_path / "none.csv"))
    with pytest.raises(InputError, match="xlsx"):
        read_vocabulary(str(tmp_path / "words.txt"))
    with pytest.raises(ResourceError, match="option 'hsk'"):
        HskLow().rows([])


def test_workbooks(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["一级", "六级"], ["爱", "挨"], [None, "挨打"]):
        book.active.append(row)
    book.save(tmp_path / "levels.xlsx")
    assert read_vocabulary(str(tmp_path / "levels.xlsx")) == {"爱": 1, "挨": 6, "挨打": 6}


@pytest.mark.skipif(not WORDS.exists(), reason="needs the HSK word list of MCTS in SEMA_DATA")
def test_the_list_of_mcts() -> None:
    pytest.importorskip("xlrd")
    vocabulary = read_vocabulary(str(WORDS))
    assert len(vocabulary) > 6_000
    assert (vocabulary["爱好"], vocabulary["爸"], vocabulary["发愁"]) == (1, 1, 7)
