import re
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path

from tests.conftest import ROOT

ROLE = re.compile(r":(?:func|class|mod|meth|data|attr|exc):`~?([\w.]+)`")
LEFT_OUT = {"training", "plugs"}
"""Folders whose modules need packages that are not installed everywhere."""


def modules() -> Iterator[tuple[str, Path]]:
    for folder in (ROOT, ROOT / "parsers", ROOT / "lexicons", ROOT / "apps"):
        for path in sorted(folder.glob("sema*/**/*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if LEFT_OUT.isdisjoint(parts):
                yield ".".join(part for part in parts if part != "__init__"), path


def exists(path: str) -> bool:
    """Whether a dotted path leads to a module, a name in one, or an attribute, declared ones too."""
    parts = path.split(".")
    for size in range(len(parts), 0, -1):
        try:
            module = import_module(".".join(parts[:size]))
        except ImportError:
            continue
        *inner, last = parts[size:] or ["__name__"]
        try:
            owner = attrgetter(".".join(inner))(module) if inner else module
        except AttributeError:
            return False
        return hasattr(owner, last) or last in getattr(owner, "__annotations__", {})
    return False


def dangling() -> Iterator[str]:
    for module, path in modules():
        text = path.read_text(encoding="utf-8")
        for reference in ROLE.finditer(text):
            classes = re.findall(r"^class (\w+)", text[: reference.start()], flags=re.MULTILINE)
            places = [
                reference[1],
                f"{module}.{reference[1]}",
                *(f"{module}.{name}.{reference[1]}" for name in classes[-1:]),
            ]
            if not any(map(exists, places)):
                yield f"{module}: {reference[1]}"


def test_references_lead_somewhere() -> None:
    assert list(dangling()) == []
