import json
import subprocess
import sys
from pathlib import Path

import sema_chinese
import sema_english
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


def test_the_home_has_the_shape_of_the_english_one() -> None:
    chinese, english = (
        {path.stem for path in Path(home.__file__).parent.iterdir() if path.stem != "__pycache__"}
        for home in (sema_chinese, sema_english)
    )
    assert chinese <= english


WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(("stanza", "torch", "transformers")))  # what a failed import leaves behind
from sema import Scorer
source, output = "他在大学学习，网址是www.pku.edu.cn，邮箱是a@pku.edu.cn。", "他在大学学习。网址是 www.pku.edu.cn。"
print(sorted(Scorer("zh", ["meaning", "samsa", "sema"]).score([source], [output]).systems[0].scores))
"""


def test_chinese_is_scored_without_stanza_and_torch() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "['meaning', 'samsa', 'sema']", done.stderr[-800:]
