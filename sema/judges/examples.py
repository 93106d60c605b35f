"""Pairs of source and output with human ratings, and training examples made of them: analysed, with features."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sema.analysis.analyser import Analyser
from sema.analysis.texts import ProgressCallback
from sema.errors import InputError, SemaError
from sema.files.texts import COLUMNS, read_rows
from sema.judges.model import Array
from sema.judges.training import Examples
from sema.metrics.base import mean

if TYPE_CHECKING:
    from sema.features.base import FeatureSet
    from sema.model.language import Parts

CLASSES = {"bad": 0.0, "ok": 0.5, "good": 1.0}
"""The classes of QATS as numbers."""


@dataclass(frozen=True)
class RatedPair:
    """A source and an output with a rating between 0 and 1; ``group`` names the set that it comes from."""

    source: str
    output: str
    rating: float
    group: str = ""


Row = tuple[RatedPair, Array]
"""A pair with its features."""


def bare(text: str) -> str:
    """A text's letters and digits, lower-cased."""
    return "".join(char for char in text.casefold() if char.isalnum())


def read_ratings(path: str, aspect: str, scale: tuple[float, float] | None = None) -> list[RatedPair]:
    """Read a table of ratings of one aspect; several ratings of a pair are averaged.

    The table has a source and an output in each row, and a column named as the aspect; or a column ``aspect`` beside a
    column ``rating``. Ratings are numbers, or ``good``, ``ok`` and ``bad``.

    Args:
        path: ``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``.
        aspect: the aspect's name.
        scale: the least and the greatest rating possible; by default those that occur.

    Raises:
        InputError: a column is missing, a rating is invalid or outside the scale, or all are the same.
    """
    rows = read_rows(path)
    names = {name for _, row in rows for name in row}
    source = _column(names, "source", path)
    output = _column(names - {source}, "output", path)
    if aspect not in names and not {"aspect", "rating"} <= names:
        raise InputError(f"has no column {aspect!r}, nor columns 'aspect' and 'rating'", file=path, line=1)
    by_pair: dict[tuple[str, str], list[float]] = {}
    words = False
    for line, row in rows:
        cell = row.get(aspect, row.get("rating") if row.get("aspect") == aspect else None)
        word = "" if cell is None else str(cell).strip().lower()
        if not word:
            continue
        texts = row.get(source), row.get(output)
        if not all(isinstance(text, str) and text.strip() for text in texts):
            raise InputError("has no source or no output; complete the row or take it out", file=path, line=line)
        words |= word in CLASSES
        number = CLASSES[word] if word in CLASSES else _number(cell, path, line)
        by_pair.setdefault((str(texts[0]), str(texts[1])), []).append(number)
    if not by_pair:
        raise InputError(f"has no ratings of {aspect!r}; name the aspect as the file does", file=path)
    numbers = [number for ratings in by_pair.values() for number in ratings]
    low, high = scale or ((0.0, 1.0) if words else (min(numbers), max(numbers)))
    if high <= low:
        raise InputError(f"all ratings of {aspect!r} are the same; there is nothing to learn", file=path)
    if min(numbers) < low or max(numbers) > high:
        raise InputError(f"has ratings outside {low:g} to {high:g}; give the scale that was used", file=path)
    return [RatedPair(*texts, (mean(ratings) - low) / (high - low)) for texts, ratings in by_pair.items()]


def _column(names: Collection[str], role: str, path: str) -> str:
    chosen = next((name for name in COLUMNS[role] if name in names), None)
    if chosen is None:
        raise InputError(f"has no column for the {role}; name one {COLUMNS[role][0]!r}", file=path, line=1)
    return chosen


def _number(cell: Any, path: str, line: int) -> float:
    try:
        number = float(cell)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{cell!r} is not a rating; write a number, or good, ok or bad", file=path, line=line)
    return number


CHUNK = 256


def make_examples(
    pairs: Sequence[RatedPair], features: FeatureSet, parts: Parts, progress: ProgressCallback
) -> Examples:
    """Analyse rated pairs and read their features; a pair that cannot be analysed is left out."""
    rows = []
    for start in range(0, len(pairs), CHUNK):
        rows += feature_rows(pairs[start : start + CHUNK], features, parts)
        progress(min(start + CHUNK, len(pairs)), len(pairs))
    return examples_of(rows, features)


def feature_rows(pairs: Sequence[RatedPair], features: FeatureSet, parts: Parts) -> list[Row]:
    """The features of each pair that can be analysed."""
    analyser = Analyser(parts, features.requires)
    items = analyser.items([pair.source for pair in pairs], [pair.output for pair in pairs])
    usable = [(pair, item) for pair, item in zip(pairs, items, strict=True) if not isinstance(item, SemaError)]
    table = features.table([item for _, item in usable])
    return [(pair, row) for (pair, _), row in zip(usable, table, strict=True)]


def examples_of(rows: Sequence[Row], features: FeatureSet) -> Examples:
    """Pairs and their features as examples."""
    pairs = [pair for pair, _ in rows]
    return Examples(
        features.names,
        np.array([row for _, row in rows]).reshape(len(rows), len(features.names)),
        np.array([pair.rating for pair in pairs]),
        tuple(bare(pair.source) for pair in pairs),
        tuple(pair.group for pair in pairs),
    )
