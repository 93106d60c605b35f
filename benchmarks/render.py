"""Write recorded figures and sets of data into RESULTS.md, the pages of results, README, documents and NOTICE:
``make results``.

    python -m benchmarks.render [--check]

Rendered text stands between one of five marks and ``<!-- end -->``; the text around them is written by hand. A comment
has lines of its own, since Markdown ends a paragraph at a line that begins with one:

``<!-- table PAGE.TABLE: LABEL -->``: a table with rows and columns in the order of the records. Aims, intervals and the
best published figures have columns beside their figures; missed aims are marked.

``<!-- older -->``: the runs whose weights are not today's, or not known; elsewhere their figures are marked.

``<!-- sets SECTION -->``: the table of the sets of data in a section of docs/data.md, from their records.

``<!-- figures`` with lines ``LABEL = PAGE.TABLE > ROW > COLUMN`` and ``-->``: one row for each figure named.

``<!-- compared`` with the same lines: the published figure and ours, side by side.

Figures within a paragraph, list or table are plain text, and are named below it: ``<!-- figures above`` with lines
``FIGURE = PAGE.TABLE > ROW > COLUMN``, in the order of the text, and ``-->``.

NOTICE is made from the records of sets of data.

``--check`` writes nothing and fails if a document is not up to date.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from benchmarks import made_with
from benchmarks.records import FOLDER, ROOT, Record, read_records
from training.data import sets

MARK = re.compile(
    r"<!-- (?P<kind>table |sets |figures\n|compared\n|older)(?P<what>.*?)-->(?P<old>.*?)<!-- end -->", re.DOTALL
)
ABOVE = re.compile(r"(?P<text>(?:[^\n]+\n)+)<!-- figures above\n(?P<figures>(?:[^\n]+\n)+?)-->")
SIGNS = {made_with.OLDER: "†", made_with.UNKNOWN: "‡", made_with.GONE: "§"}
LEGEND = {"†": "made with weights that are not today's", "‡": "the weights that it was made with are not recorded",
          "§": "the command that made it is gone"}  # fmt: skip
Cells = list[str]
Stale = Mapping[str, tuple[str, str]]
"""As :func:`benchmarks.made_with.stale` gives them."""


def documents(root: Path = ROOT) -> list[Path]:
    """Every document that may show figures."""
    pages = [root / "README.md", root / "benchmarks" / "RESULTS.md"]
    return [*pages, *sorted(root.glob("docs/*.md")), *sorted((root / "benchmarks" / "results").glob("*.md"))]


def rendered(text: str, records: Mapping[str, Record], stale: Stale = MappingProxyType({})) -> str:
    """A document with the current figures; those of ``stale`` runs are marked.

    Raises:
        KeyError: it names a table or a figure that is not recorded.
    """

    def render(mark: re.Match[str]) -> str:
        kind, what = mark["kind"], mark["what"].strip()
        if kind == "table ":
            shown = _table(what, records, stale)
        elif kind == "older":
            shown = _older(records, stale)
        elif kind == "sets ":
            header, *body = sets.table(what)
            shown = _markdown(header, body, right=False)
        else:
            shown = _listed(kind.strip(), what.splitlines(), records, stale)
        return f"<!-- {kind}{mark['what']}-->\n{shown}\n<!-- end -->"

    return ABOVE.sub(lambda mark: _above(mark, records), MARK.sub(render, text))


def _above(mark: re.Match[str], records: Mapping[str, Record]) -> str:
    """A paragraph with the current figures in place of the old ones, and the list of its figures."""
    text, done, lines = mark["text"], "", []
    for line in mark["figures"].strip().splitlines():
        old, _, name = (part.strip() for part in line.partition(" = "))
        entry = _find(name, records)
        new = entry.shown(entry.figure)
        found = _number(old, text)
        if not found:
            raise KeyError(f"the text above has no figure {old!r} for {name!r}, or not in this order")
        before, text = text[: found.start()], text[found.end() :]
        if _number(new, before):
            raise KeyError(
                f"the text above has {new!r} before the place of {name!r}; write the earlier number otherwise"
            )
        done += before + new
        lines.append(f"{new} = {name}")
    return "\n".join([f"{done}{text}<!-- figures above", *lines, "-->"])


def _number(number: str, text: str) -> re.Match[str] | None:
    """The first place of a number that is not part of another."""
    return re.search(rf"(?<![\w.,-]){re.escape(number)}(?!\w|[.,]\d)", text)


def interrupted(text: str) -> list[str]:
    """Lines that hold a comment and text: Markdown shows the text of such a line as it stands, or breaks a sentence."""
    plain = re.sub(r"(?ms)^```.*?^```$", "", text)
    return [
        line
        for line in plain.splitlines()
        if ("<!--" in line and not line.startswith("<!--")) or ("-->" in line and not line.endswith("-->"))
    ]


def named(text: str) -> Iterator[str]:
    """The names of the tables and figures that a document shows."""
    for mark in MARK.finditer(text):
        if mark["kind"] == "table ":
            yield mark["what"].strip().partition(":")[0]
        elif mark["kind"] in ("figures\n", "compared\n"):
            yield from (line.rpartition(" = ")[2].strip() for line in mark["what"].strip().splitlines())
    for mark in ABOVE.finditer(text):
        yield from (line.partition(" = ")[2].strip() for line in mark["figures"].strip().splitlines())


def _find(name: str, records: Mapping[str, Record]) -> Record:
    if name not in records:
        raise KeyError(f"no record of {name!r}; the benchmark that measures it writes one with --record")
    return records[name]


def _older(records: Mapping[str, Record], stale: Stale) -> str:
    """A row for each run whose weights are not today's, or not known."""
    counts = Counter(entry.run for entry in records.values())
    body = []
    for run, (kind, what) in stale.items():
        command, _, commit = run.partition("; ")
        body.append([f"`{command}`", commit, f"{counts[run]:,}", f"{kind}{f': {what}' if what else ''}"])
    return _markdown(["command", "commit, date", "figures", "why"], body, right=False) if body else "None."


