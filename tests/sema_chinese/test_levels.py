import math
from pathlib import Path

import pytest
from sema_chinese.levels.constructions import constructions
from sema_chinese.levels.word_lists import TOP, read_vocabulary

from sema import Scorer
from sema.cli.main import main
from sema.errors import InputError
from sema.languages import find_language
from sema.metrics.base import Item
from sema.metrics.registry import make_metric
from sema.model.forms import segmented
from sema.model.text import Text
from sema.options import Settings
from tests.cases import cases
from tests.conftest import PublicData


def test_shares_count_every_token_and_pool_over_the_corpus(tmp_path: Path, make_item, results) -> None:
    words = str(tmp_path / "levels.csv")
    Path(words).write_text("HSK 1,3级,四级,七-九级\n爱,安排,矮,发抖\n爸爸/爸,,爱,\n", encoding="utf-8")
    assert read_vocabulary(words) == {"爱": 4, "爸爸": 1, "爸": 1, "安排": 3, "矮": 4, "发抖": 7}
    items = [make_item("x", "爸 安排 爱 。"), make_item("x", "发抖 爸")]
    low, high = (results(name, items, tokenizer="none", hsk=words) for name in ("hsk_low", "hsk_high"))
    assert low.items == (50, 50)  # 爸 and 安排 of four; 爸 of two
    assert high.items == (25, 50)  # 。 is in no level; 发抖 in the top one
    assert (low.corpus, high.corpus) == pytest.approx((100 * 3 / 6, 100 * 2 / 6))


def test_vocabularies_are_read_from_workbooks(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["一级", "六级"], ["爱", "挨"], [None, "挨打"]):
        book.active.append(row)
    book.save(tmp_path / "levels.xlsx")
    assert read_vocabulary(str(tmp_path / "levels.xlsx")) == {"爱": 1, "挨": 6, "挨打": 6}


def test_the_vocabulary_of_mcts_is_read(public_data: PublicData) -> None:
    pytest.importorskip("xlrd")
    vocabulary = read_vocabulary(str(public_data("simplification", "mcts", "hsk_vocab.xls")))
    assert len(vocabulary) > 6_000
    assert (vocabulary["爱好"], vocabulary["爸"], vocabulary["发愁"]) == (1, 1, 7)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.xlsx", b"\xd0\xcf no workbook", "Excel file"),
        ("x.xls", b"\xd0\xcf no workbook", "cannot be read as a word list"),
        ("x.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x01" * 2000, "cannot be read as a word list"),
        ("x.csv", b"PK\x03\x04\xff\xfe\x00", "cannot be read as a word list"),
        ("x.csv", "word,meaning\n爱,love\n".encode(), "headed by a level"),
        ("x.txt", b"", "xlsx"),
        ("x.csv", None, "no such file"),
    ],
)
def test_a_list_that_cannot_be_read_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None, message: str
) -> None:
    if name.endswith(".xls"):
        pytest.importorskip("xlrd")
    if content is not None:
        (tmp_path / name).write_bytes(content)
    (tmp_path / "s.txt").write_text("猫在睡觉。\n", encoding="utf-8")
    files = ["-s", str(tmp_path / "s.txt"), "-o", str(tmp_path / "s.txt")]
    assert main(["score", "--lang", "zh", *files, "--metrics", "hsk_low", "--set", f"hsk={tmp_path / name}"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    assert name in err and message in err


def test_a_text_has_the_level_whose_learners_know_nearly_all_its_words(tmp_path: Path) -> None:
    words = tmp_path / "levels.csv"
    words.write_text("HSK 1,HSK 2,HSK 5,HSK 7-9\n我,喜欢,承认,颠覆\n你,跑步,错误,\n", encoding="utf-8")
    metric = make_metric("hsk_level", Settings({"hsk": words, "target": 2}))
    easy = Text.from_tokenized("我 喜欢 你 。")  # 我, 你: 2 of 3 in level 1; all in level 2
    hard = Text.from_tokenized("我 承认错误 2024")  # the second word is not listed; its parts are of level 5
    unknown = Text.from_tokenized("甴曱")
    blank = Text.from_tokenized("。")
    rows = metric.rows([Item(easy, text) for text in (easy, hard, unknown, blank)])
    levels = [metric.item_value(row) for row in rows]
    assert levels[:3] == pytest.approx([1 + (0.95 - 2 / 3) * 3, 4 + (0.95 - 0.5) * 2, 6 + 0.95])
    assert math.isnan(levels[3])
    assert metric.corpus(rows) == pytest.approx(sum(levels[:3]) / 3)
    evidence = metric.explain(Item(easy, hard))["levels"]
    assert (evidence["target"], evidence["source"]["label"], evidence["output"]["above"]) == ("HSK 2", "HSK 2", [1])
    assert [(part["text"], part["label"]) for part in evidence["output"]["hard"]] == [("承认错误", "HSK 5")]
    repeated = metric.explain(Item(easy, Text.from_tokenized("错误 我 错误")))["levels"]["output"]
    assert (repeated["above"], [part["tokens"] for part in repeated["hard"]]) == ([0, 2], [[0]])
    with pytest.raises(InputError, match=r"hsk_level.target cannot be 9"):
        make_metric("hsk_level", Settings({"target": 9}))


def test_levels_need_no_list_of_the_user() -> None:
    outputs = ["我喜欢在家里看书。", "鉴于形势严峻，委员会颁布了一系列举措。", "我喜歡在家裡看書。"]
    report = Scorer("zh", ["hsk_level", "hsk_low", "hsk_high"]).score(outputs, outputs)
    easy, hard, traditional = (item.scores for item in report.systems[0].items)
    assert traditional == easy
    assert easy["hsk_level"] < 2 and hard["hsk_level"] > 5
    assert easy["hsk_low"] > hard["hsk_low"] and easy["hsk_high"] < hard["hsk_high"]
    assert "list=hsk-3.0,words=10978" in report.signature


@cases("zh/frames")
def test_frames_of_the_standard_are_found(line: str, found: tuple[tuple[str, int, tuple[int, ...]], ...]) -> None:
    """Sentences are separated by ``||``, and no frame crosses them."""
    parts = constructions(Text.from_sentences([part.split() for part in line.split("||")]))
    assert tuple((part.what, part.level, part.tokens) for part in parts) == found


@pytest.mark.stress
def test_every_word_of_the_hsk_list_can_be_reached() -> None:
    parts = find_language("zh").parts()
    metric = make_metric("hsk_level").bind(parts)
    vocabulary = read_vocabulary()
    texts = segmented(parts.segmenter, list(vocabulary))
    read = [[level for level in metric._read(text).words if level] for text in texts]
    missed = {word for word, found in zip(vocabulary, read, strict=True) if found != [min(vocabulary[word], TOP)]}
    assert missed == set()
