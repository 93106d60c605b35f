"""Chinese is shown in words as people read them: 工程师 and not 工程 师."""

from __future__ import annotations

import json

import pytest
from sema_chinese.segmentation.whole_words import whole_words

from tests.conftest import ROOT, Run


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [
        ("工程 师 去年 春天 检查 了 桥梁", "工程师 去年 春天 检查 了 桥梁"),
        ("警告 市 议会 钢索 正 在 生锈", "警告 市议会 钢索 正 在 生锈"),
        ("工程 師 和 博物 館", "工程師 和 博物館"),
        ("中国 科学 院", "中国科学院"),
        ("一 位 工程 师", "一 位 工程师"),
        ("三 年 五 人", "三 年 五 人"),
        ("A 师 , 1 年", "A 师 , 1 年"),
        ("", ""),
    ],
)
def test_words_as_people_read_them(tokens: str, shown: str) -> None:
    words = tokens.split()
    spans = whole_words(words)
    assert " ".join("".join(words[start:end]) for start, end in spans) == shown
    assert [place for start, end in spans for place in range(start, end)] == list(range(len(words)))


def test_explain_shows_them_and_json_keeps_the_tokens(command: Run) -> None:
    folder = ROOT / "examples" / "zh"
    asked = ["--lang", "zh", "-s", str(folder / "original.txt"), "-o", str(folder / "simplified.txt"), "--item", "4"]
    shown = command("explain", *asked).stdout
    assert "建筑师 = 建筑师 (exact)" in shown and "图书馆" in shown and "建筑 师" not in shown
    plain = json.loads(command("explain", *asked, "--json").stdout)
    assert "建筑" in plain["source"] and "建筑师" not in plain["source"]
