"""Pictures of items to files: an SVG each, or a page of all."""

from __future__ import annotations

import argparse
from pathlib import Path

from sema.errors import InputError, UsageError


def add_picture_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that ask for pictures."""
    parser.add_argument("--svg", metavar="PATH", help="draw: a folder gets an SVG per item; FILE.svg the only item's")
    parser.add_argument("--html", metavar="FILE", help="draw all items on one page")


class Pictures:
    """The pictures that were asked for.

    Args:
        arguments: of a command with :func:`add_picture_arguments`.
        items: how many items there are.
        title: of the page.

    Raises:
        InputError: one SVG file is named for several items, or there is no folder to write to.
    """

    def __init__(self, arguments: argparse.Namespace, items: int, title: str) -> None:
        self._svg: str | None = arguments.svg
        self._html: str | None = arguments.html
        self._title = title
        self._drawn: list[tuple[int, str, str]] = []
        if self._svg is not None and self._svg.endswith(".svg") and items != 1:
            raise UsageError(f"cannot hold {items} items; name a folder, which gets a file per item", file=self._svg)
        for path in (self._svg, self._html):
            if path is not None and not Path(path).parent.is_dir():
                raise InputError(f"cannot be written: there is no folder {str(Path(path).parent)!r}", file=path)

    @property
    def wanted(self) -> bool:
        """Whether there is anything to draw."""
        return self._svg is not None or self._html is not None

    def add(self, number: int, words: str, svg: str) -> None:
        """Write an item's picture, or keep it for the page.

        Raises:
            InputError: the file cannot be written.
        """
        if self._svg is not None:
            path = Path(self._svg)
            if path.suffix != ".svg":
                try:
                    path.mkdir(exist_ok=True)
                except OSError as error:
                    raise InputError(f"is no folder that can be written: {error.strerror}", file=path) from error
                path /= f"{number:05d}.svg"
            _write(path, svg)
        if self._html is not None:
            self._drawn.append((number, words, svg))

    def finish(self) -> None:
        """Write the page, if one was asked for.

        Raises:
            InputError: the file cannot be written.
        """
        if self._html is not None:
            from sema.display.pictures.pages import pictures_page

            _write(Path(self._html), pictures_page(self._title, self._drawn))


def _write(path: Path, text: str) -> None:
    from sema.files.replacing import replacing

    with replacing(path) as file:
        file.write(text.encode())
