"""Models from Stanza's trainers to the form in which they ship, and back for Stanza."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sema_chinese import MODELS
from sema_ud.models import DICTIONARY, PROCESSORS, file_of
from sema_ud.numpy_inference.files import read_model
from sema_ud.stanza_files import stanza_files

torch = pytest.importorskip("torch")
packing = pytest.importorskip("training.ud.packing")


def test_models_are_the_same_after_a_way_through_stanzas_format(tmp_path: Path) -> None:
    with stanza_files(MODELS, PROCESSORS) as folder:
        files = {name: folder / f"{name}.pt" for name in PROCESSORS}
        names = packing.pack(folder / f"{DICTIONARY}.pt", files, tmp_path)
    assert not folder.exists()
    assert sorted(names) == sorted(file_of(MODELS, name).name for name in (*PROCESSORS, DICTIONARY))
    for name in (*PROCESSORS, DICTIONARY):
        shipped, again = read_model(file_of(MODELS, name)), read_model(file_of(tmp_path, name))
        assert (shipped.config, shipped.vocab, shipped.rest) == (again.config, again.vocab, again.rest)
        for key, value in shipped.weights.items():
            np.testing.assert_allclose(again.weights[key], value, rtol=0.002, atol=1e-6, err_msg=key)


def test_a_tokenizer_with_words_of_its_own_is_refused(tmp_path: Path) -> None:
    with stanza_files(MODELS, ["tokenize"]) as folder:
        content: dict[str, Any] = torch.load(folder / "tokenize.pt", weights_only=True)
        content["lexicon"].append("另外的词")
        torch.save(content, folder / "tokenize.pt")
        with pytest.raises(ValueError, match="other words"):
            packing.pack(folder / f"{DICTIONARY}.pt", {"tokenize": folder / "tokenize.pt"}, tmp_path)