def _legend(entries: Iterable[Record], stale: Stale) -> str:
    """What the signs in a table mean."""
    signs = dict.fromkeys(SIGNS[stale[entry.run][0]] for entry in entries if entry.run in stale)
    return "".join(f"\n\n{sign} {LEGEND[sign]}" for sign in signs)


def _table(what: str, records: Mapping[str, Record], stale: Stale) -> str:
    """A table, and below it how it was measured."""
    name, _, label = what.partition(":")
    cells = {(entry.row, entry.column): entry for entry in records.values() if entry.table == name}
    if not cells:
        raise KeyError(f"no record of a table {name!r}; the benchmark that measures it writes some with --record")
    rows, columns = (list(dict.fromkeys(key[place] for key in cells)) for place in (0, 1))
    by_row, by_column = (_counts(cells, place) for place in (0, 1))
    differing = len({entry.n for entry in cells.values()}) > 1
    counted = differing and all(by_row.values())
    shown: list[tuple[str, Cells]] = [(label.strip(), rows), *([("n", list(by_row.values()))] if counted else [])]
    for column in columns:
        sized = f"{column} (n={by_column[column]})" if differing and not counted and by_column[column] else column
        shown += _columns(sized, [cells.get((row, column)) for row in rows])
    (count, *_) = {entry.n for entry in cells.values()}
    sizes = f"{count:,} items" if count and not differing else ""
    table = _markdown([title for title, _ in shown], list(zip(*(own for _, own in shown), strict=True)))
    return "\n".join([table, "", *_provenance(cells.values(), sizes, stale)])


def _counts(cells: Mapping[tuple[str, str], Record], place: int) -> dict[str, str]:
    """The number of items of each row, or of each column; empty if its figures have different numbers."""
    sizes: dict[str, set[int | None]] = {}
    for key, entry in cells.items():
        sizes.setdefault(key[place], set()).add(entry.n)
    single = {name: next(iter(counts)) if len(counts) == 1 else None for name, counts in sizes.items()}
    return {name: "" if count is None else f"{count:,}" for name, count in single.items()}


def _columns(title: str, chosen: Sequence[Record | None]) -> Iterator[tuple[str, Cells]]:
    """A column of figures, and the columns beside it that some figure has: interval, aim, best published figure."""
    yield title, [entry.shown(entry.figure) if entry else "" for entry in chosen]
    for beside, text in (("95 %", _interval), ("aim", _aim), ("published", _peer)):
        cells = [text(entry) if entry else "" for entry in chosen]
        if any(cells):
            yield f"… {beside}", cells


