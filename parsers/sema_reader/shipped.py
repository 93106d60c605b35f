"""The network with the pieces of English and Chinese, which ship: no extra is needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sema.model.reading import CrossEncoder
from sema.runtime.checksums import checked
from sema_reader.normalisation import Matcher
from sema_reader.pieces_file import FILE, read_pieces
from sema_reader.reader import WEIGHTS, WHAT, NetworkReader
from sema_reader.token_encoder import ReaderTokenEncoder


def reader(
    *, notation: Matcher | None = None, spelling: Callable[[str], str] | None = None, threads: int | None = None
) -> CrossEncoder:
    """The cross-encoder; the arguments are those of :class:`NetworkReader`."""
    return NetworkReader(
        partial(read_pieces, WEIGHTS / FILE),
        folder=WEIGHTS,
        digests=[checked(WEIGHTS, WHAT, [FILE])],
        notation=notation,
        spelling=spelling,
        threads=threads,
    )


def shipped_token_encoder(
    *, layer: int, sharpness: int, spelling: Callable[[str], str], spaced: bool
) -> ReaderTokenEncoder:
    """Vectors of a middle layer of the cross-encoder; the arguments are those of :class:`ReaderTokenEncoder`."""
    return ReaderTokenEncoder(
        partial(read_pieces, WEIGHTS / FILE),
        layer=layer,
        files=[FILE],
        sharpness=sharpness,
        spelling=spelling,
        spaced=spaced,
    )
