"""Vectors of Chinese pieces for BERTScore, and of words for links in context.

Layer and exponent are those that agree best with post-editing effort, on machine translations and their post-edits
(MLQE-PE en-zh dev; ``benchmarks/results/finished.md``).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sema_reader.pieces_file import FILE, read_pieces
from sema_reader.reader import WEIGHTS
from sema_reader.token_encoder import ReaderTokenEncoder, Vectors

from sema_chinese.segmentation.segmenter import to_model_characters

__all__ = ["ChineseTokenEncoder", "Vectors"]

LAYER, SHARPNESS = 6, 3


class ChineseTokenEncoder(ReaderTokenEncoder):
    """Unit vectors of pieces, from the pieces that ship."""

    def __init__(self, folder: Path = WEIGHTS, *, layer: int = LAYER, threads: int | None = None) -> None:
        """``layer``: 1 to 12; ``threads``: sentences computed in parallel (default: one for each core)."""
        super().__init__(
            partial(read_pieces, folder / FILE),
            layer=layer,
            folder=folder,
            files=[FILE],
            sharpness=SHARPNESS,
            spelling=to_model_characters,
            spaced=False,
            threads=threads,
        )
