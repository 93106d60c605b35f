"""What the Chinese reader learns from: translated judged pairs, broken texts, English pairs in Chinese words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from sema_chinese.meaning.pieces import ChinesePieces
from sema_chinese.relations import spell

from sema.datasets.folder import data_folder
from training.reader.chinese import broken
from training.reader.chinese.bilingual import Words, chinese_words, zh_rows
from training.reader.chinese.lent import Lender
from training.reader.english.__main__ import STORIES
from training.reader.english.batches import Encoded
from training.reader.english.broken import written
from training.reader.english.examples import (
    BOTH,
    CONTRADICTED,
    ENTAILED,
    NEUTRAL,
    NOT_ENTAILED,
    UNKNOWN,
    Example,
    detokenized,
    rows,
)
from training.ud import treebank

_LABELS = {"entailment": ENTAILED, "neutral": NEUTRAL, "contradiction": CONTRADICTED}
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
        label = _LABELS[row["label"]]
        turned = CONTRADICTED if label == CONTRADICTED else UNKNOWN
        yield replace(broken.made(*_texts(row), label, turned, -1.0, weight=0.8), teaches=BOTH)


def judged(rng: Random) -> Iterator[Example]:
    """Translated SNLI (a part), STS and PAWS."""
    found = list(captions())
    yield from rng.sample(found, len(found) // 2)
    yield from rated()


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
    texts.update(rng.sample(captions, 1500), _trees())
    chosen = sorted(text for text in texts if broken.SHORTEST <= len(text) <= broken.LONGEST)
    rng.shuffle(chosen)
    pool = broken.pool_of(chosen)
    yield from broken.near_copies(chosen[:many], pool, rng)
    same = [_texts(row) for row in zh_rows("paws") if row["label"] == "1"]
    same += [_texts(row) for row in zh_rows("sts") if float(row["label"]) >= _SAME]
    yield from broken.around([pair for pair in same if pair[0] != pair[1]], pool, rng)


def _trees() -> Iterator[Words]:
    for name in _TREEBANKS:
        for tree in treebank.read(data_folder("ud").joinpath(name)):
            yield tuple(node.form if node.form.isascii() else spell(node.form, numerals=False) for node in tree.nodes)


def borrowed(lender: Lender, rng: Random, stories: int, judged_pairs: int, paws: int) -> Iterator[Example]:
    """Stories (so many of each ten), and judged pairs and PAWS pairs (so many), in Chinese words."""
    for file in STORIES:
        for example in written(file):
            if example.group % 10 < stories:
                yield lender.lent(example)
    found = [row for row in rows("train", "nli.tsv.gz") if row["source"] != "snli" and len(row["premise"].split()) < 45]
    for row in rng.sample(found, judged_pairs):
        label = _LABELS[row["label"]]
        turned = CONTRADICTED if label == CONTRADICTED else UNKNOWN
        yield lender.lent(Example(row["premise"], row["hypothesis"], label, turned, teaches=BOTH))
    for row in rng.sample(list(rows("train", "paws.tsv.gz"))[:-1000], paws):
        label = ENTAILED if row["label"] == "1" else NOT_ENTAILED
        texts = detokenized(row["premise"]), detokenized(row["hypothesis"])
        yield lender.lent(Example(*texts, label, label, 0.95 if label == ENTAILED else 0.25, teaches=BOTH))


def encode(pieces: ChinesePieces, examples: Sequence[Example]) -> list[Encoded]:
    """The examples that are short enough, in pieces."""
    ends = pieces.begin, pieces.end
    found = (
        Encoded.of(pieces.of_words(e.source.split()), pieces.of_words(e.output.split()), ends, e) for e in examples
    )
    return [encoded for encoded in found if encoded is not None]
