"""Teachers' labels of pairs and of their words, for other networks to learn from (Hinton et al. 2015)."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sema_reader.windows import LOGITS

from sema.errors import ResourceError
from training.reader.bases import Base
from training.reader.batches import Lesson, Row, encode
from training.reader.inference import answers
from training.reader.network import PairNetwork

log = logging.getLogger("training.reader")
LABELS = "labels.{}.npz"
"""The file of a teacher's labels in the folder of checkpoints."""
_PIECES = 6_000
_UNKNOWN = 255
"""A word that the teacher has not read."""


def label(teacher: PairNetwork, base: Base, rows: Sequence[Row], to: Path) -> None:
    """Read examples and keep what the teacher finds in the file ``to``; those that are too long are left out."""
    pack = encode(base.cutter(), rows, {})
    pairs = np.zeros((len(pack), LOGITS), np.float16)
    words: list[NDArray[np.uint8]] = [np.empty(0, np.uint8)] * len(pack)
    done = 0
    for batch, pair, word in answers(teacher, base.table(), pack, _PIECES):
        pairs[batch] = pair.numpy()
        chances = word.sigmoid().numpy()
        for row, index in enumerate(batch):
            words[index] = _of_words(chances[row], pack.owners(index), rows[pack.rows[index]])
        done += len(batch)
        if done // 5000 != (done - len(batch)) // 5000:
            log.info("%d of %d pairs are labelled", done, len(pack))
    np.savez_compressed(
        to, rows=np.array([rows[row]["i"] for row in pack.rows]), pair=pairs, words=np.concatenate(words),
        starts=np.concatenate([[0], np.cumsum([len(one) for one in words])]),
    )  # fmt: skip


def _of_words(chances: NDArray[np.float32], owners: NDArray[np.int32], row: Mapping[str, Any]) -> NDArray[np.uint8]:
    """The least probability of each word's pieces, in 1/254."""
    source, output = len(row["s"].split()), len(row["o"].split())
    least = np.full(source + output, 2.0, np.float32)
    inside = owners >= 0
    side = (owners[inside] >= source).astype(np.int64)
    np.minimum.at(least, owners[inside], chances[: len(owners)][inside, side])
    return np.where(least > 1, _UNKNOWN, np.round(least * (_UNKNOWN - 1))).astype(np.uint8)


def load(folder: Path) -> dict[int, Lesson]:
    """What the labels of a folder say together, by the number of their example: the mean of the teachers' logits, and
    of their probabilities of each word (an ensemble; Hinton et al. 2015).

    Raises:
        ResourceError: there are none.
    """
    files = sorted(folder.glob(LABELS.format("*")))
    if not files:
        raise ResourceError(f"{folder} has no labels: run python -m training.reader label --work {folder} first")
    lessons: dict[int, list[Lesson]] = defaultdict(list)
    for file in files:
        with np.load(file) as given:
            rows, pairs, words, starts = (given[name] for name in ("rows", "pair", "words", "starts"))
        chances = np.where(words == _UNKNOWN, np.nan, words.astype(np.float32) / (_UNKNOWN - 1)).astype(np.float32)
        for place, row in enumerate(rows):
            lessons[int(row)].append(
                Lesson(pairs[place].astype(np.float32), chances[starts[place] : starts[place + 1]])
            )
    return {row: _together(some) for row, some in lessons.items()}


def _together(lessons: Sequence[Lesson]) -> Lesson:
    words = np.ma.masked_invalid(np.stack([one.words for one in lessons])).mean(0).filled(-1.0)
    return Lesson(np.mean([one.pair for one in lessons], 0, dtype=np.float32), words.astype(np.float32))
