"""What is computed once is kept whole or not at all, and is computed again if it is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from training.kept import kept, states_of


class Stopped:
    def __reduce__(self) -> Any:
        raise KeyboardInterrupt


def test_a_stop_while_something_is_kept_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        kept(tmp_path / "pairs", lambda: [b"much" * 100_000, Stopped()])
    assert list(tmp_path.iterdir()) == []
    assert kept(tmp_path / "pairs", lambda: [1, 2]) == [1, 2]
    assert kept(tmp_path / "pairs", lambda: pytest.fail("is computed again")) == [1, 2]


def test_states_are_read_again_unless_the_words_are_others(tmp_path: Path) -> None:
    asked: list[Any] = []

    def read(sentences: Any) -> list[np.ndarray]:
        asked.append(sentences)
        return [np.ones((len(words), 2), np.float32) for words in sentences]

    one, other, file = [["a", "b"], ["c"]], [["a"]], tmp_path / "runs" / "states.npy"
    for sentences in (one, one, other):
        assert [len(states) for states in states_of(read, sentences, file)] == list(map(len, sentences))
    assert asked == [one, other] and list(file.parent.iterdir()) == [file]
