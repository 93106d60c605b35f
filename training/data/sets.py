"""One record for each set of data, in ``sets.toml``: where it is from, its licence, and the shipped files made of it.

The tables of docs/data.md and NOTICE are made from the records (``make results``), and a test fails if code reads a
set without a record.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

_FILE = Path(__file__).with_name("sets.toml")
_WIDTH = 120
_HEAD = """sema
Copyright 2026 the sema maintainers. Licensed under the Apache License, Version 2.0 (see LICENSE).

This distribution carries files derived from the data below. Each keeps its own terms; the cards beside the files say
what was taken and how to rebuild them.
"""


class Shipped(NamedTuple):
    """Files that are made of data: what they are, their folder, and what else NOTICE says of them."""

    title: str
    folder: str
    note: str


@dataclass(frozen=True)
class DataSet:
    """A public set of data, or several that come together.

    ``section`` is its table of docs/data.md, ``cite`` what NOTICE says of its authors, ``paths`` the beginnings of its
    files' paths in the folder of public data (none: it comes from elsewhere), ``ships`` the shipped files made of it by
    their names in the table ``shipped``. A set with neither ships nor other uses is listed as benchmark only.
    """

    name: str
    section: str
    home: str
    licence: str
    cite: str = ""
    paths: Sequence[str] = ()
    files: str = ""
    ships: Sequence[str] = ()
    use: str = ""

    def __post_init__(self) -> None:
        if unknown := set(self.ships) - set(SHIPPED):
            raise ValueError(f"{self.name} ships in {', '.join(sorted(unknown))}, which `shipped` does not name")

    def holds(self, path: str) -> bool:
        """Whether a path in the folder of public data belongs to this set, or leads to it."""
        return any(path.startswith(own) or own.startswith(path) for own in self.paths)


_READ = tomllib.loads(_FILE.read_text(encoding="utf-8"))
SHIPPED: Mapping[str, Shipped] = {name: Shipped(*given) for name, given in _READ["shipped"].items()}
SETS = tuple(DataSet(**given) for given in _READ["sets"])


def table(section: str) -> list[list[str]]:
    """A table of docs/data.md, its header first: the sets of a section.

    Raises:
        KeyError: no set is in the section.
    """
    chosen = [one for one in SETS if one.section == section]
    if not chosen:
        raise KeyError(f"no set of data is in the section {section!r}")
    rows = [["set", "folder, files", "home", "licence", "ships in", "use"]]
    for one in chosen:
        files = ": ".join(filter(None, (", ".join(f"`{path}`" for path in one.paths), one.files)))
        ships = ", ".join(SHIPPED[name].title for name in one.ships)
        rows.append([one.name, files, one.home, one.licence, ships, one.use or ("" if ships else "benchmark only")])
    return rows


def notice() -> str:
    """The text of NOTICE: what ships, with the names, authors and terms of the sets that it is made of."""
    parts = [_HEAD]
    for name, made in SHIPPED.items():
        sets = [one for one in SETS if name in one.ships]
        named = "; ".join(f"{one.name}{f' ({one.cite})' if one.cite else ''}, {one.licence}" for one in sets)
        text = " ".join(filter(None, (f"From {named}." if named else "", made.note)))
        title = made.title[0].upper() + made.title[1:]
        lines = fill(text, _WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
        parts.append(f"{title} ({made.folder})\n{lines}\n")
    return "\n".join(parts)
