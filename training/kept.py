"""What is computed once and kept between runs, in files that are written whole or not at all."""

from __future__ import annotations

import gzip
import logging
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from sema.files.replacing import replacing

log = logging.getLogger("training")
Made = TypeVar("Made")
States = NDArray[np.float16]
"""The states of a sentence's words (words, width), in half precision."""
_AT_A_TIME = 512


def kept(file: Path, make: Callable[[], Made]) -> Made:
    """What ``make`` returns, or returned when an earlier run kept it in the file, compressed."""
    if file.exists():
        with gzip.open(file) as packed:
            return cast(Made, pickle.load(packed))
    made = make()
    with replacing(file) as whole, gzip.open(whole, "wb", compresslevel=1) as packed:
        pickle.dump(made, packed)
    return made


def states_of(
    read: Callable[[Sequence[Sequence[str]]], Sequence[NDArray[np.float32]]], sentences: Sequence[Sequence[str]],
    file: Path,
) -> list[States]:  # fmt: skip
    """The states of each sentence, kept in a file (.npy), which is read if it has the same number of words."""
    ends = np.cumsum([len(sentence) for sentence in sentences])
    if file.is_file():
        joined: States = np.load(file, mmap_mode="r", allow_pickle=False)
        if len(joined) == ends[-1]:
            return list(np.split(joined, ends[:-1]))
    states: list[States] = []
    for start in range(0, len(sentences), _AT_A_TIME):
        states += [one.astype(np.float16) for one in read(sentences[start : start + _AT_A_TIME])]
        log.info("%d of %d sentences encoded", len(states), len(sentences))
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as whole:
        np.save(whole, np.concatenate(states), allow_pickle=False)
    return states
