"""The Chinese reader of pairs: the English one's network, with Chinese words in the place of English ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sema_english.meaning.pieces import Pieces
from sema_english.meaning.reader import FILE, MAX_PIECES, SCALE, EnglishReader, Span
from sema_english.meaning.windows import assembled, plan

from sema.model.reading import PairReading
from sema.model.text import Text
from sema.runtime.checksums import checked
from sema.runtime.threads import available_cores
from sema_chinese.meaning.pieces import ChinesePieces

WEIGHTS = Path(__file__).parent / "weights"
VOCABULARY = "pieces.txt"


class ChineseReader(EnglishReader):
    """One folder of weights, loaded when it is first needed."""

    sees_copies = False

    def __init__(self, folder: Path = WEIGHTS, *, threads: int | None = None) -> None:
        """``threads``: batches computed beside each other; none: one for each core."""
        self._folder = folder
        self._threads = threads or available_cores()
        self._digest = checked(folder, "weights of the Chinese reader of pairs", (FILE, SCALE, VOCABULARY))
        self._pieces = ChinesePieces.load(folder / VOCABULARY)

    @property
    def signature(self) -> str:
        """Name and digest of the weights."""
        return f"pairs-zh-1+{self._digest}"

    def pieces(self, text: Text, span: Span) -> Pieces:
        """The pieces of some tokens of a text."""
        return self._pieces.pieces(text, *span)

    def read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        """The readings of sources and outputs, neither of them empty."""
        plans = [plan(self, source, output, MAX_PIECES) for source, output in pairs]
        found = iter(self.run([(one.source, one.output) for passes in plans for one in passes]))
        return [
            assembled(source, output, passes, [next(found) for _ in passes])
            for (source, output), passes in zip(pairs, plans, strict=True)
        ]
