"""Whether what a JSON file holds has the form that is expected of it: files may be damaged, or a stranger's."""

from __future__ import annotations

from typing import Any

Shape = Any
"""A type; a string, which stands for itself; a tuple of shapes, any of which will do; ``[shape]``: a list of such
values; ``{None: shape}``: an object of such values; any other dict: an object with these keys and maybe others, where
keys that end in ``?`` may be absent."""
LARGEST = 2**62
"""Whole numbers beyond this are none that we write."""


def fits(value: Any, shape: Shape) -> bool:
    """Whether a value has a shape; ``float`` takes whole numbers too, no number is a truth value."""
    if isinstance(shape, str):
        return bool(value == shape)
    if isinstance(shape, type):
        if isinstance(value, bool):
            return shape is bool
        if isinstance(value, int):
            return shape in (int, float) and abs(value) <= LARGEST
        return isinstance(value, shape)
    if isinstance(shape, tuple):
        return any(fits(value, part) for part in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(part, shape[0]) for part in value)
    if not isinstance(value, dict):
        return False
    if None in shape:
        return all(fits(part, shape[None]) for part in value.values())
    return all(_has(value, name, part) for name, part in shape.items())


def _has(value: dict[str, Any], name: str, shape: Shape) -> bool:
    if name.endswith("?"):
        name = name[:-1]
        return name not in value or fits(value[name], shape)
    return name in value and fits(value[name], shape)
