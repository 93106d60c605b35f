"""Commands that documents and help texts print: a shell passes every word on as it stands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from sema.cli.main import COMMANDS
from tests.conftest import ROOT

SPECIAL = re.compile(r"[*?\[\]{}()!~#;&]|//")
"""Outside quotes, zsh or bash makes something else of these."""


def commands(text: str) -> Iterator[str]:
    """The lines that begin with ``sema``, up to a pipe or a redirection, joined where they end with a backslash."""
    for line in text.replace("\\\n", " ").splitlines():
        if re.match(r"\s*sema [a-z]", line):
            yield re.split(r"\s[|>]\s?", line.strip())[0]


def fenced(path: Path) -> str:
    """The shell's blocks of a document."""
    blocks = re.findall(r"^```(?:sh|bash|shell|console)?\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)
    return "\n".join(blocks)


DOCUMENTS = {path.name: fenced(path) for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}
HELP = {name: import_module(f"sema.cli.{name}").HELP for name in COMMANDS}
PRINTED = [(name, line) for name, text in {**DOCUMENTS, **HELP}.items() for line in commands(text)]


def test_commands_are_found() -> None:
    assert len(PRINTED) > 60
    assert {name for name, _ in PRINTED} >= {"README.md", "tutorial.md", "rerank", "score"}


@pytest.mark.parametrize(("place", "line"), PRINTED, ids=[f"{place}: {line[:40]}" for place, line in PRINTED])
def test_a_printed_command_is_passed_on_as_it_stands(place: str, line: str) -> None:
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", line)
    assert not SPECIAL.search(bare), f"{place}: quote {SPECIAL.search(bare)}"
    assert "…" in line or shlex.split(line)[0] == "sema"


def test_no_two_documents_save_to_one_folder() -> None:
    """Who follows the README and then the tutorial finds no run of the other's in the way."""
    saved = {name: set(re.findall(r"--save (\S+)", text)) for name, text in DOCUMENTS.items()}
    assert saved["README.md"] and saved["tutorial.md"]
    assert not saved["README.md"] & saved["tutorial.md"]
