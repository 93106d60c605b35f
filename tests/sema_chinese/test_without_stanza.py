"""Chinese is segmented, parsed and scored where neither Stanza nor torch is installed."""

import subprocess
import sys

from sema_chinese.segmentation.segmenter import ChineseSegmenter

BLOCKED = """
import importlib.metadata, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "stanza", "transformers"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

def version(name, known=importlib.metadata.version):
    if name in ("torch", "stanza", "transformers"):
        raise importlib.metadata.PackageNotFoundError(name)
    return known(name)

sys.meta_path.insert(0, Blocked())
importlib.metadata.version = version
from sema import Scorer
report = Scorer("zh", ["meaning", "samsa", "sema"]).score(
    ["他在北京大学学习，网址是www.pku.edu.cn，邮箱是ab@pku.edu.cn。"], ["他在北京大学学习。网址是 www.pku.edu.cn。"]
)
print(sorted(report.systems[0].scores), "stanza" in sys.modules, "torch" in sys.modules)
"""


def words(text: str) -> tuple[str, ...]:
    return ChineseSegmenter().segment([text])[0].words


def test_chinese_is_scored_without_stanza_and_torch() -> None:
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "['meaning', 'samsa', 'sema'] False False", done.stderr[-800:]


def test_an_address_is_one_word() -> None:
    assert words("网址是www.pku.edu.cn，邮箱为abc@pku.edu.cn。") == (
        "网址", "是", "www.pku.edu.cn", "，", "邮箱", "为", "abc@pku.edu.cn", "。",
    )  # fmt: skip
    assert words("请看https://a.org/b?c=1 。")[-2:] == ("https://a.org/b?c=1", "。")


def test_a_sentence_that_is_too_long_is_read_in_passes_that_agree() -> None:
    clause = "他在北京学习，"
    assert words(clause * 300 + "她来了。")[: 5 * 300] == words(clause) * 300
