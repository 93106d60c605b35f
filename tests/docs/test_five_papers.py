import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "five_papers.md"
KINDS = {"reproduced", "substituted", "impossible"}
PRINTED = {"SAMSA": (4, 1), "SEMA": (3, 3), "SARI": (7, 3), "The meta-evaluation": (11, 8), "QATS": (5, 0)}
"""The number of tables and of figures in each paper."""


def rows(paper: str) -> list[tuple[str, str, str]]:
    """The rows of a paper's first table."""
    text = PAGE.read_text(encoding="utf-8")
    (section,) = (part for part in text.split("\n## ") if part.startswith(f"{paper}:"))
    lines = section.partition("|---|---|---|\n")[2].partition("\n\n")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [(what, kind, why) for what, kind, why in cells]


def named(what: str, word: str) -> set[int]:
    """The numbers of the tables or figures that a row names: *Table 1*, *Tables 2 to 5*, *Figures 2 and 3*."""
    numbers: set[int] = set()
    for many, first, link, last in re.findall(rf"{word}(s?) (\d+)(?: (to|and) (\d+))?", what):
        numbers.update(range(int(first), int(last or first) + 1) if many and link else {int(first)})
    return numbers


@pytest.mark.parametrize("paper", PRINTED)
def test_every_table_and_figure_has_a_line_that_says_which_and_why(paper: str) -> None:
    for word, count in zip(("Table", "Figure"), PRINTED[paper], strict=True):
        listed = set().union(*(named(what, word) for what, _, _ in rows(paper)))
        assert listed == set(range(1, count + 1)), word
    for what, kind, why in rows(paper):
        assert kind in KINDS, what
        assert why or kind == "reproduced", what
