"""What a fuzz target is, what counts as a crash, and how inputs are changed at random.

A target is a function of bytes that must end quietly, whatever they are; a :class:`~sema.errors.SemaError` of one line
is quiet. A crash is any other exception, more than :data:`SECONDS` of processor time or :data:`MEMORY` for an input,
a score that is not finite, or something that is taken although it is wrong: targets raise :class:`Crash` for these.
"""

import json
import random
import resource
import tempfile
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from sema.errors import SemaError

SECONDS = 20.0
MEMORY = 1 << 30
"""Bytes that the process may grow by for one input."""
LONGEST = 100_000
CORPUS = Path(__file__).parent / "corpus"
"""A file for each target: an input a line, as a JSON string whose characters are bytes."""

Target = Callable[[bytes], None]
TARGETS: dict[str, Target] = {}
SEEDS: dict[str, tuple["Seed", ...]] = {}


class Crash(Exception):
    """What must not happen."""


Seed = str | bytes | Callable[[], list[bytes]]


def register(name: str, function: Target, *seeds: Seed) -> None:
    """Register a target with the small inputs that changes start from, or with what makes them."""
    TARGETS[name] = function
    SEEDS[name] = seeds


def target(*seeds: Seed) -> Callable[[Target], Target]:
    """Register a function by its own name."""

    def decorate(function: Target) -> Target:
        register(function.__name__, function, *seeds)
        return function

    return decorate


def run(name: str, data: bytes) -> None:
    """One execution.

    Raises:
        Crash: see the module; the cause is what was raised.
    """
    start, before = time.process_time(), _peak()
    try:
        TARGETS[name](data)
    except SemaError as error:
        if "\n" in str(error):
            raise Crash(f"{name}: an error of more than one line: {error!s}") from error
    except Crash:
        raise
    except Exception as error:
        raise Crash(f"{name}: {type(error).__name__}: {error}") from error
    spent, grown = time.process_time() - start, _peak() - before
    if spent > SECONDS:
        raise Crash(f"{name}: took {spent:.1f} s")
    if grown > MEMORY:
        raise Crash(f"{name}: took {grown >> 20} MB")


def _peak() -> int:
    """The highest resident set so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


@lru_cache(maxsize=1)
def folder() -> Path:
    """A folder for the files of this process, in memory where the system has such a place."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="sema-fuzz-", dir=memory if memory.is_dir() else None))


def file(data: bytes, suffix: str) -> Path:
    """A file that holds ``data``."""
    path = folder() / f"input{suffix}"
    with open(path, "wb") as out:
        out.write(data)
    return path


PIECES = [
    *(bytes([code]) for code in b"\"'\n\r\t,;|{}[]<>&\0\xff\xc3"),
    *(b"\xed\xa0\x80", b"-1", b"1e999", b"NaN", b"9" * 400, b"1.1", b"0.1", b"null", b"  ", b"\xe2\x80\xae"),
    *(b"\x1b[2J", b"(" * 50, b"[" * 2000, b"a" * 3000, b"a " * 500, "\u0301".encode(), "猫".encode(), b". "),
]


def changed(seeds: list[bytes], chance: random.Random) -> bytes:
    """A seed changed here and there: bytes turned, pieces put in, cut out, repeated, and mixed with another seed's."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        place = chance.randrange(len(data) + 1)
        end = min(len(data), place + chance.choice((1, 2, 8, 40)))
        match chance.randrange(6):
            case 0 if place < len(data):
                data[place] = chance.randrange(256)
            case 1:
                data[place:place] = chance.choice(PIECES)
            case 2:
                del data[place:end]
            case 3:
                data[place:place] = data[place:end] * chance.choice((1, 3, 50))
            case 4:
                other = chance.choice(seeds)
                start = chance.randrange(len(other) + 1)
                data[place:end] = other[start : start + chance.choice((4, 40, 400))]
            case _:
                data[place:end] = chance.choice(PIECES)
    if chance.random() < 0.002:  # what takes time or memory by its length
        data *= 1 + LONGEST // max(1, len(data))
    return bytes(data[:LONGEST])


def seeds(name: str) -> list[bytes]:
    """A target's own seeds and what earlier fuzzing kept for it."""
    kept = CORPUS / f"{name}.jsonl"
    lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    examples = [json.loads(line).encode("latin-1") for line in lines]
    for seed in SEEDS[name]:
        examples += seed() if callable(seed) else [seed.encode() if isinstance(seed, str) else seed]
    return examples
