"""The examples that the five papers print, with the structures that the papers give them.

A structure is written in brackets: ``[A:1 the [C book]]`` is a Participant with the name 1, ``[A^1]`` a remote edge to
it, and a second ``[A:1 …]`` continues a unit that other words interrupt.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sema.model.scene_graph import SceneGraph

_PART = re.compile(r"\[(?P<category>[A-Z])(?P<remote>\^)?:?(?P<name>\d+)?|(?P<end>\])|(?P<word>[^\s\]]+)")


def graph(structure: str) -> SceneGraph:
    """The scene graph of a structure in brackets."""
    parts = list(_PART.finditer(structure))
    drawn = SceneGraph([part["word"] for part in parts if part["word"]])
    named: dict[str, str] = {}
    remote: list[tuple[str, str, str]] = []
    open_units, token = [drawn.root], 0
    for part in parts:
        if part["word"]:
            drawn.add_edge(open_units[-1], token)
            token += 1
        elif part["end"]:
            open_units.pop()
        elif part["remote"]:
            remote.append((open_units[-1], part["name"], part["category"]))
            open_units.append(open_units[-1])
        else:
            unit = named.get(part["name"] or "") or drawn.add_child(open_units[-1], part["category"])
            if part["name"]:
                named[part["name"]] = unit
            open_units.append(unit)
    for unit, name, category in remote:
        drawn.add_edge(unit, named[name], category, remote=True)
    return drawn


@dataclass(frozen=True)
class Example:
    """A source and its simplification; ``printed`` is the paper's score, if it prints one, 0-100."""

    paper: str
    source: str
    output: str
    metric: str
    printed: float | None = None
    structure: str = ""
    says: str = ""
    """What the paper says where it prints no number."""
    references: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The row in the table of examples."""
        said = f" ({self.says})" if self.says else ""
        return f"{self.paper}: {self.metric} of “{self.source}” → “{self.output}”{said}"


_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
STRUCTURES: Mapping[str, str] = _DATA["structures"]
READ: Mapping[str, Sequence[str]] = {
    paper: [STRUCTURES[name] for name in names] for paper, names in _DATA["read"].items()
}
"""By paper the examples whose structure it describes, in brackets."""
SCORED = tuple(
    Example(**{**row, "structure": STRUCTURES.get(row.get("structure"), ""), "references": row.get("references", ())})
    for row in _DATA["scored"]
)
"""The examples with a score."""
LINKS: Sequence[tuple[str, str, str, str, Sequence[str]]] = _DATA["words"]["links"]
"""Words that the papers align: paper, word of the source and of the output, what the paper calls it, the kinds of link
that say the same."""
CENTERS: Sequence[tuple[str, str, str]] = _DATA["words"]["centers"]
"""Paper, structure, and the minimal center of its unit of category C."""
SPLITS = [(STRUCTURES[name], output) for name, output in _DATA["words"]["splits"]]
"""Sentences with two Scenes, and an output with a sentence for each."""
SEMINAR = STRUCTURES["seminar"]
"""SEMA, section 4.3: the core word is the relation, 研讨会 and 在巴黎 are the Participants."""
QUOTED: Mapping[str, Sequence[Sequence[Any]]] = _DATA["quoted"]
"""Tables 4 and 6 of the meta-evaluation: ``bertscore``, precision by output; ``sari`` by source and output."""
