from __future__ import annotations

import sys
from importlib import import_module

import pytest

from sema.moved import MOVED
from tests.conftest import ROOT


@pytest.mark.parametrize("old", sorted(MOVED))
def test_an_old_name_still_works_and_says_the_new_one(old: str) -> None:
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"{old} is now {MOVED[old]};"):
        found = import_module(old)
    new = import_module(MOVED[old])
    assert {name for name in vars(new) if not name.startswith("_")} <= set(vars(found))
    assert not (ROOT / f"{old.replace('.', '/')}.py").exists()


def test_a_name_that_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("sema.model.never_was")
