"""How far the ratings of judged pairs can be predicted without reading them: ``python -m training.reader.shortcuts``.

By file: pairs, sources, mean characters of source and output, and the correlation of closeness to the source with the
rated meaning (Pearson's r; .1 to .6 in people's ratings). Then closeness over all pairs, each as often as the last
stage reads it, and how well a ridge regression predicts the meaning, for sources that it was not fitted on, from the
output alone: from its hand (who rated it), from its place among the outputs of its source, and from its form (lengths
of text, words and sentences, shares of signs, digits and capitals). A network sees only the form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from training.command import command
from training.reader.data import MIXES, judged, judged_files
from training.reader.example import Example

FOLDS = 10
_SENTENCE_END = re.compile(r"[.!?。！？]+")
Floats = NDArray[np.float64]


def closeness(pairs: Sequence[Example], shares: Floats) -> float:
    """Pearson's r of the outputs' similarity to their source with their rated meaning, each counted ``shares`` times;
    NaN if all are alike."""
    close = [fuzz.ratio(pair.source.lower(), pair.output.lower()) for pair in pairs]
    table = np.cov(close, meanings(pairs), aweights=shares)
    with np.errstate(invalid="ignore"):
        return float(table[0, 1] / np.sqrt(table[0, 0] * table[1, 1]))


def meanings(pairs: Sequence[Example]) -> Floats:
    """The rated meaning of each pair (pairs,)."""
    return np.array([pair.meaning for pair in pairs])


def form(text: str) -> list[float]:
    """Numbers of a text's form: characters, characters a word and a sentence, shares of signs, digits and capitals."""
    size, words = max(len(text), 1), text.split()
    sentences = max(len(_SENTENCE_END.findall(text)), 1)
    signs = sum(not char.isalnum() and not char.isspace() for char in text)
    digits, capitals = sum(map(str.isdigit, text)), sum(map(str.isupper, text))
    lengths = [float(len(text)), len(text) / max(len(words), 1), len(text) / sentences]
    return [*lengths, signs / size, digits / size, capitals / size]


def places(pairs: Sequence[Example]) -> Floats:
    """The place of each output among those of its source (pairs, 1)."""
    seen: Counter[str] = Counter()
    found = []
    for pair in pairs:
        found.append([float(seen[pair.source])])
        seen[pair.source] += 1
    return np.array(found)


def foretold(pairs: Sequence[Example], table: Floats) -> float:
    """Pearson's r of the rated meaning with its prediction from ``table``, cross-validated over folds of sources."""
    sources: dict[str, int] = {}
    groups = [sources.setdefault(pair.source, len(sources)) for pair in pairs]
    ridge = make_pipeline(StandardScaler(), RidgeCV(np.logspace(-1, 4, 6)))
    found = cross_val_predict(ridge, table, meanings(pairs), groups=groups, cv=GroupKFold(FOLDS))
    return float(np.corrcoef(found, meanings(pairs))[0, 1])


@command
def main() -> None:
    """Print the table of files, and the figures over all."""
    print("file                  pairs sources  source  output  r of closeness with meaning")
    for file in judged_files():
        pairs = list(judged([file]))
        sizes = [np.mean([len(getattr(pair, text)) for pair in pairs]) for text in ("source", "output")]
        count = len({pair.source for pair in pairs})
        near = closeness(pairs, np.ones(len(pairs)))
        print(f"{file.stem:20}{len(pairs):7}{count:8}{sizes[0]:8.0f}{sizes[1]:8.0f}  {near:.2f}")
    pairs = list(judged())
    shares = np.array([MIXES["last"][pair.kind] for pair in pairs])
    print(f"all: {len(pairs)} pairs, r of closeness with meaning in the mix {closeness(pairs, shares):.2f}")
    hands = np.array([pair.hand for pair in pairs])[:, None]
    tables = {
        "hand": OneHotEncoder(sparse_output=False).fit_transform(hands),
        "place": places(pairs),
        "form": np.array([form(pair.output) for pair in pairs]),
    }
    for name, table in tables.items():
        print(f"r of {name} with meaning: {foretold(pairs, table):.2f}")


if __name__ == "__main__":
    main()
