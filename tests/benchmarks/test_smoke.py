"""Every benchmark's smallest form succeeds or, without the public data, names in one line what is missing."""

import contextlib
import importlib
import io
import re
from collections.abc import Iterator

import pytest

from benchmarks.records import CommandLine
from sema.errors import ResourceError
from tests.conftest import DATA, EXCERPTS, ROOT, PublicData

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "benchmarks").glob("*/*.py")
    if "\ndef main(" in path.read_text(encoding="utf-8")
)


OURS = ("benchmarks", *(path.parent.name for path in ROOT.glob("*/*/py.typed")), "sema")


@pytest.fixture(autouse=True)
def figures_are_not_kept() -> Iterator[None]:
    yield
    CommandLine(None).parse([])


def test_none_is_forgotten() -> None:
    assert len(MODULES) >= 30
    for module in MODULES:
        text = (ROOT / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8")
        assert f"python -m {module.removesuffix('.__main__')}" in text and "CommandLine(__doc__)" in text, module
        assert "sys.path" not in text, module


@pytest.mark.stress  # it is slow
@pytest.mark.parametrize("module", MODULES)
def test_the_smallest_form(module: str, public_data: PublicData) -> None:
    public_data()
    shown = io.StringIO()
    try:
        with contextlib.redirect_stdout(shown):
            status = importlib.import_module(module).main(["--smoke"])
    except ImportError as error:
        assert error.name and error.name.partition(".")[0] not in OURS, "imports what is gone"
        pytest.skip(f"needs {error.name}")
    except ResourceError as error:
        if missing := re.fullmatch(r"[^\n]+ is missing: pip install '([^\n']+)'", str(error)):
            pytest.skip(f"needs {missing[1]}")
        assert re.fullmatch(r"[^\n]+ is absent; set SEMA_DATA to [^\n]+", str(error))
        assert DATA == EXCERPTS, f"asks for a file that the public data does not have: {error}"
        return
    assert not status
    assert shown.getvalue().strip()
