"""Trees with the labels of LTP and Baidu, and how they are written to files."""

from __future__ import annotations

from pathlib import Path

LTP = """国务院 ni 2 ATT
总理 n 3 ATT
李克强 nh 4 SBV
调研 v 7 ATT
上海 ns 6 ATT
外高桥 ns 4 VOB
时 n 8 ADV
提出 v 0 HED
， wp 8 WP
支持 v 8 COO
上海 ns 10 DBL
积极 a 13 ADV
探索 v 10 VOB
新 a 15 ATT
机制 n 13 VOB
。 wp 8 WP"""
BAIDU = """2004年3月26日 TIME 10 ADV
全法 n 5 ATT
汉语 nz 5 ATT
教学 vn 5 ATT
研讨会 n 10 SBV
在 p 10 ADV
巴黎 LOC 9 ATT
国际 n 9 ATT
大学生城 n 6 POB
举行 v 0 HED
。 w 10 MT"""
"""The sentence of SEMA's paper, section 4.3."""


def written(folder: Path, sentence: str, name: str = "tree.conll") -> Path:
    """A sentence as CoNLL: word, tag, head, label."""
    rows = [line.split() for line in sentence.splitlines()]
    path = folder / name
    path.write_text(
        "".join(
            f"{number}\t{word}\t{word}\t{tag}\t{tag}\t_\t{head}\t{label}\t_\t_\n"
            for number, (word, tag, head, label) in enumerate(rows, 1)
        ),
        encoding="utf-8",
    )
    return path
