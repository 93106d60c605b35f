"""How far the ratings of judged pairs can be predicted without reading them: ``python -m training.reader.shortcuts``.

By file: pairs, sources, mean characters of source and output, and the correlation of closeness to the source with the
rated meaning (Pearson's r; .1 to .6 in people's ratings). Then how well a ridge regression predicts the meaning from
the output alone, for sources that it was not fitted on: from its voice (hand or file), from its place among the outputs
of its source, and from its form (lengths of text, words and sentences, shares of signs, digits and capitals). A network
sees only the form.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from training.reader.data import judged_files

FOLDS = 10
_SENTENCE_END = re.compile(r"[.!?。！？]+")
Row = Mapping[str, Any]
Floats = NDArray[np.float64]


def rows_of(file: Path) -> list[Row]:
    """The judged pairs of a file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def closeness(rows: Sequence[Row]) -> float:
    """Pearson's r of the outputs' similarity to their source with their rated meaning; NaN if all are alike."""
    close = [fuzz.ratio(row["source"].lower(), row["output"].lower()) for row in rows]
    meaning = [float(row["meaning"]) for row in rows]
    with np.errstate(invalid="ignore"):
        return float(np.corrcoef(close, meaning)[0, 1])


def form(text: str) -> list[float]:
    """Numbers of a text's form: characters, characters a word and a sentence, shares of signs, digits and capitals."""
    size, words = max(len(text), 1), text.split()
    kinds = Counter(kind for char in text for kind in _kinds(char))
    sentences = max(len(_SENTENCE_END.findall(text)), 1)
    shares = [kinds[kind] / size for kind in ("sign", "digit", "capital")]
    return [float(len(text)), len(text) / max(len(words), 1), len(text) / sentences, *shares]


def _kinds(char: str) -> list[str]:
    return [
        kind
        for kind, found in (
            ("sign", not char.isalnum() and not char.isspace()), ("digit", char.isdigit()), ("capital", char.isupper())
        )
        if found
    ]  # fmt: skip


def foretold(rows: Sequence[Row], table: Floats) -> float:
    """Pearson's r of the rated meaning with its prediction from ``table``, cross-validated over folds of sources."""
    sources: dict[str, int] = {}
    groups = [sources.setdefault(row["source"], len(sources)) for row in rows]
    meaning = np.array([float(row["meaning"]) for row in rows])
    ridge = make_pipeline(StandardScaler(), RidgeCV(np.logspace(-1, 4, 6)))
    found = cross_val_predict(ridge, table, meaning, groups=groups, cv=GroupKFold(FOLDS))
    return float(np.corrcoef(found, meaning)[0, 1])


def places(rows: Sequence[Row]) -> Floats:
    """The place of each output among those of its source."""
    seen: Counter[str] = Counter()
    found = []
    for row in rows:
        found.append([float(seen[row["source"]])])
        seen[row["source"]] += 1
    return np.array(found)


def main() -> None:
    """Print the table of files, and the figures over all."""
    every: list[Row] = []
    voices: list[str] = []
    print("file                  pairs sources  source  output  r of closeness with meaning")
    for file in judged_files():
        rows = rows_of(file)
        sizes = [np.mean([len(row[text]) for row in rows]) for text in ("source", "output")]
        count = len({row["source"] for row in rows})
        print(f"{file.stem:20}{len(rows):7}{count:8}{sizes[0]:8.0f}{sizes[1]:8.0f}  {closeness(rows):.2f}")
        every += rows
        voices += [str(row.get("hand", file.stem)) for row in rows]
    print(f"all: {len(every)} pairs, r of closeness with meaning {closeness(every):.2f}")
    tables = {
        "voice": OneHotEncoder(sparse_output=False).fit_transform(np.array(voices)[:, None]),
        "place": places(every),
        "form": np.array([form(row["output"]) for row in every]),
    }
    for name, table in tables.items():
        print(f"r of {name} with meaning: {foretold(every, table):.2f}")


if __name__ == "__main__":
    main()
