"""Rated outputs as typed data sheets: texts, ratings, systems, references, and others' published scores."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from benchmarks.sets import read_references
from sema.judges.examples import CLASSES
from sema.model.item import Item
from sema.model.text import Text
from training.data.rated_aspects import qats_rows
from training.data.tables import table

PUBLISHED: Mapping[str, Any] = tomllib.loads(
    (Path(__file__).parent / "metaeval" / "published.toml").read_text(encoding="utf-8")
)
Floats = Sequence[float]


class References(NamedTuple):
    """A set of references: the sources as it has them, and the references of each output."""

    sources: Sequence[str]
    texts: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Sheet:
    """Rated outputs, one entry of every column for each.

    Attributes:
        name: the data, as records name them.
        sources: the sources as the raters saw them.
        ratings: people's ratings by aspect.
        systems: the system of each output.
        groups: the type of each output's system.
        references: the sets of references by name.
        published: EASSE's scores by set of references and by our metric's name.
    """

    name: str
    sources: Sequence[str]
    outputs: Sequence[str]
    ratings: Mapping[str, Floats]
    systems: Sequence[str] = ()
    groups: Sequence[str] = ()
    references: Mapping[str, References] = field(default_factory=dict)
    published: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)

    def every(self, step: int) -> Sheet:
        """Every ``step``-th output."""
        return self.only(range(0, len(self.outputs), step))

    def only(self, places: Sequence[int]) -> Sheet:
        """Some of the outputs."""
        return replace(self, **_only({name: value for name, value in vars(self).items() if name != "name"}, places))

    def items(self, references: str) -> list[Item]:
        """The outputs for metrics that read texts: sources and references as a set of references has them."""
        return [
            Item(Text(source, (), ()), Text(output, (), ()), tuple(texts))
            for source, texts, output in zip(*self.references[references], self.outputs, strict=True)
        ]


def _only(columns: Any, places: Sequence[int]) -> Any:
    if isinstance(columns, Mapping):
        return {name: _only(column, places) for name, column in columns.items()}
    if isinstance(columns, References):
        return References(*(_only(column, places) for column in columns))
    return [columns[place] for place in places] if columns else columns


def _sheet(name: str, file: str, ratings: Mapping[str, str]) -> Sheet:
    """A sheet of the meta-evaluation (Alva-Manchego, Scarton and Specia 2021); ``ratings``: columns by aspect."""
    rows = list(table("ratings", "metaeval", f"{file}.csv"))
    easse = {
        (row["test_set"], row["sent_id"], row["sys_name"]): row
        for row in table("ratings", "metaeval", f"metrics_{file}.csv")
    }
    lines = [int(row["sent_id"]) - 1 for row in rows]
    return Sheet(
        name,
        [row["orig_sent"] for row in rows],
        [row["simp_sent"] for row in rows],
        {aspect: [float(row[column]) for row in rows] for aspect, column in ratings.items()},
        [row["sys_name"] for row in rows],
        [row["sys_type"] for row in rows],
        {
            key: References([sources[line] for line in lines], [[column[line] for column in columns] for line in lines])
            for key, (sources, columns) in read_references().items()
        },
        {
            key: {
                metric: [float(easse[key, row["sent_id"], row["sys_name"]][column]) for row in rows]
                for metric, column in PUBLISHED["columns"].items()
            }
            for key in dict.fromkeys(test_set for test_set, *_ in easse)
        },
    )


def simplicity_da() -> Sheet:
    """Simplicity-DA: 600 outputs, standardised direct assessments."""
    aspects = {aspect: f"{aspect}_zscore" for aspect in ("simplicity", "fluency", "meaning")}
    return _sheet("Simplicity-DA", "simplicity_DA", aspects)


def structural_simplicity() -> Sheet:
    """The structural ratings: 1,750 outputs, ratings from -2 to 2."""
    aspects = ("structural_simplicity", "grammaticality", "meaning", "simplicity")
    return _sheet("Structural Simplicity", "structural_simplicity", {name: name for name in aspects})


def simpeval_past() -> Sheet:
    """SimpEval_past (Maddela et al. 2023): 2,400 outputs, the mean of five raters' standardised ratings."""
    rows = list(table("ratings", "simpeval", "simpeval_past.csv"))
    sources, columns = read_references()["asset"]
    lines = {source: line for line, source in enumerate(sources)}
    originals = [row["original"] for row in rows]
    return Sheet(
        "SimpEval_past",
        originals,
        [row["processed_generation"] for row in rows],
        {"quality": [fmean(float(row[f"rating_{rater}_z_score"]) for rater in range(1, 6)) for row in rows]},
        [row["system"] for row in rows],
        references={
            "asset": References(originals, [[column[lines[text]] for column in columns] for text in originals])
        },
    )


def qats_test() -> Sheet:
    """QATS 2016's test set: 126 outputs; bad, ok and good as 0, .5 and 1."""
    rows = {name: list(qats_rows("test", name)) for name in ("Overall", "G", "M", "S")}
    sources, outputs, _ = zip(*rows["Overall"], strict=True)
    ratings = {name: [CLASSES[label] for _, _, label in own] for name, own in rows.items()}
    return Sheet("QATS test", sources, outputs, ratings)
