"""Chinese training pairs: translated judged pairs, and the sentences that are broken on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from sema.datasets.folder import data_folder
from training.reader.chinese.bilingual import chinese_words, zh_rows
from training.reader.example import ENTAILED, Example, judged
from training.reader.words import Words, simplified
from training.ud import treebank

_SNLI = ("snli", "snli_2")
_TREEBANKS = (
    "zh_gsd/zh_gsd-ud1.3-train.conllu", "zh_gsdsimp/zh_gsdsimp-ud-dev.conllu", "zh_hk/zh_hk-ud-test.conllu",
    "zh_cfl/zh_cfl-ud-test.conllu", "zh_pud/zh_pud-001-500.conllu",
)  # fmt: skip
_SAME = 4.8
"""The STS score from which two texts have the same meaning."""
SHORTEST, LONGEST = 6, 60
"""Words of a sentence that is broken."""


def captions() -> Iterator[Example]:
    """Translated SNLI."""
    for row in zh_rows(*_SNLI):
        yield replace(judged(*_texts(row), row["label"]), weight=0.8)


def rated() -> Iterator[Example]:
    """Translated STS and PAWS."""
    yield from (judged(*_texts(row), row["label"], graded=True) for row in zh_rows("sts"))
    yield from (judged(*_texts(row), row["label"]) for row in [*zh_rows("paws")] * 2)


def _texts(row: dict[str, str]) -> tuple[str, str]:
    return " ".join(chinese_words(row["premise"])), " ".join(chinese_words(row["hypothesis"]))


def sentences(rng: Random, many: int) -> list[str]:
    """Sentences of PAWS, STS and the treebanks, few captions; in chance order."""
    texts = {text for name in ("paws", "sts") for row in zh_rows(name) for text in _texts(row)}
    captions = sorted({_texts(row)[0] for row in zh_rows("snli")})
    texts.update(rng.sample(captions, 1500), map(" ".join, trees()))
    ordered = sorted(text for text in texts if SHORTEST <= len(text.split()) <= LONGEST)
    rng.shuffle(ordered)
    return ordered[:many]


def rewordings() -> Iterator[Example]:
    """The judged pairs of one meaning."""
    same = [*(row for row in zh_rows("paws") if row["label"] == "1")]
    same += [row for row in zh_rows("sts") if float(row["label"]) >= _SAME]
    for source, output in map(_texts, same):
        if source != output:
            yield Example(source, output, ENTAILED, ENTAILED, 0.92)


def trees() -> Iterator[Words]:
    """The sentences of the treebanks."""
    for name in _TREEBANKS:
        for tree in treebank.read(data_folder("ud").joinpath(name)):
            yield simplified(node.form for node in tree.nodes)
