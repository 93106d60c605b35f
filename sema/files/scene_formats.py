"""File formats of scene graphs, found through the entry-point group ``sema.scene_formats``.

An entry point's name is the format's, its object a function that returns a :class:`SceneFormat`; the function's keyword
arguments are the format's options (:mod:`sema.options`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sema.errors import InputError, ResourceError, UnknownNameError, UsageError, counted
from sema.model.scene_graph import SceneGraph
from sema.options import Settings
from sema.plugins import Broken, Group, factory


@dataclass(frozen=True)
class SceneFormat:
    """One file format: ``read`` gives a passage as one graph or as one for each sentence; ``write`` takes either."""

    suffix: str
    name: str
    read: Callable[[Path], list[SceneGraph]]
    write: Callable[[Sequence[SceneGraph], Path], None] | None = None


MakeFormat = Callable[..., SceneFormat]
GROUP: Group[MakeFormat] = Group("sema.scene_formats", partial(factory, kind=SceneFormat))
SceneFile = tuple[Path, SceneFormat]


def installed_formats(settings: Settings | None = None) -> dict[str, SceneFormat]:
    """The installed formats that load, by file suffix (``.xml``)."""
    options = settings or Settings()
    made = [options.build(plugin.name, plugin.made) for plugin in GROUP.all() if not isinstance(plugin, Broken)]
    return {scene_format.suffix: scene_format for scene_format in made}


def formats_in(folder: str | Path) -> list[str]:
    """The names of the formats that the files of a folder may be in, by their suffixes."""
    path = Path(folder)
    suffixes = {file.suffix.lower() for file in path.iterdir()} if path.is_dir() else set()
    made = {plugin.name: plugin.made() for plugin in GROUP.all() if not isinstance(plugin, Broken)}
    return [name for name, scene_format in made.items() if scene_format.suffix in suffixes]


def format_factories(names: Sequence[str]) -> dict[str, MakeFormat]:
    """The functions that make the named formats, by name; a ``UsageError`` if one is not installed."""
    if isinstance(names, str) or not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise UsageError(f"scene_formats must be a list of names of formats such as ['ucca'], not {names!r}")
    by_suffix = {}
    for name in names:
        make = GROUP.get(name)
        if make is None:
            raise UnknownNameError("format of scenes", name, GROUP.names())
        by_suffix[name] = make
    return by_suffix


def writable_format(name: str) -> SceneFormat:
    """The format of that entry-point name, if it supports writing."""
    make = GROUP.get(name)
    scene_format = make() if make else None
    if scene_format is None or scene_format.write is None:
        raise ResourceError(f"no installed package writes {name!r} files; reinstall sema")
    return scene_format


def scene_files(folder: str | Path, items: int, settings: Settings | None = None) -> list[SceneFile | None]:
    """Each item's scene file, in the order of the files' names: by number where all names are numbers.

    If there are fewer files than items and each is named by its item's number, as ``sema parse`` names them, the other
    items have none (they could not be parsed).

    Raises:
        InputError: not a folder, no file in it has a known suffix, or files and items do not go together.
    """
    path = Path(folder)
    formats = installed_formats(settings)
    try:
        files = [file for file in path.iterdir() if file.suffix.lower() in formats and file.is_file()]
    except OSError as error:
        raise InputError(f"cannot be read as a folder of scenes: {error.strerror}", file=path) from error
    if not files:
        broken = [str(plugin) for plugin in GROUP.all() if isinstance(plugin, Broken)]
        raise InputError("; ".join([f"has no scene files ({', '.join(sorted(formats))})", *broken]), file=path)
    numbered = {int(file.stem): file for file in files if file.stem.isdecimal()}
    if len(numbered) < len(files):
        ordered: Sequence[Path | None] = sorted(files)
    elif len(files) < items and max(numbered) < items:
        ordered = [numbered.get(index) for index in range(items)]
    else:
        ordered = [numbered[number] for number in sorted(numbered)]
    if len(ordered) != items:
        what = counted(len(files), "scene file")
        kinds = Counter(file.suffix.lower() for file in files)
        what += f" ({', '.join(f'{count} {suffix}' for suffix, count in kinds.items())})" if len(kinds) > 1 else ""
        raise InputError(f"has {what} for {counted(items, 'item')}; give one file for each", file=path)
    return [None if file is None else (file, formats[file.suffix.lower()]) for file in ordered]


def read_scenes(path: Path, scene_format: SceneFormat) -> list[SceneGraph]:
    """The graphs of a file; an ``InputError`` if it cannot be read."""
    try:
        return scene_format.read(path)
    except RecursionError as error:
        raise InputError("is nested too deeply; divide its sentences", file=path) from error
