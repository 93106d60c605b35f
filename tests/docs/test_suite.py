"""The tests themselves: a module that skips itself takes no other module with it."""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_no_test_module_imports_another() -> None:
    imports = []
    for file in TESTS.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2].startswith("test_"):
                imports.append(f"{file.relative_to(TESTS)} imports {node.module}")
    assert not imports, imports
