"""The Chinese cross-encoder: the network of all languages, with Chinese pieces that ship and a scale of its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sema_reader.languages import NAME
from sema_reader.languages import WEIGHTS as NETWORK
from sema_reader.reader import NetworkReader
from sema_reader.some_pieces import FILE, read_pieces

from sema_chinese.meaning.notation import matches
from sema_chinese.relations import spell

WEIGHTS = Path(__file__).parents[1] / "weights" / "cross_encoder"


class ChineseReader(NetworkReader):
    """Reads words in simplified characters."""

    def __init__(self, folder: Path = WEIGHTS, *, network: Path = NETWORK, threads: int | None = None) -> None:
        """``folder`` has the pieces and the scale, ``network`` the graph; ``threads``: batches computed beside each
        other; none: one for each core."""
        super().__init__(
            network,
            NAME,
            lambda: read_pieces(folder / FILE)[0],
            table=lambda: read_pieces(folder / FILE)[1],
            scale=folder,
            spelling=partial(spell, numerals=False),
            notation=matches,
            threads=threads,
        )
