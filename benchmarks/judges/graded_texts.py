"""Versions of texts in a known order: does `meaning` put them in it?

    python -m benchmarks.judges.graded_texts [en zh] [--record]

``order``: five versions from best to worst; Kendall's tau, and the median of each. ``passages``: a paragraph's faithful
version against one with one wrong fact, with an invention, about something else; and a shorter faithful one against the
wrong one. ``marks``: the words that an editor marked as lost, added or wrong (F1), and the share of sides with nothing
to mark that stay unmarked. All of them are open to development: they tuned the scales, so unseen texts decide.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Any

from benchmarks.records import CommandLine, record, run
from sema import Scorer
from sema.datasets.folder import data_folder
from sema.scoring.results import Report

RANKED = (
    ("faithful", "one_error"), ("faithful", "hallucination"), ("faithful", "off"), ("faithful_short", "one_error"),
)  # fmt: skip
SIDES = (("source", "lost", 0), ("output", "added", 1))


def probes(name: str, smoke: bool) -> list[dict[str, Any]]:
    """The probes of a file."""
    lines = data_folder("probes", f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[: 2 if smoke else None]]


def read(scorer: Scorer, pairs: Sequence[tuple[str, str]]) -> Report:
    """The scores and the evidence of pairs."""
    return scorer.score([source for source, _ in pairs], [output for _, output in pairs], keep_items=True)


def scores(scorer: Scorer, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The `meaning` of pairs."""
    return [item.scores["meaning"] for item in read(scorer, pairs).systems[0].items]


def put(table: str, row: str, column: str, figure: float, n: int, digits: int = 2) -> None:
    """Print a figure and record it."""
    print(f"{table:12} {row:10} {column:34} {figure:7.{digits}f}  n {n}", flush=True)
    record(f"graded_texts.{table}", row, column, figure, digits=digits, data=f"probes/{table}_{row}", n=n)


def tau(values: Sequence[float]) -> float:
    """Kendall's tau of values that should fall."""
    pairs = [(a, b) for place, a in enumerate(values) for b in values[place + 1 :]]
    return fmean((a > b) - (a < b) for a, b in pairs)


def order(scorer: Scorer, lang: str, smoke: bool) -> None:
    """Five versions of each source."""
    told = probes(f"order_{lang}", smoke)
    flat = iter(scores(scorer, [(one["source"], text) for one in told for text in one["versions"]]))
    rows = [[next(flat) for _ in one["versions"]] for one in told]
    put("order", lang, "Kendall's tau", fmean(map(tau, rows)), len(rows))
    for place, column in enumerate(zip(*rows, strict=True), 1):
        put("order", lang, f"median of version {place}", median(column), len(rows), 0)


def passages(scorer: Scorer, lang: str, smoke: bool) -> None:
    """Five versions of each paragraph."""
    told = probes(f"passages_{lang}", smoke)
    flat = iter(scores(scorer, [(one["source"], each["text"]) for one in told for each in one["versions"]]))
    rows: list[Mapping[str, float]] = [{each["verdict"]: next(flat) for each in one["versions"]} for one in told]
    for better, worse in RANKED:
        put(
            "passages",
            lang,
            f"{better} above {worse}, %",
            100 * fmean(r[better] > r[worse] for r in rows),
            len(rows),
            0,
        )


def marks(scorer: Scorer, lang: str, smoke: bool) -> None:
    """Marked words of each side, and sides without any."""
    told = probes(f"marks_{lang}", smoke)
    report = read(scorer, [(one["source"], one["output"]) for one in told])
    clean: list[bool] = []
    for side, name, wrong in SIDES:
        right = marked = wanted = 0
        for index, one in enumerate(told):
            shown = report.evidence(index)["output"]
            gold = tokens_in(shown[side], [*one[name], *(pair[wrong] for pair in one["wrong"])])
            predicted = {
                t
                for t, p in enumerate(shown[f"{side}_words"])
                if p < shown["thresholds"][name] and shown[side][t].isalnum()
            }
            right, marked, wanted = right + len(gold & predicted), marked + len(predicted), wanted + len(gold)
            if not gold:
                clean.append(not predicted)
        put("marks", lang, f"{name}, F1", 2 * right / max(1, marked + wanted), len(told))
    put("marks", lang, "clean sides left clean, %", 100 * fmean(clean) if clean else 100.0, len(clean), 0)


def tokens_in(words: Sequence[str], spans: Sequence[str]) -> set[int]:
    """The tokens that stand in spans of a text; spaces do not count."""
    text = "".join(words)
    places: set[int] = set()
    for span in spans:
        bare = "".join(span.split())
        start = text.find(bare)
        if start >= 0:
            places.update(range(start, start + len(bare)))
    tokens, at = set(), 0
    for token, word in enumerate(words):
        if word.isalnum() and not places.isdisjoint(range(at, at + len(word))):
            tokens.add(token)
        at += len(word)
    return tokens


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("lang", nargs="*", default=["en", "zh"])
    arguments = parser.parse(argv)
    for lang in arguments.lang:
        scorer = Scorer(lang, ["meaning"])
        for part in (order, passages, marks):
            part(scorer, lang, arguments.smoke)


if __name__ == "__main__":
    run(main)
