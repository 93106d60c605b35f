"""The states that an encoder gives the words of sentences, kept between runs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

log = logging.getLogger("training")
States = NDArray[np.float16]
"""The states of a sentence's words (words, width), in half precision."""
_AT_A_TIME = 512


def states_of(
    read: Callable[[Sequence[Sequence[str]]], Sequence[NDArray[np.float32]]],
    sentences: Sequence[Sequence[str]],
    kept: Path | None = None,
) -> list[States]:
    """The states of each sentence, cached in the file ``kept`` (.npy), which is read if it has the same number of
    words."""
    ends = np.cumsum([len(sentence) for sentence in sentences])
    if kept is not None and kept.is_file():
        joined: States = np.load(kept, mmap_mode="r", allow_pickle=False)
        if len(joined) == ends[-1]:
            return list(np.split(joined, ends[:-1]))
    states: list[States] = []
    for start in range(0, len(sentences), _AT_A_TIME):
        states += [one.astype(np.float16) for one in read(sentences[start : start + _AT_A_TIME])]
        log.info("%d of %d sentences encoded", len(states), len(sentences))
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, np.concatenate(states), allow_pickle=False)
    return states
