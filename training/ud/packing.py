"""What Stanza's trainers leave, in the form in which it ships (:mod:`sema_ud.onnx_inference`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from sema_ud.onnx_inference.vocabulary import ABOUT, DICTIONARY, FIRST, VECTORS, WORDS

from training.ud.graphs import Model
from training.ud.networks import write_labels, write_tokenizer, write_trees, write_words

STEPS = {"tokenize": 127, "pos": 31, "depparse": 63}
"""Steps of a matrix on either side of 0: with fewer the tokenizer finds other words; tagger and parser find as many
right tags and heads."""
UNITS, NUMBERS = "_id2unit", "_unit2id"
"""The two directions of a vocabulary of Stanza's."""


def pack(dictionary: Path, processors: Mapping[str, Path], folder: Path) -> list[str]:
    """Write a dictionary, a tokenizer, a tagger and a parser to a folder; returns the names of its files.

    Raises:
        ValueError: a model is of another architecture, or the tokenizer knows other words than the dictionary's.
    """
    shared = _content(dictionary)
    units, vectors = shared["vocab"][UNITS], np.asarray(shared["emb"], np.float16)
    contents = {name: _content(processors[name]) for name in STEPS}
    words = {word for word in units[FIRST:] if len(word) > 1}
    if {word for word in contents["tokenize"]["lexicon"] or words if len(word) > 1} != words:
        raise ValueError("the tokenizer was trained with other words than the dictionary's")
    text = json.dumps(units, ensure_ascii=False).encode()
    entries: dict[str, Any] = {WORDS: np.frombuffer(text, np.uint8), VECTORS: vectors}
    np.savez(folder / DICTIONARY, **entries)
    models = {name: _model(name, content) for name, content in contents.items()}
    about = {name: {"config": model.config, "vocab": model.vocab} for name, model in models.items()}
    (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    tagger, parser = models["pos"], models["depparse"]
    files = {name: folder / f"{name}.onnx" for name in ("tokenize", "words", "trees", "labels")}
    write_tokenizer(models["tokenize"], files["tokenize"])
    write_words(tagger, parser, vectors.shape[1], files["words"])
    write_trees(tagger, parser, files["trees"])
    write_labels(parser, files["labels"])
    return [DICTIONARY, ABOUT, *(file.name for file in files.values())]


def _content(file: Path) -> dict[str, Any]:
    import torch

    found: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
    return found


def _model(name: str, content: Mapping[str, Any]) -> Model:
    weights = {key: np.asarray(value, np.float32) for key, value in content["model"].items()}
    return Model(name, content["config"], weights, _without_numbers(content["vocab"]), STEPS[name])


def _without_numbers(state: Mapping[str, Any]) -> dict[str, Any]:
    """Vocabularies without the numbers that the order of their units gives."""
    found = {key: _without_numbers(value) if isinstance(value, dict) else value for key, value in state.items()}
    if isinstance(state.get(UNITS), list):
        if state[NUMBERS] != {unit: number for number, unit in enumerate(state[UNITS])}:
            raise ValueError("the units of a vocabulary are numbered otherwise than in their order")
        del found[NUMBERS]
    return found
