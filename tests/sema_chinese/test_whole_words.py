"""Chinese is shown in words as people read them: 工程师 and not 工程 师."""

import json

from sema_chinese.segmentation.whole_words import whole_words

from tests.cases import cases
from tests.conftest import ROOT, Run


@cases("zh/whole_words")
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
