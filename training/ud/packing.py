"""What Stanza's trainers leave, in the form in which it ships (:mod:`sema_ud.numpy_inference.files`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sema_ud.models import DICTIONARY, file_of
from sema_ud.numpy_inference.files import ModelFile, write_model
from sema_ud.numpy_inference.words import Dictionary

STEPS = {"tokenize": 127, "pos": 31, "depparse": 63}
"""Steps of a matrix on either side of 0: with fewer the tokenizer finds other words; tagger and parser find as many
right tags and heads."""


def pack(dictionary: Path, processors: dict[str, Path], folder: Path) -> list[str]:
    """Write a dictionary and the models of some processors to a folder; returns the names of its files.

    Raises:
        ValueError: the tokenizer knows other words than the dictionary's.
    """
    shared = _content(dictionary)
    model = ModelFile({}, {"emb": np.asarray(shared["emb"], np.float32)}, shared["vocab"])
    write_model(file_of(folder, DICTIONARY), model, steps=None)
    words = {word for word in Dictionary(model).words if len(word) > 1}
    for name, file in processors.items():
        content = _content(file)
        if name == "tokenize" and {word for word in content["lexicon"] or words if len(word) > 1} != words:
            raise ValueError("the tokenizer was trained with other words than the dictionary's")
        weights = {key: np.asarray(value, np.float32) for key, value in content["model"].items()}
        rest = {key: content[key] for key in ("model_type",) if key in content}
        model = ModelFile(content["config"], weights, content["vocab"], rest)
        write_model(file_of(folder, name), model, steps=STEPS[name])
    return [file_of(folder, name).name for name in (DICTIONARY, *processors)]


def _content(file: Path) -> dict[str, Any]:
    import torch

    found: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
    return found
