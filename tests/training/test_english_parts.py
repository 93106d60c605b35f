"""Parts of the English trainers that need no public data."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")

from sema_english.ngrams import NgramModel

from training.english import frequencies


def test_the_models_of_words_in_sequence_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frequencies, "TABLES", tmp_path)
    for name in ("original", "simple"):
        monkeypatch.setattr(frequencies, f"{name}_texts", lambda: ["The cat sat. The cat ran.", "The cat sat down."])
    monkeypatch.setattr("sys.argv", ["frequencies", "ngrams"])
    frequencies.main()
    model = NgramModel.load(tmp_path / "simple_ngrams.npz")
    assert model.bigram("the", "cat") > model.bigram("the", "sat")
