"""Reduces an ONNX graph to the nodes that some of its outputs need, before ONNX Runtime loads it.

ONNX Runtime computes the whole graph in every run: the option to skip unneeded nodes
(``only_execute_path_to_fetches``) has no effect outside its training builds. Only a few fields of the protocol buffer
matter here, so the ``onnx`` package is not needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from sema.errors import ResourceError
from sema.runtime.onnx import Session

_GRAPH = 7
"""The field of a model that holds its graph."""
_NODE, _INITIALIZER, _OUTPUT = 1, 5, 12
"""Fields of a graph."""
_NODE_INPUT, _NODE_OUTPUT = 1, 2
_TENSOR_NAME, _VALUE_NAME = 8, 1
_TYPE, _TENSOR, _ELEMENT, _FLOAT = 2, 1, 1, 1
"""Fields of a declared value, down to its element type, and the value of that field for 32-bit floats."""
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
"""Wire types of fields."""


class _Field(NamedTuple):
    """A field of a message: its number, where it begins with its key, where its value begins and ends."""

    number: int
    begin: int
    start: int
    end: int


@lru_cache(maxsize=8)
def pruned_session(file: Path, *outputs: str) -> Session:
    """A session that computes only what these outputs need; it is kept.

    Raises:
        ResourceError: the file holds no model, or the model lacks one of the outputs.
    """
    try:
        model = pruned(file.read_bytes(), outputs)
    except ValueError as error:
        raise ResourceError(f"the model {file.name} cannot be used ({error}); reinstall its package") from error
    return Session(file, model)


def pruned(model: bytes, outputs: Collection[str]) -> bytes:
    """The model (a serialized ONNX ModelProto without subgraphs) reduced to these outputs and what they need.

    The result of any node may be an output; if the model does not declare it, it is declared as 32-bit floats.

    Raises:
        ValueError: the bytes are not such a model, or it lacks one of the outputs.
    """
    try:
        given = memoryview(model)  # weights are copied once: slices of bytes are copies
        parts: list[bytes | memoryview] = []
        for field in _fields(model, 0, len(model)):
            if field.number == _GRAPH:
                graph = _pruned_graph(model, given, field, outputs)
                parts += [given[field.begin : field.begin + 1], _written(sum(map(len, graph))), *graph]
            else:
                parts.append(given[field.begin : field.end])
    except IndexError as error:
        raise ValueError("the model is cut short") from error
    return b"".join(parts)


def _pruned_graph(model: bytes, given: memoryview, graph: _Field, outputs: Collection[str]) -> list[bytes | memoryview]:
    fields = list(_fields(model, graph.start, graph.end))
    named = {field: _names(model, field, _VALUE_NAME)[0] for field in fields if field.number == _OUTPUT}
    nodes = {
        field: (_names(model, field, _NODE_INPUT), _names(model, field, _NODE_OUTPUT))
        for field in fields
        if field.number == _NODE
    }
    computed = {name for _, found in nodes.values() for name in found}
    inner = sorted(set(outputs) - set(named.values()))
    if not computed.issuperset(inner):
        raise ValueError(f"the model has no output {min(set(inner) - computed)!r}")
    needed, kept = set(outputs), {field for field, name in named.items() if name in outputs}
    for field, (read, found) in reversed(nodes.items()):  # nodes stand in the order in which they are computed
        if not needed.isdisjoint(found):
            kept.add(field)
            needed.update(read)
    kept.update(f for f in fields if f.number == _INITIALIZER and not needed.isdisjoint(_names(model, f, _TENSOR_NAME)))
    chosen = [field for field in fields if field in kept or field.number not in (_NODE, _INITIALIZER, _OUTPUT)]
    return [*(given[field.begin : field.end] for field in chosen), *map(_declared, inner)]


def _declared(name: str) -> bytes:
    """The field of a graph that declares an output of 32-bit floats."""
    of_numbers = _message(_TYPE, _message(_TENSOR, bytes([_ELEMENT << 3, _FLOAT])))
    return _message(_OUTPUT, _message(_VALUE_NAME, name.encode()) + of_numbers)


def _message(number: int, content: bytes) -> bytes:
    return _written(number << 3 | _BYTES) + _written(len(content)) + content


def _names(model: bytes, message: _Field, number: int) -> list[str]:
    """The texts of a message's fields of one number."""
    return [
        model[field.start : field.end].decode()
        for field in _fields(model, message.start, message.end)
        if field.number == number
    ]


def _fields(model: bytes, start: int, end: int) -> Iterator[_Field]:
    place = start
    while place < end:
        begin = place
        key, place = _read(model, place)
        kind = key & 7
        if kind == _BYTES:
            length, place = _read(model, place)
            stop = place + length
        elif kind == _VARINT:
            stop = _read(model, place)[1]
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            stop = place + (8 if kind == _EIGHT_BYTES else 4)
        else:
            raise ValueError("no ONNX model")
        if stop > end:
            raise ValueError("the model is cut short")
        yield _Field(key >> 3, begin, place, stop)
        place = stop


def _read(model: bytes, place: int) -> tuple[int, int]:
    """A varint (seven bits a byte, the lowest first), and where it ends."""
    value = shift = 0
    while True:
        byte = model[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
        shift += 7


def _written(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
