"""Objects find their pictures without importing what draws them."""

import subprocess
import sys

import pytest

from sema.model.links import Alignment, Link, LinkKind
from sema.model.pictures import picture_of

ALIGNED = (("old", "cats"), (("cats",),), ((Link(1, 0, LinkKind.EXACT),),))


def test_a_class_derived_from_ours_has_its_picture() -> None:
    class Ours(Alignment):
        pass

    assert Ours(*ALIGNED).to_svg() == Alignment(*ALIGNED).to_svg()


def test_a_class_that_nothing_draws_is_named() -> None:
    with pytest.raises(LookupError, match="nothing draws a int as svg"):
        picture_of(1, "svg")


def test_pictures_are_loaded_when_they_are_asked_for() -> None:
    code = (
        "import sys; from sema import Alignment; loaded = 'sema.display.pictures.arcs' in sys.modules;"
        "Alignment(('a',), (('a',),), ((),)).to_svg(); print(loaded, 'sema.display.pictures.arcs' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
