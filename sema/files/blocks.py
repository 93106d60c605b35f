"""Sequences computed or read back a block at a time: as long as a file, with only a few blocks in memory."""

from __future__ import annotations

import pickle
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from tempfile import SpooledTemporaryFile
from typing import Any, TypeVar, overload
from weakref import finalize

from sema.runtime.forks import SharedLock

Value = TypeVar("Value")

BLOCK = 256  # values read at a time
KEPT = 2  # blocks of a sequence in memory: reading may step back across a block's edge
IN_MEMORY = 1 << 22  # bytes of stored values from which they go to a temporary file


class BlockSequence(Sequence[Value]):
    """A sequence computed block by block on demand, and dropped again. Slices are lists; compared by identity."""

    def __init__(self, length: int) -> None:
        self._length = length
        # not lru_cache of the method: it does not pickle, and keeps the sequence alive until garbage is collected
        self._kept: dict[int, Sequence[Value]] = {}

    @abstractmethod
    def _block(self, number: int) -> Sequence[Value]:
        """The values of block ``number``: :data:`BLOCK` of them, or fewer in the last block."""

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Value: ...

    @overload
    def __getitem__(self, index: slice) -> list[Value]: ...

    def __getitem__(self, index: int | slice) -> Value | list[Value]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(self._length))]
        place = index + self._length if index < 0 else index
        if not 0 <= place < self._length:
            raise IndexError(index)
        return self._get(place // BLOCK)[place % BLOCK]

    def __iter__(self) -> Iterator[Value]:
        for number in range(-(-self._length // BLOCK)):
            yield from self._get(number)

    def _get(self, number: int) -> Sequence[Value]:
        block = self._kept.get(number)
        if block is None:
            block = self._block(number)
            while len(self._kept) >= KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[number] = block
        return block


class Stored(BlockSequence[Value]):
    """The values of an iterable, read once and stored; many are in a temporary file that has no name."""

    def __init__(self, values: Iterable[Value]) -> None:
        self._file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # open as long as the sequence
        finalize(self, self._file.close)
        self._starts, self._lock = [0], SharedLock()
        count, left = 0, iter(values)
        while block := list(islice(left, BLOCK)):
            count += len(block)
            pickle.dump(block, self._file)
            self._starts.append(self._file.tell())
        super().__init__(count)

    def _block(self, number: int) -> Sequence[Value]:
        with self._lock:
            self._file.seek(self._starts[number])
            block: Sequence[Value] = pickle.load(self._file)
        return block

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)


class Blocks(BlockSequence[Value]):
    """A function applied to the blocks of one sequence, or of several in parallel."""

    def __init__(self, function: Callable[..., Sequence[Value]], *sequences: Sequence[Any]) -> None:
        super().__init__(len(sequences[0]))
        self._function, self._sequences = function, sequences

    def _block(self, number: int) -> Sequence[Value]:
        part = slice(number * BLOCK, (number + 1) * BLOCK)
        return self._function(*(sequence[part] for sequence in self._sequences))


class Mapped(Blocks[Value]):
    """A function applied to the values of one sequence, or of several in parallel."""

    def __init__(self, function: Callable[..., Value], *sequences: Sequence[Any]) -> None:
        super().__init__(partial(_mapped, function), *sequences)


def _mapped(function: Callable[..., Value], *parts: Sequence[Any]) -> list[Value]:
    return list(map(function, *parts))
