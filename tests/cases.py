"""Tables of cases: each row of a file in ``tests/data/cases`` is one call of a test."""

import json
from typing import Any

import pytest

from tests.commands import ROOT

FOLDER = ROOT / "tests" / "data" / "cases"


def cell(text: str) -> Any:
    """What JSON a cell is, with tuples for lists; any other text stands for itself."""
    try:
        return as_tuple(json.loads(text))
    except ValueError:
        return text


def as_tuple(value: Any) -> Any:
    """Tuples for lists, however deep."""
    return tuple(map(as_tuple, value)) if isinstance(value, list | tuple) else value


def cases(name: str) -> pytest.MarkDecorator:
    """Call a test with each row of a table: the first row names the parameters; one that begins with # is a comment."""
    lines = (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    names, *rows = (line.split("\t") for line in lines if not line.startswith("# "))
    return pytest.mark.parametrize(names, [tuple(map(cell, row)) for row in rows])
