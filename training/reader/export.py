"""What ships of a trained network: an ONNX graph, its pieces, and the scales.

The graph takes the embedded pieces of both texts and gives the logits of the pair and of its pieces.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import cast

import numpy as np
import torch
from sema_chinese.meaning.reader import WEIGHTS as CHINESE
from sema_english.meaning.reader import WEIGHTS as ENGLISH
from sema_reader.e5 import WORD_BYTES, load_e5
from sema_reader.languages import WEIGHTS as LANGUAGES
from sema_reader.languages import all_pieces
from sema_reader.reader import GRAPH, MAX_PIECES
from sema_reader.some_pieces import FILE, SPECIAL, write_pieces
from torch import Tensor, nn

from training.reader.begin import moved_words
from training.reader.fit import fit_chinese, fit_english, fit_languages
from training.reader.material import texts_of
from training.reader.network import PairNetwork
from training.ucca.quantize import write_graph

ENGLISH_PIECES = 6_000
"""English pieces that ship with the Chinese ones: names and terms stand in Chinese texts."""
INPUTS = ("words", "types", "marks", "mask")


class _Exported(nn.Module):
    """The network without its dropout; positions, kinds and marks as they are added to the embedded pieces."""

    def __init__(self, network: PairNetwork, longest: int) -> None:
        super().__init__()
        self.network = deepcopy(network)
        place = self.network.encoder.place
        place.weight.data = place.weight.data[:longest]

    def forward(self, words: Tensor, types: Tensor, marks: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        return cast(tuple[Tensor, Tensor], self.network(words, types, marks, mask))


def export_network(network: PairNetwork, file: Path, longest: int) -> None:
    """Write the graph, for at most ``longest`` pieces: ``words`` (batch, pieces, width), ``types marks mask`` (batch,
    pieces) to ``pair`` (batch, 14) and ``kept`` (batch, pieces, 2); its products are in 8 bits."""
    words = torch.randn(2, 9, network.encoder.shape.width)
    ones = torch.ones(2, 9, dtype=torch.long)
    axes = {name: {0: "batch", 1: "pieces"} for name in (*INPUTS, "kept")} | {"pair": {0: "batch"}}
    write_graph(_Exported(network, longest), (words, ones - 1, ones, ones), file, INPUTS, ("pair", "kept"), axes)


def ship(name: str, network: PairNetwork, to: Path | None) -> None:
    """Write what ships of a network, its graph and pieces, and fit its scales.

    The embeddings of English pieces ship apart, for the parser reads them too (:mod:`training.minilm`). ``languages``
    goes to its own folder, and the pieces of Chinese to that of the Chinese home.
    """
    if name == "english":
        folder = to or ENGLISH
        folder.mkdir(parents=True, exist_ok=True)
        export_network(moved_words(network), folder / GRAPH, MAX_PIECES)
        fit_english(folder)
        return
    folder, chinese = to or LANGUAGES, to / "chinese" if to else CHINESE
    for place in (folder, chinese):
        place.mkdir(parents=True, exist_ok=True)
    export_network(network, folder / GRAPH, MAX_PIECES)
    write_chinese_pieces(chinese / FILE)
    fit_languages(folder)
    fit_chinese(chinese, folder)


def write_chinese_pieces(file: Path) -> None:
    """Write the pieces that Chinese training texts are cut in, all Chinese characters, and the commonest of English."""
    e5, cutter = load_e5(), all_pieces()
    counts: dict[str, Counter[int]] = {"zh": Counter(), "en": Counter()}
    for lang, text in texts_of():
        counts[lang].update(cutter.of_words(text.split()).ids)
    chosen = {*range(SPECIAL), *counts["zh"], *(piece for piece, _ in counts["en"].most_common(ENGLISH_PIECES))}
    chosen.update(number for number, piece in enumerate(e5.pieces) if len(piece) == 1 and is_ideograph(piece))
    kept = sorted(chosen)
    start, count = e5.words
    rows = np.memmap(e5.file, np.uint8, "r", start, (count, WORD_BYTES))[kept]
    write_pieces(file, [e5.pieces[piece] for piece in kept], e5.scores[kept], np.asarray(rows))


def is_ideograph(char: str) -> bool:
    """Whether a character is Chinese (or Japanese kanji)."""
    return "CJK UNIFIED IDEOGRAPH" in unicodedata.name(char, "")