def _interval(entry: Record) -> str:
    return " to ".join(map(entry.shown, entry.interval)) if entry.interval else ""


def _aim(entry: Record) -> str:
    if entry.aim is None:
        return ""
    return f"{'≤' if entry.lower_is_better else '≥'} {entry.shown(entry.aim)}{', **missed**' if entry.missed else ''}"


def _peer(entry: Record) -> str:
    return "" if entry.peer is None else entry.shown(entry.peer)


def _listed(kind: str, lines: Sequence[str], records: Mapping[str, Record], stale: Stale) -> str:
    """One row for each figure: ``compared`` with the published one, or ``figures`` with all that some figure has."""
    body: list[dict[str, str]] = []
    entries = []
    for label, _, name in (line.rpartition(" = ") for line in lines):
        entries.append(entry := _find(name.strip(), records))
        figure = entry.shown(entry.figure) + (SIGNS[stale[entry.run][0]] if entry.run in stale else "")
        command, count = f"`{entry.command}`", f"{entry.n:,}" if entry.n else ""
        compared = {
            "table or figure": label.strip(), "figure": f"{entry.row}, {entry.column}", "paper": _peer(entry),
            "here": figure, "command": command,
        }  # fmt: skip
        alone = {
            "what": label.strip(), "data, items": ", ".join(filter(None, (entry.data, count))),
            "figure": figure, "95 %": _interval(entry), "aim": _aim(entry),
            "published": f"{_peer(entry)} ({entry.peer_source})" if entry.peer is not None else "",
            "command": command, "commit, page": f"[{entry.commit}](results/{entry.table.partition('.')[0]}.md)",
        }  # fmt: skip
        body.append(compared if kind == "compared" else alone)
    used = [title for title in body[0] if kind == "compared" or any(row[title] for row in body)]
    return _markdown(used, [[row[title] for title in used] for row in body]) + _legend(entries, stale)


def _provenance(entries: Iterable[Record], sizes: str, stale: Stale) -> Iterator[str]:
    """How the figures were measured: a line for each command, with the data sets that the rows do not name."""
    kept = list(entries)
    ways: dict[tuple[str, str], list[Record]] = {}
    for entry in kept:
        ways.setdefault((entry.run, entry.processor), []).append(entry)
    for (run, processor), some in ways.items():
        data = ", ".join(dict.fromkeys(entry.data for entry in some if entry.data and entry.data != entry.row))
        about = f"{', '.join(dict.fromkeys(entry.row for entry in some))}: " if len(ways) > 1 else ""
        command, _, measured = run.partition("; ")
        parts = (data, sizes, f"`{command}`", measured, processor, stale.get(run, ("",))[0])
        yield f"{about}{'; '.join(filter(None, parts))}."
    sources = dict.fromkeys(entry.peer_source for entry in kept if entry.peer is not None)
    if sources:
        yield f"\nPublished: {'; '.join(sources)}."


def _markdown(header: Sequence[str], body: Iterable[Sequence[str]], *, right: bool = True) -> str:
    lines = [header, ["---", *["---:" if right else "---"] * (len(header) - 1)], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the documents, or with ``--check`` name those that are not up to date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a document is not up to date")
    arguments = parser.parse_args(argv)
    records = read_records(FOLDER)
    runs, entries = {entry.run for entry in records.values()}, made_with.read()
    if not arguments.check:
        made_with.write({run: entry for run, entry in entries.items() if run in runs})
    stale = made_with.stale((entry.run for entry in records.values()), entries)
    outdated = []
    for path in [*documents(), ROOT / "NOTICE"]:
        text = path.read_text(encoding="utf-8")
        for line in interrupted(text):
            sys.exit(f"{path.relative_to(ROOT)}: a comment shares a line with text; give it lines of its own: {line}")
        try:
            fresh = sets.notice() if path.name == "NOTICE" else rendered(text, records, stale)
        except KeyError as error:
            sys.exit(f"{path.relative_to(ROOT)}: {error.args[0]}")
        if fresh != text:
            outdated.append(str(path.relative_to(ROOT)))
            if not arguments.check:
                path.write_text(fresh, encoding="utf-8")
    if arguments.check and outdated:
        print(f"not up to date, run `make results`: {', '.join(outdated)}", file=sys.stderr)
    return int(arguments.check and bool(outdated))


if __name__ == "__main__":
    sys.exit(main())
