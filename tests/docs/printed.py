"""The commands that documents and help texts print."""

import re
from collections.abc import Iterator
from pathlib import Path

from sema.cli.main import every_command
from tests.conftest import ROOT

FENCED = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = ("", "sh", "text")
PROGRAM = re.compile(r"\s*(sema|make|pip|python|mkdir|echo|curl|eval|source <) ?")


def commands(text: str) -> Iterator[str]:
    """The lines that begin with a program's name, joined where they end with a backslash."""
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if PROGRAM.match(line):
            yield line.strip()


def _fenced(path: Path) -> str:
    return "\n".join(body for language, body in FENCED.findall(path.read_text("utf-8")) if language in SHELL)


PAGES = (*(ROOT / name for name in ("README.md", "CONTRIBUTING.md")), *sorted((ROOT / "docs").glob("*.md")))
DOCUMENTS = {path.name: list(commands(_fenced(path))) for path in PAGES}
"""The commands in the blocks of each document."""
HELP = {name: list(commands(command.help)) for name, command in every_command().items()}
"""The examples in each command's help."""
PRINTED = {name: lines for name, lines in {**DOCUMENTS, **HELP}.items() if lines}
