"""Does `meaning` agree with people, and with careful readings of texts that were not trained on?

    python -m benchmarks.judges.meaning [--parts NAME ...] [--set meaning.reader=none] [--record]

The sets are those by which networks are chosen (:mod:`training.reader.choose`), scored as a user scores them;
``words``: F1 of the words that are marked as lost or added, against the words that a careful reader marked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.records import CommandLine, record, run
from sema import Scorer
from training.reader.choose import ALL, Figures, Floats, hands, measured

NAMES = ("meaning", "meaning_recall", "meaning_precision")
AIMS: Mapping[tuple[str, str], float] = {
    ("graded en", "good > bad"): 0.85, ("graded en", "AUC"): 0.85, ("graded en", "minor > bad"): 0.78,
    ("graded zh", "good > bad"): 0.85, ("graded zh", "minor > bad"): 0.75, ("graded others", "good > bad"): 0.80,
    ("graded others", "median good"): 80, ("graded across", "good > bad"): 0.75, ("natural en", "r meaning"): 0.82,
    ("natural en", "tau"): 0.70, ("natural en", "r precision"): 0.60, ("llm2025", "meaning"): 0.52,
    ("Simplicity-DA", "meaning"): 0.70, ("asset", "meaning"): 0.70, ("QATS test", "meaning"): 0.62,
    ("PAWS en", "AUC"): 0.90, ("PAWS zh", "AUC"): 0.82, ("words en", "F1 lost"): 0.75, ("words en", "F1 added"): 0.65,
    ("words zh", "F1 lost"): 0.75, ("words zh", "F1 added"): 0.65, ("passages en", "faithful > one error"): 0.75,
    ("short en", "true > false"): 0.90, ("short en", "true over 70"): 0.85, ("short zh", "true > false"): 0.90,
    ("short zh", "true over 70"): 0.85, ("passages zh", "faithful > one error"): 0.75,
    ("passages en", "points of one error"): 25, ("free passages en", "faithful > one error"): 0.75,
    ("free passages en", "faithful > invention"): 0.80, ("free passages zh", "faithful > one error"): 0.75,
    ("free passages zh", "faithful > invention"): 0.80, ("new passages en", "faithful > one error"): 0.75,
    ("new passages en", "faithful > invention"): 0.80, ("new passages zh", "faithful > one error"): 0.75,
    ("new passages zh", "faithful > invention"): 0.80,
}  # fmt: skip
TABLES = {"graded": "graded", "natural": "natural", "words": "words", "PAWS": "order", "short": "short",
          "passages": "passages", "free": "passages", "new": "passages"}  # fmt: skip
"""The table of each set by the first word of its name; the others are sets of people's ratings."""
_KANA, _HAN, _CYRILLIC = (re.compile(f"[{letters}]") for letters in ("\u3040-\u30ff", "\u4e00-\u9fff", "а-я"))


def language_of(source: str, output: str) -> str:
    """A language to score a pair in; the network treats all languages in Latin letters alike."""
    one, other = (
        "ja" if _KANA.search(text) else "zh" if _HAN.search(text) else "ru" if _CYRILLIC.search(text) else "en"
        for text in (source, output)
    )
    return one if one == other else f"{one}-to-{other}"


class Scores:
    """Reads pairs as a user scores them."""

    def __init__(self, options: Mapping[str, str], limit: int | None) -> None:
        self._options, self.limit = options, limit
        self.scorer = cache(self._scorer)

    def _scorer(self, lang: str) -> Scorer:
        return Scorer(lang, list(NAMES), options=self._options)

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Meaning, recall and precision, 0-100 (pairs, 3); a pair's language is that of its characters."""
        found = np.full((len(pairs), 3), np.nan if self.limit is None else 50.0, np.float32)
        languages = [language_of(*pair) for pair in pairs]
        for one in sorted(set(languages)):
            places = [place for place, own in enumerate(languages) if own == one][: self.limit]
            items = self.scorer(one).score(*map(list, zip(*(pairs[place] for place in places), strict=True)))
            for place, item in zip(places, items.systems[0].items, strict=True):
                found[place] = [item.scores[name] for name in NAMES]
        return found


def words(scores: Scores, name: str, lang: str) -> Figures:
    """F1 of marked words, by characters, over the pairs whose rated meaning is under 95."""
    rows: list[dict[str, Any]] = [row for row in hands(name) if float(row["meaning"]) < 95][: scores.limit]
    report = scores.scorer(lang).score([row["source"] for row in rows], [row["output"] for row in rows])
    units = []
    for place, row in enumerate(rows):
        findings = report.evidence(place)["output"]["findings"]
        counts = []
        for number, (side, what) in enumerate((("source", "lost"), ("output", "added"))):
            text = row[side]
            wanted = _marked(text, [*row[what], *(pair[number] for pair in row["wrong"])])
            given = np.zeros(len(text), bool)
            for start, end in (span for found in findings for span in found[side]):
                given[start:end] = True
            letters = np.array([char.isalnum() for char in text], bool)
            counts.append([np.sum(wanted & given & letters), np.sum(given & letters), np.sum(wanted & letters)])
        units.append(np.array(counts))
    return measured(units, _f1)


def _f1(units: Sequence[NDArray[np.int64]]) -> dict[str, float]:
    lost, added = np.sum(units, axis=0)
    return {
        f"F1 {name}": float(2 * both / max(1, said + true))
        for name, (both, said, true) in (("lost", lost), ("added", added))
    }


def _marked(text: str, spans: Sequence[str]) -> NDArray[np.bool_]:
    found = np.zeros(len(text), bool)
    for span in spans:
        start = text.find(span)
        if start >= 0:
            found[start : start + len(span)] = True
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """Print and record every set."""
    line = CommandLine(__doc__)
    line.add_argument("--parts", nargs="+", help="sets (default: all)")
    line.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    given = line.parse(argv)
    scores = Scores(dict(one.split("=", 1) for one in given.set), 6 if given.smoke else None)
    parts: dict[str, Callable[[Scores], Figures]] = {
        **ALL, "words en": partial(words, name="en_natural", lang="en"),
        "words zh": partial(words, name="zh_natural", lang="zh"),
    }  # fmt: skip
    for name, measure in parts.items():
        if given.parts and name not in given.parts:
            continue
        found = measure(scores)
        for column, (figure, low, high) in found.values.items():
            print(f"{name:16} {column:24} {figure:8.3f}  {low:.3f} to {high:.3f}  n {found.n}", flush=True)
            table = TABLES.get(name.split()[0], "ratings")
            row = f"{name}, {' '.join(given.set)}" if given.set else name
            record(f"meaning.{table}", row, column, figure, n=found.n, data=name, interval=(low, high),
                   digits=1 if column.startswith(("median", "points")) else 3,
                   aim=AIMS.get((name, column)))  # fmt: skip


if __name__ == "__main__":
    run(main)
