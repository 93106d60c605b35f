"""Rated outputs as typed data sheets: texts, ratings, kinds of systems, references, and others' published scores."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.sets import read_pairs, read_references
from sema.judges.examples import CLASSES
from training.data.rated_aspects import qats_rows, simpeval
from training.data.tables import table

PUBLISHED: Mapping[str, Any] = tomllib.loads(
    (Path(__file__).parent / "metaeval" / "published.toml").read_text(encoding="utf-8")
)
Floats = Sequence[float]


@dataclass(frozen=True)
class References:
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
        groups: the type of each output's system.
        references: the sets of references by name.
        published: EASSE's scores by set of references and by our metric's name.
    """

    name: str
    sources: Sequence[str]
    outputs: Sequence[str]
    ratings: Mapping[str, Floats]
    groups: Sequence[str] = ()
    references: Mapping[str, References] = field(default_factory=dict)
    published: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)

    def every(self, step: int) -> Sheet:
        """Every ``step``-th output."""
        return replace(
            self,
            sources=self.sources[::step],
            outputs=self.outputs[::step],
            ratings={name: values[::step] for name, values in self.ratings.items()},
            groups=self.groups[::step],
            references={name: References(s.sources[::step], s.texts[::step]) for name, s in self.references.items()},
            published={
                name: {metric: values[::step] for metric, values in scores.items()}
                for name, scores in self.published.items()
            },
        )


def _sheet(name: str, rows: Sequence[dict[str, str]], ratings: Mapping[str, str], **more: Any) -> Sheet:
    """A sheet of the meta-evaluation's rows, with the references for their sentences."""
    lines = [int(row["sent_id"]) - 1 for row in rows]
    references = {
        key: References([sources[line] for line in lines], [[column[line] for column in columns] for line in lines])
        for key, (sources, columns) in read_references().items()
    }
    return Sheet(
        name,
        [row["orig_sent"] for row in rows],
        [row["simp_sent"] for row in rows],
        {aspect: [float(row[column]) for row in rows] for aspect, column in ratings.items()},
        [row["sys_type"] for row in rows],
        references,
        **more,
    )


def _scores(rows: Sequence[Mapping[str, str]]) -> dict[str, list[float]]:
    return {name: [float(row[column]) for row in rows] for name, column in PUBLISHED["columns"].items()}


def simplicity_da() -> Sheet:
    """Simplicity-DA (Alva-Manchego, Scarton and Specia 2021): 600 outputs, standardised direct assessments."""
    pairs = read_pairs()
    aspects = {aspect: f"{aspect}_zscore" for aspect in ("simplicity", "fluency", "meaning")}
    published = {name: _scores([pair.published[name] for pair in pairs]) for name in pairs[0].published}
    return _sheet("Simplicity-DA", [pair.row for pair in pairs], aspects, published=published)


def structural_simplicity() -> Sheet:
    """The structural ratings of the same paper: 1,750 outputs, ratings from -2 to 2."""
    rows = list(table("ratings", "metaeval", "structural_simplicity.csv"))
    easse = {
        (row["sent_id"], row["sys_name"]): row
        for row in table("ratings", "metaeval", "metrics_structural_simplicity.csv")
        if row["test_set"] == "hsplit"
    }
    published = {"hsplit": _scores([easse[row["sent_id"], row["sys_name"]] for row in rows])}
    aspects = ("structural_simplicity", "grammaticality", "meaning", "simplicity")
    return _sheet("Structural Simplicity", rows, {name: name for name in aspects}, published=published)


def simpeval_past() -> Sheet:
    """SimpEval_past (Maddela et al. 2023): 2,400 outputs, the mean of five raters' standardised ratings."""
    pairs = simpeval("quality")
    ratings = {"quality": [pair.rating for pair in pairs]}
    return Sheet("SimpEval_past", [pair.source for pair in pairs], [pair.output for pair in pairs], ratings)


def qats_test() -> Sheet:
    """QATS 2016's test set: 126 outputs; bad, ok and good as 0, .5 and 1."""
    rows = {name: list(qats_rows("test", name)) for name in ("Overall", "G", "M", "S")}
    sources, outputs, _ = zip(*rows["Overall"], strict=True)
    ratings = {name: [CLASSES[label] for _, _, label in own] for name, own in rows.items()}
    return Sheet("QATS test", sources, outputs, ratings)
