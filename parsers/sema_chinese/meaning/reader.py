"""The Chinese pair reader: Chinese words in a network of its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sema_reader.reader import NetworkReader

from sema_chinese.meaning.pieces import ChinesePieces

WEIGHTS = Path(__file__).parent / "weights"
VOCABULARY = "pieces.txt"


class ChineseReader(NetworkReader):
    """The Chinese reader; it overlooks one changed word in a near copy."""

    def __init__(self, folder: Path = WEIGHTS, *, threads: int | None = None) -> None:
        """``threads``: batches computed beside each other; none: one for each core."""
        pieces = partial(ChinesePieces.load, folder / VOCABULARY)
        super().__init__(folder, "pairs-zh-1", pieces, sees_copies=False, files=(VOCABULARY,), threads=threads)
