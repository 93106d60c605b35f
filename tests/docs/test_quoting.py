"""Commands in documents and help texts: bash and zsh pass every word on unchanged."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sema.cli.main import every_command
from tests.conftest import ROOT

FENCED = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = ("", "sh", "text")
PROGRAM = re.compile(r"\s*(?:(?:sema|make|pip|python|mkdir|echo|curl|eval) |source <)")


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

SHELLS = {"bash": ("--norc", "--noprofile", "-i"), "zsh": ("-f", "-i")}
"""As people type into them: without comments in zsh, and with the history's ``!`` in bash."""
STUBS = ("sema", "make", "pip", "python", "curl")
STUB = """#!{python} -S
import json, sys
with open({log!r}, "a") as log:
    log.write(json.dumps([{name!r}, *sys.argv[1:]]) + "\\n")
"""


def first_program(line: str) -> list[str]:
    """The words of a line up to a comment, a pipe or a redirection."""
    return shlex.split(re.split(r"\s[|>]+\s?", line)[0], comments=True)


@pytest.mark.parametrize(
    ("place", "shell"), [(place, shell) for shell in SHELLS if shutil.which(shell) for place in PRINTED]
)
def test_a_shell_passes_on_what_is_printed(place: str, shell: str, tmp_path: Path) -> None:
    folder, log = tmp_path / "bin", tmp_path / "calls"
    folder.mkdir()
    for name in STUBS:
        (folder / name).write_text(STUB.format(python=sys.executable, log=str(log), name=name), encoding="utf-8")
        (folder / name).chmod(0o755)
    (folder / "mkdir").symlink_to(str(shutil.which("mkdir")))
    lines = [line for line in PRINTED[place] if "…" not in line]
    done = subprocess.run(
        [str(shutil.which(shell)), *SHELLS[shell]],
        input="\n".join([*lines, "exit 0\n"]),
        cwd=tmp_path,
        env={"PATH": str(folder), "HOME": str(tmp_path), "LANG": "C.UTF-8"},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    calls = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
    expected = [words for words in map(first_program, lines) if words[0] in STUBS]
    assert [words for words in expected if words not in calls] == [], done.stderr
    assert not re.search(r"not found|no matches|parse error|syntax error", done.stderr), done.stderr


def test_no_two_documents_save_to_one_folder() -> None:
    """Who follows the README and then the tutorial finds no run of the other's in the way."""
    saved = (re.findall(r"--save (\S+)", "\n".join(DOCUMENTS[name])) for name in ("README.md", "tutorial.md"))
    readme, tutorial = map(set, saved)
    assert readme and tutorial and not readme & tutorial
