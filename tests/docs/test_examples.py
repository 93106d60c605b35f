import doctest
import importlib
import importlib.util
import re
import shlex
import sys
from types import ModuleType

import pytest

from tests.conftest import ROOT, Run

PROGRAMS = ("CONTRIBUTING.md", "docs/plugs.md")
"""Documents whose code is run as programs, where it has no prompts."""
SESSIONS = ("docs/metrics.md", "docs/plugs.md", "docs/zh.md")
"""Documents whose code with prompts is run block by block."""
EXECUTED = ("index", "tutorial", "levels", "significance", "zh")
"""Pages that show what their commands print."""


def blocks(documents: tuple[str, ...], *, prompts: bool) -> list[tuple[str, str]]:
    """Place and code of every block of Python, of those with or without prompts."""
    code_blocks = []
    for name in documents:
        text = (ROOT / name).read_text(encoding="utf-8")
        for match in re.finditer(r"```python\n(.*?)```", text, flags=re.DOTALL):
            if (">>> " in match[1]) == prompts:
                code_blocks.append((f"{name}:{text.count(chr(10), 0, match.start()) + 2}", match[1]))
    return code_blocks


def absent(code: str) -> list[str]:
    """The libraries that are not installed and that some code imports, or that a plug is for that it imports."""
    named = set(re.findall(r"^(?:>>> )?(?:from|import) (\w+)", code, flags=re.MULTILINE))
    named |= {"torchmetrics"} if "sema.plugs.torch" in code else set()
    return [name for name in sorted(named) if importlib.util.find_spec(name) is None]


def parametrize(documents: tuple[str, ...], *, prompts: bool) -> pytest.MarkDecorator:
    code_blocks = [block for block in blocks(documents, prompts=prompts) if not absent(block[1])]
    return pytest.mark.parametrize(("place", "code"), code_blocks, ids=[place for place, _ in code_blocks])


@parametrize(PROGRAMS, prompts=False)
def test_examples_print_what_they_show(
    place: str, code: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    prints = [line for line in code.splitlines() if line.startswith("print(") and ")  # " in line]
    expected = [line.partition(")  # ")[2] for line in prints]
    monkeypatch.chdir(ROOT)
    program = ModuleType("example")
    monkeypatch.setitem(sys.modules, "example", program)
    exec(compile(code, place, "exec"), program.__dict__)
    assert capsys.readouterr().out.splitlines() == expected


@parametrize(SESSIONS, prompts=True)
def test_example_sessions_print_what_they_show(place: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    example = doctest.DocTestParser().get_doctest(code, {}, place, place, 0)
    failed, tried = doctest.DocTestRunner().run(example)
    assert (failed, tried > 0) == (0, True), capsys.readouterr().out


def commands_of(page: str) -> list[str]:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    return [line for block in re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL) for line in block.splitlines()]


def test_every_page_with_commands_is_tested() -> None:
    pages = [path.stem for path in (ROOT / "docs").glob("*.md") if commands_of(path.stem)]
    assert sorted(pages) == sorted([*EXECUTED, "install"])
    assert all(line.startswith("sema ") for page in pages for line in commands_of(page))


def head(output: str) -> str:
    """The lines up to the first indented or empty one; below it are decisions that may differ between processors."""
    return re.split(r"(?m)^(?:$| )", output)[0]


@pytest.mark.parametrize("page", EXECUTED)
def test_a_page_shows_what_its_commands_print(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    generate = importlib.import_module("generate")
    assert page in generate.EXECUTED
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    fresh = generate.with_outputs(page, text, ROOT)
    old, new = (list(generate.BLOCK.finditer(version)) for version in (text, fresh))
    for shown, printed in zip(old, new, strict=True):
        assert shown["printed"] or shown["commands"].startswith("sema report")
        heads = [head(block["printed"] or "") for block in (shown, printed)]
        assert generate.alike(*heads), (shown["commands"], "write it again with `make docs`", *heads)


def test_the_commands_of_the_page_on_installing_run(command: Run) -> None:
    for line in commands_of("install"):
        done = command(*shlex.split(line)[1:])
        assert done.returncode == 0, (line, done.stderr)


def test_the_python_page_shows_every_public_name_at_work() -> None:
    import sema

    page = ROOT / "docs" / "python.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (failed, tried > 30) == (0, True)
    code = "\n".join(example.source for example in doctest.DocTestParser().get_examples(page.read_text("utf-8")))
    assert [name for name in sema.__all__ if f"sema.{name}" not in code] == []
    assert dir(sema) == sorted([*sema.__all__, "__version__"])


def test_contributing_names_every_room() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    packages = [path for top in ("sema", "parsers", "lexicons", "apps") for path in ROOT.glob(f"{top}/*/__init__.py")]
    rooms = [package.parent.relative_to(ROOT).as_posix() for package in packages]
    assert len(rooms) > 20 and [room for room in rooms if f"`{room}/`" not in text] == []
