"""Sets of data: each that code reads has a record, and the records are true."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from sema.datasets.folder import data_path
from tests.conftest import ROOT, PublicData
from training.data.sets import SETS

READERS = {"data_folder", "data_path", "public_data", "table", "read_lines", "json_lines", "rows_of"}
"""Functions that are given the parts of a path in the folder of public data."""
ROOTS = {path.partition("/")[0] for one in SETS for path in one.paths}
FOLDERS = re.compile(rf"(?:{'|'.join(sorted(ROOTS))})/[\w./-]+")
FORBIDDEN = re.compile(r"\bNC\b|[Nn]on-commercial|none stated|research")
MODULES = sorted(
    file for top in ("benchmarks", "docs", "sema", "tests", "training") for file in (ROOT / top).rglob("*.py")
)


def beginning(parts: list[ast.expr]) -> str:
    """A path as far as the source text tells it."""
    path = ""
    for part in parts:
        pieces = part.values if isinstance(part, ast.JoinedStr) else [part]
        for piece in pieces:
            if not isinstance(piece, ast.Constant):
                return path
            path += str(piece.value)
        path += "/"
    return path.rstrip("/")


def read_by(module: Path) -> Iterator[str]:
    """The paths in the folder of public data that a module names."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in READERS:
            path = beginning(node.args)
            if "/" in path or node.func.id in ("data_folder", "data_path", "public_data"):
                yield path
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and FOLDERS.fullmatch(node.value):
            yield node.value


def test_what_code_reads_has_a_record() -> None:
    read = {(str(module.relative_to(ROOT)), path) for module in MODULES for path in read_by(module)}
    assert len(read) > 100
    assert [one for one in read if not any(known.holds(one[1]) for known in SETS)] == []


def test_names_are_unique_and_terms_allow_what_ships() -> None:
    assert len({one.name for one in SETS}) == len(SETS)
    assert [one.name for one in SETS if one.ships and FORBIDDEN.search(one.licence)] == ["MultiMWA"]


def test_records_name_what_the_folder_has(public_data: PublicData) -> None:
    public_data("ratings", "simpeval")
    absent = [path for one in SETS for path in one.paths if not list(data_path().glob(f"{path}*"))]
    assert absent == []
