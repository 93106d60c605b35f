"""The examples of the documents are executed, and print what they say they print."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("CONTRIBUTING.md",)


def examples() -> list[tuple[str, str]]:
    found = []
    for name in DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        for match in re.finditer(r"```python\n(.*?)```", text, flags=re.DOTALL):
            found.append((f"{name}:{text.count(chr(10), 0, match.start()) + 2}", match[1]))
    return found


@pytest.mark.parametrize(("place", "code"), examples(), ids=[place for place, _ in examples()])
def test_an_example_prints_what_it_says(place: str, code: str) -> None:
    expected = [
        line.partition(")  # ")[2] for line in code.splitlines() if line.startswith("print(") and ")  # " in line
    ]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == expected


def test_the_python_page_shows_every_public_name_at_work() -> None:
    import doctest

    import sema

    page = ROOT / "docs" / "python.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (failed, tried > 30) == (0, True)
    code = "\n".join(example.source for example in doctest.DocTestParser().get_examples(page.read_text("utf-8")))
    assert [name for name in sema.__all__ if f"sema.{name}" not in code] == []
