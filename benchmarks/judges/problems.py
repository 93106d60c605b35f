"""The list of problems against the marks of careful readers: found, missed and false ones, by language and kind.

    python -m benchmarks.judges.problems [--set meaning.reader=none] [--record]

Nothing was trained on ``probes/hands``. Natural outputs were marked by a reader; in a written version the one loss,
error or invention is marked, and the faithful version has no marks. A mark is found if it shares at least half of the
letters of the shorter of the two with a problem in the list, in the source or in the output; it is found *of its kind*
if that problem is of the mark's kind (*wrong* has places in both texts). A problem that shares letters with no mark in
this way is false. For languages whose versions have no marks, the figure is how many texts have any problem in their
list. ``read_marks.jsonl`` has the marks of 20 outputs of systems and people. They were drawn at random and marked
before anyone saw their lists.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.judges.meaning import language_of
from benchmarks.records import CommandLine, Figures, run
from sema import Scorer
from sema.model.meaning import KINDS
from training.data.tables import read_lines
from training.data.text import detokenized
from training.reader.choose import ACROSS, ONE_LANGUAGE, VERSIONS, hands

MARKED = {"en": ("en_natural", "en_leaflets", "en_news"), "zh": ("zh_natural", "zh_graded")}
MARKS = ("lost", "added", "wrong")
VERSION_MARKS: Mapping[str, Sequence[str]] = {
    "good": (), "minor": ("lost",), "bad": ("wrong",), "invented": ("added",),
}  # fmt: skip
"""The marks that a version of a written text has."""
READ = Path(__file__).with_name("read_marks.jsonl")
Places = tuple[frozenset[int], frozenset[int]]
"""The letters of a mark or a problem in the source and in the output, as indexes of characters."""


class Marked(NamedTuple):
    """A pair of texts with its marks: kind and places."""

    source: str
    output: str
    marks: Sequence[tuple[str, Places]]


def marked_pairs(name: str) -> Iterator[Marked]:
    """The pairs of a set of hands, each with its marks."""
    for row in hands(name):
        for version, kinds in {"output": MARKS, **VERSION_MARKS}.items():
            if version in row:
                yield _marked(row, row[version], kinds)


def read_pairs(lang: str) -> Iterator[Marked]:
    """The pairs of :data:`READ` in a language, each with its marks."""
    for row in map(json.loads, READ.read_text(encoding="utf-8").splitlines()):
        if row["lang"] == lang:
            texts = (read_lines("simplification", *row[name].split("/")) for name in ("sources", "outputs"))
            source, output = (lines[row["line"] - 1] for lines in texts)
            yield _marked(row | {"source": source}, detokenized(output) if lang == "en" else output, MARKS)


def _marked(row: Mapping[str, Any], output: str, kinds: Sequence[str]) -> Marked:
    marks = []
    for kind in kinds:
        for mark in row[kind]:
            of_source, of_output = {"wrong": mark, "lost": (mark, ""), "added": ("", mark)}[kind]
            places = _place(row["source"], of_source), _place(output, of_output)
            marks.append(("missing" if kind == "lost" else kind, places))
    return Marked(row["source"], output, marks)


def _place(text: str, words: str) -> frozenset[int]:
    start = text.find(words)
    return _letters(text, [] if start < 0 else [(start, start + len(words))])


def _letters(text: str, spans: Sequence[Sequence[int]]) -> frozenset[int]:
    return frozenset(at for start, end in spans for at in range(start, end) if text[at].isalnum())


def listed(pair: Marked, findings: Sequence[Mapping[str, Any]]) -> list[tuple[str, Places]]:
    """The problems of an item's list: kind and places."""
    return [(one["kind"], (_letters(pair.source, one["source"]), _letters(pair.output, one["output"])))
            for one in findings]  # fmt: skip


def shared(mark: Places, problem: Places) -> bool:
    """Whether a mark and a problem have at least half of the letters of the shorter one in common, in either text."""
    return any(
        bool(one and other) and 2 * len(one & other) >= min(len(one), len(other))
        for one, other in zip(mark, problem, strict=True)
    )


@dataclass
class Counts:
    """Marks and problems of one kind in one language."""

    marks: int = 0
    found: int = 0
    named: int = 0
    listed: int = 0
    false: int = 0

    def add(self, kind: str, marks: Sequence[tuple[str, Places]], problems: Sequence[tuple[str, Places]]) -> None:
        """Count a pair's marks and problems of ``kind`` against all problems and marks."""
        for places in (places for own, places in marks if own == kind):
            touching = [other for other, problem in problems if shared(places, problem)]
            self.marks += 1
            self.found += bool(touching)
            self.named += kind in touching
        for problem in (problem for own, problem in problems if own == kind):
            self.listed += 1
            self.false += not any(shared(places, problem) for _, places in marks)

    def row(self) -> dict[str, float]:
        return {
            "marks": self.marks, "found": self.found, "of its kind": self.named, "missed": self.marks - self.found,
            "listed": self.listed, "false": self.false,
            "found, %": 100 * self.found / max(1, self.marks), "false, %": 100 * self.false / max(1, self.listed),
        }  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    line = CommandLine(__doc__)
    line.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    given = line.parse(argv)
    options, limit = dict(one.split("=", 1) for one in given.set), 4 if given.smoke else None

    def lists(lang: str, pairs: Sequence[tuple[str, str]]) -> list[list[dict[str, Any]]]:
        report = Scorer(lang, ["meaning"], options=options).score(*map(list, zip(*pairs, strict=True)))
        return [report.evidence(place)["output"].get("findings", []) for place in range(len(pairs))]

    digits = {name: 1 if name.endswith("%") else 0 for name in Counts().row()}
    marks = Figures("problems.marks", "language, kind", digits=digits, data="probes/hands")
    read = Figures("problems.read", "language, kind", digits=digits, data="simplification")
    for lang, names in MARKED.items():
        marked = [pair for name in names for pair in marked_pairs(name)][:limit]
        for table, pairs in ((marks, marked), (read, list(read_pairs(lang))[:limit])):
            counts = {kind: Counts() for kind in KINDS}
            for pair, findings in zip(pairs, lists(lang, [pair[:2] for pair in pairs]), strict=True):
                for kind, count in counts.items():
                    count.add(kind, pair.marks, listed(pair, findings))
            for kind, count in counts.items():
                table.row(f"{lang}, {kind}", count.row(), n=len(pairs))
    versions = Figures("problems.versions", "texts", digits=1, data="probes/hands")
    for name in ("en_leaflets", "en_news", "zh_graded", *ONE_LANGUAGE, *ACROSS)[:limit]:
        rows = hands(name)[:limit]
        lang = language_of(rows[0]["source"], rows[0]["good"])
        found = lists(lang, [(row["source"], row[version]) for version in VERSIONS for row in rows])
        shares = [sum(map(bool, found[place * len(rows) :][: len(rows)])) / len(rows) for place in range(len(VERSIONS))]
        versions.row(name, {version: 100 * share for version, share in zip(VERSIONS, shares, strict=True)}, n=len(rows))


if __name__ == "__main__":
    run(main)
