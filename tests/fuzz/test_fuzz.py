"""A short run of every fuzz target in the ordinary tests (`make fuzz` does more), tables of any cells, and pairs."""

import csv
import io
import json
import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sema.errors import InputError
from sema.files.texts import read_column
from tests.fuzz import harness, readers, scoring  # noqa: F401 - registers the targets
from tests.fuzz.harness import TARGETS, changed, file, run, seeds

SLOW = {"english", "chinese"}
"""These load models and take a tenth of a second for an input."""
QUICK = [name for name in TARGETS if name not in SLOW]
CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8)
SIGNS = ",.;()\"'-…\u0301\u202e猫😀"
NAMES = st.lists(CELLS.filter(lambda name: name not in ("source", "scores")), max_size=3, unique=True)


@pytest.mark.parametrize("name", QUICK)
def test_seeds_end_quietly(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("SECONDS", "MEMORY"):
        monkeypatch.setattr(harness, limit, float("inf"))
    for data in seeds(name):
        run(name, data)


@pytest.mark.stress
@pytest.mark.parametrize("name", QUICK)
def test_changed_seeds_end_quietly(name: str, chance: random.Random) -> None:
    known = seeds(name)
    for _ in range(200):
        run(name, changed(known, chance))


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """Names of columns, ``source`` among them, and rows of cells that are not blank."""
    names = draw(st.permutations(["source", *draw(NAMES)]))
    cells = st.lists(CELLS, min_size=len(names), max_size=len(names))
    return names, draw(st.lists(cells, min_size=1, max_size=6))


def sources(text: str, suffix: str) -> list[Any]:
    """The texts that are read from a table, an error in the place of a row that cannot be read."""
    return list(read_column(str(file(text.encode(), suffix)), "source").values)


def written(rows: list[list[str]], separator: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue()


@pytest.mark.stress
@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from([",", "\t"]), st.integers(0, 5), st.booleans())
def test_cells_are_read_as_written_and_ragged_rows_alone_are_refused(
    table: tuple[list[str], list[list[str]]], separator: str, place: int, longer: bool
) -> None:
    names, rows = table
    suffix = ".tsv" if separator == "\t" else ".csv"
    wanted: list[Any] = [row[names.index("source")] for row in rows]
    assert sources(written([names, *rows], separator), suffix) == wanted
    place %= len(rows)
    rows[place] = [*rows[place], "x"] if longer or len(names) == 1 else rows[place][:-1]
    values = sources(written([names, *rows], separator), suffix)
    assert isinstance(values.pop(place), InputError) and values == wanted[:place] + wanted[place + 1 :]


@pytest.mark.stress
@pytest.mark.parametrize("wrong", ["{}", '{"source": [1]}', '{"source": 1}', '{"source": "a", "source": "b"}'])
@settings(max_examples=30, deadline=None)
@given(st.lists(CELLS, min_size=1, max_size=6), st.integers(0, 6))
def test_a_damaged_object_costs_itself_alone(wrong: str, cells: list[str], place: int) -> None:
    place %= len(cells) + 1
    lines = [json.dumps({"source": cell}) for cell in cells]
    values = sources("\n".join([*lines[:place], wrong, *lines[place:]]), ".jsonl")
    assert isinstance(values.pop(place), InputError) and values == cells


PARTS = {
    "en": ("John", "Mary", "he", "not", "never", "3,000", "ten", "gave", "book", "n't", "?!", "café", "ﬁ", *SIGNS),
    "zh": ("没有", "昨天", "看见", "北京", *"他她不三3猫的，。；（）“”！、aBＡ\u3000國", *SIGNS),
}


@pytest.mark.stress
@pytest.mark.parametrize("lang", PARTS)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_pair_has_the_same_scores_alone_as_beside_another(lang: str, data: st.DataObject) -> None:
    text = st.lists(st.sampled_from(PARTS[lang]), min_size=1, max_size=12).map((" " if lang == "en" else "").join)
    source, output = data.draw(text.filter(lambda made: bool(made.strip()))), data.draw(text)
    scorer = scoring._scorer(lang, "sentence")
    reference = output if output.strip() else source  # blank references count as none, which metrics refuse
    pairs = [source, output or source], [output, source], [[reference], [source]]
    together = scorer.score(*pairs, collect_errors=True).systems[0].items[0]
    (alone,) = scorer.score(*(column[:1] for column in pairs), collect_errors=True).systems[0].items
    assert (together.error, together.scores) == (alone.error, alone.scores)
    ranges = {metric.name: metric.range for metric in scorer.metrics}
    for name, value in alone.scores.items():
        assert math.isfinite(value) and ranges[name][0] - 1e-6 <= value <= ranges[name][1] + 1e-6
