"""An installation of Stanza's made of models that ship, which Stanza itself then runs: for tests and comparisons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from sema_ud.models import PROCESSORS
from sema_ud.onnx_inference.vocabulary import described, dictionary

from training.ud.graphs import SCALES
from training.ud.packing import NUMBERS, UNITS

NAME = "shipped"


def write_installation(shipped: Path, language: str, folder: Path) -> None:
    """Write a folder as ``stanza.download`` leaves it (``STANZA_RESOURCES_DIR``): shipped models of a language."""
    for name, content in contents(shipped).items():
        (folder / language / name).mkdir(parents=True)
        torch.save(content, folder / language / name / f"{NAME}.pt")
    needs = {NAME: {"dependencies": [{"model": "pretrain", "package": NAME}]}}
    packages = {"tokenize": NAME, "pos": NAME, "lemma": "identity", "depparse": NAME}
    about = {"lang_name": language, "packages": {"default": packages}, "pos": needs, "depparse": needs}
    about |= {"tokenize": {NAME: {}}, "pretrain": {NAME: {}}}
    (folder / "resources.json").write_text(json.dumps({language: about}), encoding="utf-8")


def contents(shipped: Path) -> dict[str, dict[str, Any]]:
    """Shipped models as Stanza's trainers save them, by processor, and the dictionary as ``pretrain``."""
    words = dictionary(shipped)
    vocab = _with_numbers({UNITS: words.units, "lang": "", "idx": 0, "cutoff": 0, "lower": False})
    found: dict[str, dict[str, Any]] = {
        "pretrain": {"vocab": vocab, "emb": torch.from_numpy(words.vectors.astype(np.float32))}
    }
    for name in PROCESSORS:
        about = described(shipped, name)
        found[name] = {"config": about["config"], "vocab": _with_numbers(about["vocab"]), "model": {}}
    found["tokenize"]["lexicon"] = [word for word in words.words if len(word) > 1]
    found["depparse"]["model_type"] = found["depparse"]["config"]["model_type"]
    constants = [tensor for file in shipped.glob("*.onnx") for tensor in onnx.load(file).graph.initializer]
    stored = {tensor.name: numpy_helper.to_array(tensor).astype(np.float32) for tensor in constants}
    for full, values in stored.items():
        processor, _, name = full.partition("/")
        if processor in PROCESSORS:
            found[processor]["model"][name] = torch.from_numpy(values * stored.get(SCALES + full, np.float32(1)))
    for name, network in (("pos", "taggerlstm"), ("depparse", "parserlstm")):  # stands for words only in training
        width = found[name]["model"][f"{network}.lstm.0.lstm.weight_ih_l0"].shape[1]
        found[name]["model"]["drop_replacement"] = torch.zeros(width)
    return found


def _with_numbers(state: dict[str, Any]) -> dict[str, Any]:
    found = {key: _with_numbers(value) if isinstance(value, dict) else value for key, value in state.items()}
    if isinstance(found.get(UNITS), list):
        found[NUMBERS] = {unit: number for number, unit in enumerate(found[UNITS])}
    return found
