"""The site builds without a warning, and the notebook on it is the one that runs."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.conftest import ROOT

DOCS = ROOT / "docs"


def test_the_site_builds_without_warnings(tmp_path: Path) -> None:
    for name in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(name)
    options = ["-W", "--keep-going", "-q", "-d", str(tmp_path / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, str(DOCS), str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    shown = (tmp_path / "site" / "metrics.html").read_text(encoding="utf-8")
    assert "sema-item" in shown and "scenes.svg" in shown
    assert (tmp_path / "site" / "_generated" / "results" / "meaning.html").exists()


def make_notebook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_notebook", DOCS / "make_notebook.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_notebook_is_current_and_runs() -> None:
    kept = json.loads((DOCS / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    cells = make_notebook().cells()
    assert [(cell["cell_type"], "".join(cell["source"])) for cell in kept] == cells, "run `make notebook`"
    names: dict[str, Any] = {}
    for cell in kept:
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(cell["source"]))
            *before, last = tree.body
            assert isinstance(last, ast.Expr)
            exec(compile(ast.Module(before, []), "notebook", "exec"), names)
            shown = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
            (output,) = cell["outputs"]
            assert ("text/html" in output["data"]) == hasattr(shown, "_repr_html_")
