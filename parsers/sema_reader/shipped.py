"""The network with the pieces of English and Chinese, which ship: no extra is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sema.model.reading import CrossEncoder
from sema.runtime.checksums import checked
from sema_reader.normalisation import Matcher
from sema_reader.pieces_file import FILE, read_pieces
from sema_reader.reader import WEIGHTS, WHAT, NetworkReader

shipped_pieces = partial(read_pieces, WEIGHTS / FILE)
"""Reads the pieces and their embeddings."""


def reader(
    *,
    notation: Matcher | None = None,
    signatures: Sequence[str] = (),
    spelling: Callable[[str], str] | None = None,
    threads: int | None = None,
) -> CrossEncoder:
    """The cross-encoder, with the arguments of :class:`NetworkReader`; ``signatures`` sign what the notation reads."""
    digests = [checked(WEIGHTS, WHAT, [FILE]), *signatures]
    return NetworkReader(
        shipped_pieces, folder=WEIGHTS, digests=digests, notation=notation, spelling=spelling, threads=threads
    )
