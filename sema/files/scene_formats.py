"""Files that hold scene graphs, found through the entry-point group ``sema.scene_formats``.

An entry point's name is the format's, its object a function of :class:`sema.languages.RunOptions` that returns a
:class:`SceneFormat`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from sema.errors import InputError, ResourceError
from sema.languages import RunOptions
from sema.model.scene_graph import SceneGraph

GROUP = "sema.scene_formats"


@dataclass(frozen=True)
class SceneFormat:
    """One file format: ``read`` gives a passage as one graph or as one graph a sentence; ``write`` takes either."""

    suffix: str
    name: str
    read: Callable[[Path], list[SceneGraph]]
    write: Callable[[Sequence[SceneGraph], Path], None] | None = None


def installed_formats(options: RunOptions) -> dict[str, SceneFormat]:
    """The formats that are installed, by file suffix (``.xml``)."""
    formats = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            found: SceneFormat = point.load()(options)
        except ImportError:  # an extra that is not installed: its files are then unknown like any other's
            continue
        formats[found.suffix] = found
    return formats


def writable_format(name: str) -> SceneFormat:
    """The format of that entry-point name, if it can be written."""
    points = entry_points(group=GROUP, name=name)
    for point in points:
        found: SceneFormat = point.load()(RunOptions())
        if found.write is not None:
            return found
    raise ResourceError(f"no installed package writes {name!r} files; reinstall sema")


def scene_files(folder: str | Path, options: RunOptions) -> list[tuple[Path, SceneFormat]]:
    """The scene files of a folder in the order of their names.

    Raises:
        InputError: not a folder, or no file in it has a known suffix.
    """
    path = Path(folder)
    formats = installed_formats(options)
    try:
        files = sorted(file for file in path.iterdir() if file.suffix.lower() in formats and file.is_file())
    except OSError as error:
        raise InputError(f"cannot be read as a folder of scenes: {error.strerror}", file=path) from error
    if not files:
        raise InputError(f"has no scene files ({', '.join(sorted(formats))})", file=path)
    return [(file, formats[file.suffix.lower()]) for file in files]
