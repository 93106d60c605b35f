import inspect
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


def undocumented() -> Iterator[str]:
    """The public methods where none is enforced that have no docstring, not even one of a class they override."""
    for module, path in modules():
        if module.startswith(("sema.metrics.", "sema.features.")) or path.is_relative_to(ROOT / "parsers"):
            for kind in vars(import_module(module)).values():
                if inspect.isclass(kind) and kind.__module__ == module and not kind.__name__.startswith("_"):
                    for name, method in vars(kind).items():
                        is_method = inspect.isroutine(method) or isinstance(method, property)
                        if is_method and not name.startswith("_") and not inspect.getdoc(getattr(kind, name)):
                            yield f"{module}.{kind.__name__}.{name}"


def test_methods_that_may_inherit_their_docstring_have_one() -> None:
    assert list(undocumented()) == []


def test_references_lead_somewhere() -> None:
    assert list(dangling()) == []
    wrong = ("sema.scoring.results.evidence_of", "sema.nowhere.Thing", "sema.model.text.Text.gone")
    assert not any(map(exists, wrong)) and exists("sema.model.text.Text.raw")
