"""Chinese training pairs: translated judged pairs, texts broken on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from sema.datasets.folder import data_folder
from training.reader.chinese import broken
from training.reader.chinese.bilingual import chinese_words, zh_rows
from training.reader.example import BOTH, CONTRADICTED, ENTAILED, JUDGEMENTS, NOT_ENTAILED, UNKNOWN, Example
from training.reader.words import Words, simplified
from training.ud import treebank

_SNLI = ("snli", "snli_2")
_TREEBANKS = (
    "zh_gsd/zh_gsd-ud1.3-train.conllu", "zh_gsdsimp/zh_gsdsimp-ud-dev.conllu", "zh_hk/zh_hk-ud-test.conllu",
    "zh_cfl/zh_cfl-ud-test.conllu", "zh_pud/zh_pud-001-500.conllu",
)  # fmt: skip
_SAME = 4.8
"""The STS score from which two texts have the same meaning."""


def captions() -> Iterator[Example]:
    """Translated SNLI."""
    for row in zh_rows(*_SNLI):
        label = JUDGEMENTS[row["label"]]
        turned = CONTRADICTED if label == CONTRADICTED else UNKNOWN
        yield replace(broken.made(*_texts(row), label, turned, -1.0, weight=0.8), teaches=BOTH)


def rated() -> Iterator[Example]:
    """Translated STS and PAWS."""
    for row in zh_rows("sts"):
        score = float(row["label"]) / 5
        label = ENTAILED if score > 0.95 else NOT_ENTAILED if score <= 0.6 else UNKNOWN
        yield replace(broken.made(*_texts(row), label, label, score), teaches=BOTH, graded=score)
    for row in [*zh_rows("paws")] * 2:
        label = ENTAILED if row["label"] == "1" else NOT_ENTAILED
        yield replace(broken.made(*_texts(row), label, label, 0.95 if label == ENTAILED else 0.25), teaches=BOTH)


def _texts(row: dict[str, str]) -> tuple[Words, Words]:
    return chinese_words(row["premise"]), chinese_words(row["hypothesis"])


def on_purpose(rng: Random, many: int) -> Iterator[Example]:
    """So many sentences, broken and reworded, and rewordings of the judged sets, broken."""
    texts = {words for name in ("paws", "sts") for row in zh_rows(name) for words in _texts(row)}
    captions = sorted({chinese_words(row["premise"]) for row in zh_rows("snli")})
    texts.update(rng.sample(captions, 1500), trees())
    chosen = sorted(text for text in texts if broken.SHORTEST <= len(text) <= broken.LONGEST)
    rng.shuffle(chosen)
    pool = broken.pool_of(chosen)
    yield from broken.near_copies(chosen[:many], pool, rng)
    same = [_texts(row) for row in zh_rows("paws") if row["label"] == "1"]
    same += [_texts(row) for row in zh_rows("sts") if float(row["label"]) >= _SAME]
    yield from broken.around([pair for pair in same if pair[0] != pair[1]], pool, rng)


def trees() -> Iterator[Words]:
    """The sentences of the treebanks."""
    for name in _TREEBANKS:
        for tree in treebank.read(data_folder("ud").joinpath(name)):
            yield simplified(node.form for node in tree.nodes)
