"""Another runner: errors if it is unknown or its package is missing."""

import pytest

from sema import ResourceError, Scorer
from sema.errors import UnknownNameError
from sema.scoring.runners import make_runner
from tests.esperanto import WordCount, esperanto

SOURCES = ["La kato dormas."]


def test_an_unknown_runner_and_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownNameError, match="unknown runner 'rya'"):
        make_runner(1, "rya")
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    from sema.scoring.ray_runner import RayRunner

    with pytest.raises(ResourceError, match="the Python package 'ray' is missing: pip install ray"):
        Scorer(esperanto(), [WordCount()], runner=RayRunner(2)).score(SOURCES, SOURCES)
