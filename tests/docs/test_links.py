import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

CARDS = (card for top in ("parsers", "lexicons", "apps", "training") for card in (ROOT / top).rglob("*CARD.md"))
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "api").glob("*.md"),
                *(ROOT / "benchmarks").rglob("*.md"), *CARDS])  # fmt: skip
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?\s*\)")
HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)
NAMED = re.compile(r"^\(([\w-]+)\)=$", re.MULTILINE)


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and MyST make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    text = page.read_text(encoding="utf-8")
    return {slug(heading) for heading in HEADING.findall(re.sub(r"```.*?```", "", text, flags=re.DOTALL))} | {
        *NAMED.findall(text)
    }


def dead(page: Path) -> Iterator[str]:
    """The internal links of a page that lead nowhere."""
    text = page.read_text(encoding="utf-8")
    links = [link for link in LINK.findall(CODE.sub("", text)) if not re.match(r"[a-z]+:", link)]
    for link in links:
        target, _, anchor = link.partition("#")
        file = page.parent / target if target else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            yield link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_internal_link_is_dead(page: Path) -> None:
    assert list(dead(page)) == []
