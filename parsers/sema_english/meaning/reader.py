"""The English cross-encoder: its own network, and texts that state the same in different notation."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from sema_reader import minilm
from sema_reader.pieces import WordPieces
from sema_reader.reader import NetworkReader

from sema_english.meaning.notation import matches

WEIGHTS = Path(__file__).parents[1] / "weights" / "cross_encoder"


class EnglishReader(NetworkReader):
    """Reads what both texts state in different notation in the source's."""

    def __init__(
        self,
        folder: Path = WEIGHTS,
        *,
        threads: Annotated[int | None, "batches computed beside each other; none: one for each core"] = None,
    ) -> None:
        super().__init__(
            folder,
            "pairs-5",
            partial(WordPieces, minilm.TOKENIZER),
            table=minilm.words,
            notation=matches,
            threads=threads,
        )
        self.signature += f"+{minilm.digest()}"
