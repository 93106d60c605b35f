"""Does `meaning` agree with people, and with careful readings of texts that trained nothing?

    python -m benchmarks.judges.meaning [--parts NAME ...] [--set meaning.reader=none] [--record]

The sets are those by which networks are chosen (:mod:`training.reader.choose`), scored as a user scores them;
``words``: F1 of the words that are marked as lost or added, against the words that a careful reader marked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.records import CommandLine, record, run
from sema import Scorer
from training.reader.choose import ACROSS, ALL, ONE_LANGUAGE, Floats, graded, hands

NAMES = ("meaning", "meaning_recall", "meaning_precision")
AIMS: Mapping[tuple[str, str], float] = {
    ("graded en", "good>bad"): 0.85, ("graded en", "auc"): 0.85, ("graded en", "minor>bad"): 0.78,
    ("graded zh", "good>bad"): 0.85, ("graded zh", "minor>bad"): 0.75, ("graded others", "good>bad"): 0.80,
    ("graded others", "med good"): 80, ("graded across", "good>bad"): 0.75, ("natural en", "r meaning"): 0.82,
    ("natural en", "tau"): 0.70, ("natural en", "r precision"): 0.60, ("llm2025", "r"): 0.52,
    ("Simplicity-DA", "r"): 0.70, ("ASSET", "r"): 0.70, ("QATS", "r"): 0.62, ("PAWS", "auc"): 0.90,
    ("PAWS zh", "auc"): 0.82, ("words en", "F1 lost"): 0.75, ("words en", "F1 added"): 0.65,
    ("words zh", "F1 lost"): 0.75, ("words zh", "F1 added"): 0.65,
}  # fmt: skip
_HAN = re.compile("[\u4e00-\u9fff]")


class Scores:
    """Reads pairs as a user scores them."""

    def __init__(self, options: Mapping[str, str], limit: int | None) -> None:
        self._options, self._limit = options, limit
        self.scorer = cache(self._scorer)

    def _scorer(self, lang: str) -> Scorer:
        return Scorer(lang, list(NAMES), options=self._options)

    def __call__(self, pairs: Sequence[tuple[str, str]], lang: str = "") -> Floats:
        """Meaning, recall and precision, 0-100 (pairs, 3); English or Chinese by the characters of the source."""
        found = np.full((len(pairs), 3), np.nan, np.float32)
        languages = [lang or ("zh" if _HAN.search(source) else "en") for source, _ in pairs]
        for one in sorted(set(languages)):
            places = [place for place, own in enumerate(languages) if own == one][: self._limit]
            items = self.scorer(one).score(*map(list, zip(*(pairs[place] for place in places), strict=True)))
            for place, item in zip(places, items.systems[0].items, strict=True):
                found[place] = [item.scores[name] for name in NAMES]
        return found


def words(scores: Scores, name: str, lang: str) -> dict[str, float]:
    """F1 of marked words, by characters, over the pairs whose rated meaning is under 95."""
    rows: list[dict[str, Any]] = [row for row in hands(name) if float(str(row["meaning"])) < 95][: scores._limit]
    report = scores.scorer(lang).score([row["source"] for row in rows], [row["output"] for row in rows])
    counts = {"lost": np.zeros(3), "added": np.zeros(3)}
    for place, row in enumerate(rows):
        evidence = report.evidence(place)["output"]
        for side, part, spans, what in (
            ("source", 0, row["lost"], "lost"), ("output", 1, row["added"], "added"),
        ):  # fmt: skip
            text = row[side]
            wanted = _marked(text, [*spans, *(pair[part] for pair in row["wrong"])])
            given = np.zeros(len(text), bool)
            for found in evidence["findings"]:
                for start, end in found[side]:
                    given[start:end] = True
            letters = np.array([char.isalnum() for char in text])
            counts[what] += [np.sum(wanted & given & letters), np.sum(given & letters), np.sum(wanted & letters)]
    return {"n": len(rows)} | {
        f"F1 {what}": float(2 * both / max(1, said + true)) for what, (both, said, true) in counts.items()
    }


def _marked(text: str, spans: Sequence[str]) -> NDArray[np.bool_]:
    found = np.zeros(len(text), bool)
    for span in spans:
        start = text.find(span)
        if start >= 0:
            found[start : start + len(span)] = True
    return found


def by_language(scores: Scores, names: Sequence[str]) -> dict[str, float]:
    """Graded texts of other languages and across languages, each as its users score it."""
    found = []
    for name in names:
        pair = f"any:{name.replace('_', '-')}" if "_" in name else name
        one = graded(partial(scores, lang=pair), (name,))
        found.append(one)
    n = np.array([one["n"] for one in found])
    return {"n": int(n.sum())} | {
        key: float(np.average([one[key] for one in found], weights=n)) for key in found[0] if key != "n"
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Print and record every set."""
    line = CommandLine(__doc__)
    line.add_argument("--parts", nargs="+", help="sets (default: all)")
    line.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    given = line.parse(argv)
    scores = Scores(dict(one.split("=", 1) for one in given.set), 4 if given.smoke else None)
    parts = {
        **ALL,
        "graded others": lambda s: by_language(s, ONE_LANGUAGE), "graded across": lambda s: by_language(s, ACROSS),
        "words en": lambda s: words(s, "en_natural", "en"), "words zh": lambda s: words(s, "zh_natural", "zh"),
    }  # fmt: skip
    for name, measure in parts.items():
        if given.parts and name not in given.parts:
            continue
        found = measure(scores)  # type: ignore[arg-type]
        for column, figure in found.items():
            if column != "n":
                print(f"{name:16} {column:24} {figure:8.3f}  n {found['n']:.0f}", flush=True)
                record("meaning.figures", name, column, figure, digits=3, n=int(found["n"]), data=name,
                       aim=AIMS.get((name, column)))  # fmt: skip


if __name__ == "__main__":
    run(main)
