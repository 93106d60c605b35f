"""The tests themselves: a module that skips itself takes no other module with it."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def test_no_test_module_imports_another() -> None:
    imports = []
    for file in TESTS.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2].startswith("test_"):
                imports.append(f"{file.relative_to(TESTS)} imports {node.module}")
    assert not imports, imports


def test_no_name_of_a_test_has_packed_bytes_in_it(request: pytest.FixtureRequest) -> None:
    """They have the time in them: workers that collect in different seconds would find different tests."""
    assert not [item.nodeid for item in request.session.items if re.search(r"\\x1f\\x8b|PK\\x03", item.nodeid)]
