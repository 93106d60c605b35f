"""Pictures of objects, and the lazy registry of functions that higher layers provide.

``sema`` lists those functions, so no lower layer imports a higher one.
"""

from __future__ import annotations

import sys
from typing import Any

from sema.plugins import load


def registered(name: str) -> Any:
    """The function of a name such as ``"Alignment.svg"``; ``None`` if there is none."""
    place = sys.modules["sema"]._PROVIDED.get(name)
    return place and load(place)


def picture_of(shown: object, form: str, **options: Any) -> str:
    """Draw an object with the function registered as ``Class.form`` for its class or a base, else a ``LookupError``."""
    for kind in type(shown).__mro__:
        if draw := registered(f"{kind.__name__}.{form}"):
            return str(draw(shown, **options))
    raise LookupError(f"nothing draws a {type(shown).__name__} as {form}; import sema.display")


class Shown:
    """A class whose objects have a picture in notebooks."""

    def _repr_html_(self) -> str:
        """The picture in the colours of the notebook's theme."""
        return picture_of(self, "html")


class Pictured(Shown):
    """A class whose objects have an SVG picture, in notebooks too."""

    def to_svg(self, *, styled: bool = True) -> str:
        """The picture as SVG; ``styled=False`` leaves the colours to the page's style sheet."""
        return picture_of(self, "svg", styled=styled)

    def _repr_svg_(self) -> str:
        return self.to_svg()
