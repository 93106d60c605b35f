"""Reduces an ONNX graph to the nodes that some of its outputs need, before ONNX Runtime loads it.

ONNX Runtime computes the whole graph in every run: the option to skip unneeded nodes
(``only_execute_path_to_fetches``) has no effect outside its training builds. Only a few fields of ONNX's protocol
buffers matter here, so that protobuf, which ONNX Runtime brings, is enough.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sema.errors import ResourceError
from sema.runtime.onnx import Session

_INT32, _STRING, _MESSAGE = 5, 9, 11
_ONE, _MANY = 1, 3
_FIELDS = (
    ("Model", "graph", 7, _ONE, "Graph"),
    ("Graph", "node", 1, _MANY, "Node"),
    ("Graph", "initializer", 5, _MANY, "Tensor"),
    ("Graph", "output", 12, _MANY, "Value"),
    ("Node", "input", 1, _MANY, _STRING),
    ("Node", "output", 2, _MANY, _STRING),
    ("Tensor", "name", 8, _ONE, _STRING),
    ("Value", "name", 1, _ONE, _STRING),
    ("Value", "type", 2, _ONE, "Type"),
    ("Type", "tensor", 1, _ONE, "TensorType"),
    ("TensorType", "element", 1, _ONE, _INT32),
)
"""Message, field, number, label and type of ONNX's fields that are read or written; all others stay as they are."""
_FLOAT = 1
"""The element type of 32-bit floats."""


@lru_cache(maxsize=8)
def pruned_session(file: Path, *outputs: str) -> Session:
    """A session that computes only what these outputs need; it is kept.

    The result of any node may be an output; if the model does not declare it, it is declared as 32-bit floats.

    Raises:
        ResourceError: the file holds no model, or the model lacks one of the outputs.
    """
    return Session(file, _pruned(file, set(outputs)))


def _pruned(file: Path, outputs: set[str]) -> bytes:
    from google.protobuf.message import DecodeError

    try:
        model = _model().FromString(file.read_bytes())
        _prune(model.graph, outputs)
    except (DecodeError, ValueError) as error:
        raise ResourceError(f"the model {file.name} cannot be used ({error}); reinstall its package") from error
    found: bytes = model.SerializeToString()
    return found


@cache
def _model() -> Any:
    """The class of ONNX's models."""
    from google.protobuf.descriptor_pb2 import FileDescriptorProto
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message_factory import GetMessageClass

    file = FileDescriptorProto(name="onnx.proto", package="onnx", syntax="proto2")
    messages = {name: file.message_type.add(name=name) for name in dict.fromkeys(field[0] for field in _FIELDS)}
    for message, name, number, label, kind in _FIELDS:
        of_message = {"type": _MESSAGE, "type_name": f".onnx.{kind}"} if isinstance(kind, str) else {"type": kind}
        messages[message].field.add(name=name, number=number, label=label, **of_message)
    pool = DescriptorPool()
    pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName("onnx.Model"))


def _prune(graph: Any, outputs: set[str]) -> None:
    """Leave in a graph without subgraphs what these outputs need; ``ValueError`` if it lacks one."""
    declared = {value.name for value in graph.output}
    lacking = outputs - declared - {name for node in graph.node for name in node.output}
    if lacking:
        raise ValueError(f"the model has no output {min(lacking)!r}")
    needed = set(outputs)
    for place in reversed(range(len(graph.node))):  # nodes stand in the order in which they are computed
        if needed.isdisjoint(graph.node[place].output):
            del graph.node[place]
        else:
            needed.update(graph.node[place].input)
    for parts, kept in ((graph.initializer, needed), (graph.output, outputs)):
        for place in reversed(range(len(parts))):
            if parts[place].name not in kept:
                del parts[place]
    for name in sorted(outputs - declared):
        graph.output.add(name=name).type.tensor.element = _FLOAT
