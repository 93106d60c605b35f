"""Parts of the English trainers that need no public data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")

from sema_english.ngrams import NgramModel

from training.english import alignment, frequencies


def test_links_at_a_threshold_are_scored_over_all_pairs() -> None:
    pair = alignment.GoldPair(("a", "b"), ("a", "c"), frozenset({(0, 0), (1, 1)}), frozenset())
    target = np.array([[True, False], [False, True]])
    example: Any = type("Example", (), {"target": target})()
    with pytest.MonkeyPatch.context() as patch:
        scores = alignment.torch.tensor([[0.9, 0.1], [0.7, 0.3]])
        patch.setattr(alignment, "probabilities", lambda *_: [scores])
        figures = alignment.dev_scores(None, [pair], [example])  # type: ignore[arg-type]
    assert figures[0.2] == pytest.approx((2 * 2 / (3 + 2), 2 * 1 / (2 + 1)))
    assert figures[0.8] == pytest.approx((2 / 3, 0))


def test_the_models_of_words_in_sequence_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frequencies, "TABLES", tmp_path)
    for name in ("original", "simple"):
        monkeypatch.setattr(frequencies, f"{name}_texts", lambda: ["The cat sat. The cat ran.", "The cat sat down."])
    monkeypatch.setattr("sys.argv", ["frequencies", "ngrams"])
    frequencies.main()
    model = NgramModel.load(tmp_path / "simple_ngrams.npz")
    assert model.bigram("the", "cat") > model.bigram("the", "sat")
