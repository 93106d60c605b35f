"""Properties of tables that are well formed, which must be read, or wrong in one known way, which must be refused.

Hypothesis makes the inputs. Each property is a test with a few examples, and a target whose bytes are Hypothesis'
choices, so that coverage can guide these too.
"""

import csv
import io
import json
import random
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sema.errors import InputError
from tests.fuzz.harness import SEEDS, TARGETS, file

Property = Callable[..., None]
PROPERTIES: dict[str, Property] = {}

CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8)
NAMES = st.lists(CELLS.filter(lambda name: name not in ("source", "scores")), max_size=3, unique=True)


def property_of(*strategies: st.SearchStrategy[Any]) -> Callable[[Property], Property]:
    """Register a property of values that these strategies make."""

    def register(function: Property) -> Property:
        checks = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.large_base_example]
        quiet = settings(max_examples=60, deadline=None, database=None, suppress_health_check=checks)
        made: Any = quiet(given(*strategies)(function))
        PROPERTIES[function.__name__] = made
        TARGETS[function.__name__] = made.hypothesis.fuzz_one_input
        SEEDS[function.__name__] = tuple(random.Random(seed).randbytes(600) for seed in range(20))
        return made  # type: ignore[no-any-return]

    return register


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """Names of columns, ``source`` among them, and rows of cells that are not blank."""
    names = draw(st.permutations(["source", *draw(NAMES)]))
    cells = st.lists(CELLS, min_size=len(names), max_size=len(names))
    return names, draw(st.lists(cells, min_size=1, max_size=6))


def _csv_bytes(rows: list[list[str]], separator: str) -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue().encode()


def _sources(data: bytes, suffix: str) -> list[Any]:
    from sema.files.texts import read_column

    return list(read_column(str(file(data, suffix)), "source").values)


@property_of(tables(), st.sampled_from([",", "\t"]))
def written_cells(table: tuple[list[str], list[list[str]]], separator: str) -> None:
    names, rows = table
    wanted = [row[names.index("source")] for row in rows]
    assert _sources(_csv_bytes([names, *rows], separator), ".tsv" if separator == "\t" else ".csv") == wanted


@property_of(tables(), st.integers(0, 5), st.booleans())
def ragged_rows(table: tuple[list[str], list[list[str]]], place: int, longer: bool) -> None:
    names, rows = table
    place %= len(rows)
    rows[place] = [*rows[place], "x"] if longer or len(names) == 1 else rows[place][:-1]
    values = _sources(_csv_bytes([names, *rows], ","), ".csv")
    assert [isinstance(value, InputError) for value in values] == [index == place for index in range(len(rows))]


@property_of(tables(), st.integers(0, 5), st.sampled_from(["absent", "list", "number", "twice"]))
def damaged_objects(table: tuple[list[str], list[list[str]]], place: int, how: str) -> None:
    names, rows = table
    place %= len(rows)
    lines = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
    wrong = {"absent": "{}", "list": '{"source": [1]}', "number": '{"source": 1}'}
    lines[place] = wrong.get(how, '{"source": "a", "source": "b"}')
    if how == "absent" and len(rows) == 1:
        return
    values = _sources("\n".join(lines).encode(), ".jsonl")
    assert [isinstance(value, InputError) for value in values] == [index == place for index in range(len(rows))]
    kept = [row[names.index("source")] for index, row in enumerate(rows) if index != place]
    assert [value for value in values if not isinstance(value, InputError)] == kept


@property_of(st.lists(st.one_of(CELLS, st.none(), st.just("")), min_size=1, max_size=600), st.integers(1, 300))
def parquet_columns(cells: list[str | None], group: int) -> None:
    import pyarrow
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pyarrow.table({"n": [*range(len(cells))], "source": cells}), out, row_group_size=group)
    values = _sources(out.getvalue(), ".parquet")
    assert values == cells


@property_of(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=8), max_size=600))
def written_lines(lines: list[str]) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    assert _sources(b"\xef\xbb\xbf" + data, ".txt") == lines
