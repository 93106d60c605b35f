"""Chinese words as jieba's dictionary and the Chinese wordnets know them."""

from __future__ import annotations

import re
from pathlib import Path

from sema.datasets.folder import data_folder

MIN_FREQUENCY = 11
MAX_LENGTH = 4
HAN = re.compile(rf"^[一-鿿]{{1,{MAX_LENGTH}}}$")
TAG_GROUPS = (
    "n ng", "nr nrt nrfg", "ns", "nt", "nz j", "v vd vg vi vq", "vn", "a ad an ag b z", "d dg df", "m mg mq", "q",
    "r rg rr rz", "c p", "u ud ug uj ul uv uz y e o k h", "i l", "t tg", "s f", "zg g x",
)  # fmt: skip
"""jieba's parts of speech (ICTCLAS), one dimension each."""
GROUP_OF = {tag: index for index, tags in enumerate(TAG_GROUPS) for tag in tags.split()}
WORDNETS = ("cow/wn-data-cmn.tab", "wikt/wn-wikt-cmn.tab")


def jieba_words() -> dict[str, tuple[int, str]]:
    """jieba's dictionary: word -> (frequency, part of speech)."""
    import jieba

    words = {}
    with (Path(jieba.__file__).parent / "dict.txt").open(encoding="utf-8") as handle:
        for line in handle:
            word, frequency, tag = line.split()
            if HAN.match(word) and int(frequency) >= MIN_FREQUENCY and tag in GROUP_OF:
                words[word] = (int(frequency), tag)
    return words


def wordnet_words() -> dict[str, set[str]]:
    """The Chinese wordnets: word -> the classes (n, v, a, r) that it has a sense in."""
    senses: dict[str, set[str]] = {}
    for name in WORDNETS:
        with (data_folder("lexicons", name)).open(encoding="utf-8") as handle:
            for line in handle:
                columns = line.rstrip("\n").split("\t")
                word = columns[-1].replace("+", "")
                if len(columns) == 3 and columns[1].endswith("lemma") and HAN.match(word):
                    senses.setdefault(word, set()).add(columns[0][-1].replace("s", "a"))
    return senses
