"""The Chinese reader of pairs: the English one's network, with Chinese words in the place of English ones."""

from __future__ import annotations

from pathlib import Path

from sema_english.meaning.reader import FILE, SCALE, NetworkReader

from sema.runtime.checksums import checked
from sema_chinese.meaning.pieces import ChinesePieces

WEIGHTS = Path(__file__).parent / "weights"
VOCABULARY = "pieces.txt"


class ChineseReader(NetworkReader):
    """The Chinese reader; it overlooks one changed word in a near copy."""

    sees_copies = False

    def __init__(self, folder: Path = WEIGHTS, *, threads: int | None = None) -> None:
        """``threads``: batches computed beside each other; none: one for each core."""
        digest = checked(folder, "weights of the Chinese reader of pairs", (FILE, SCALE, VOCABULARY))
        super().__init__(folder, f"pairs-zh-1+{digest}", ChinesePieces.load(folder / VOCABULARY), threads)
