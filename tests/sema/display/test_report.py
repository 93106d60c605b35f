"""Reports from saved runs: what they show is what the run says, the page needs nothing else, and stays small."""

import base64
import json
import re
import zlib
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from sema import Scorer
from sema.cli.main import main
from sema.display.pictures.pages import rendered
from sema.display.reports import report as report_module
from sema.display.reports.chapters import Chapter, read_chapter
from sema.display.reports.profiles import Profile
from sema.display.reports.report import report_html
from sema.display.tables import p_value
from tests.esperanto import esperanto
from tests.sema.display.shown import finding

SOURCES = [
    "La kato dormas.",
    "La hundo manĝas pomon. Mi vidas la domon.",
    "Vi kuras kaj mi dormas.",
    "Li legas libron.",
]
OUTPUTS = {
    "good": ["La kato dormas.", "La hundo manĝas. Mi vidas domon.", "Vi kuras. Mi dormas.", "Li legas."],
    "<poor>": ["La kato.", "Mi vidas.", "", "Libro & <b>pomo</b>."],
}


def save(folder: Path, outputs: dict[str, list[str]], metrics: list[str] | None = None) -> str:
    Scorer(esperanto(), metrics or ["sema", "samsa"]).write(folder, SOURCES, outputs)
    return str(folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save(tmp_path_factory.mktemp("report") / "run", OUTPUTS)


@pytest.fixture(scope="module")
def chapter(run: str) -> Chapter:
    return read_chapter(run)


@pytest.fixture(scope="module")
def html(chapter: Chapter) -> str:
    """The page of the run."""
    return report_html([chapter])


class Page(HTMLParser):
    """What a browser would load, the ids, and which elements are open at the end."""

    VOID = frozenset(("meta", "input", "br", "img", "link", "hr"))

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.ids: list[str | None] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        addresses = [value for name, value in attrs if name in ("src", "href", "xlink:href", "action") and value]
        self.loads += [value for value in addresses if not value.startswith("#")]
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert tag in self.VOID or self.open.pop() == tag


def test_the_page_is_whole_loads_nothing_and_escapes_texts(html: str) -> None:
    page = Page(html)
    assert page.open == [] and page.loads == []
    assert len(page.ids) == len(set(page.ids)), "every id once"
    assert "default-src 'none'" in html and len(html.encode()) < 200_000
    assert set(re.findall(r"https?://[^/]+/", html)) <= {"http://www.w3.org/"}
    assert "<poor>" not in html and "&lt;poor&gt;" in html
    assert "<b>pomo" not in html and "&lt;b&gt;pomo" in html


def test_scores_are_those_of_the_run(chapter: Chapter, html: str) -> None:
    for system in chapter.report.systems:
        assert all(f"{value:.1f}" in html for value in system.scores.values())
        assert chapter.estimates[system.name]["sema"].value == pytest.approx(system.scores["sema"])
    assert chapter.report.signature.replace("'", "&#39;") in html
    assert html.count('<td class="best">') >= 2 and html.count("★</sup>") == 2
    assert html.count('class="interval s') == html.count('class="bars s') == 4


def test_words_are_counted_by_what_became_of_them(chapter: Chapter, html: str) -> None:
    good, poor = chapter.profiles.values()
    assert [good.totals[name] for name in ("items", "sentences", "empty", "unchanged")] == [4, 6, 0, 1]
    assert good.words["lost"] == 3, "pomon, kaj and libron"
    assert good.words["form"] == 2, "la in La, mi in Mi"
    assert poor.totals["empty"] == 1 and poor.words["added"] > 0
    assert poor.deleted["dormas"] == poor.deleted["hundo"] == 1 and not poor.deleted["."]
    assert sum(poor.deleted.values()) == poor.words["lost"]
    deletions = next(table for table in chapter.commonest() if "deletions" in table.title)
    assert deletions.header == ["", "good", "<poor>"] and "dormas (1)" in [row[2] for row in deletions.rows]
    assert "<h3>Commonest deletions</h3>" in html and "<td>dormas (1)</td>" in html


def test_wrong_words_are_counted_and_added_ones_are_a_share_of_the_output() -> None:
    """A share of linked source words it was, and wrong words were in no row: 'for two years' had 100 % copied."""
    source, output = ["closed", "for", "two", "days", "."], ["closed", "for", "two", "years", "."]
    links = [[[at, at, "exact"] for at in (0, 1, 2, 4)]]
    profile = Profile()
    profile.add(
        {
            **{"item": 0, "source": source, "sentences": [output], "links": links},
            "findings": [finding("wrong", "days", "years", [3], [3], 0.4)],
        }
    )
    shown = profile.operations()
    assert (shown["words copied"], shown["words wrong"], shown["words lost"]) == ("75%", "25%", "0%")
    profile, links = Profile(), [[[0, 0, "exact"], *([1, at, "synonym"] for at in (1, 2, 3))]]
    said = ["He", "went", "away", "home", "then", "now", "."]
    profile.add({"item": 0, "source": ["He", "left", "."], "sentences": [said], "links": links})
    assert profile.operations()["words added (of the output)"] == "33%"


def test_the_worst_items_are_shown_folded(chapter: Chapter) -> None:
    html = report_html([chapter], shown=2)
    assert re.findall(r'<details class="pick" id="i0-(\d)"( open)?>', html) == [
        (f"{item}", " open" if place == 0 else "") for place, item in enumerate(chapter.worst_first[:2])
    ]
    assert html.count('<td class="text"><span dir="auto">') == len(SOURCES), "texts have a direction of their own"


def test_runs_are_chapters_of_one_page(run: str, tmp_path: Path) -> None:
    other = save(tmp_path / "other", {"good": OUTPUTS["good"]}, ["sema", "ld_source"])
    assert main(["report", run, other, "-o", str(tmp_path / "report.html")]) == 0
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    page = Page(html)
    assert page.open == [] and len(page.ids) == len(set(page.ids)) and html.count('<h1 class="chapter"') == 2
    assert read_chapter(other).comparison is None, "of one system"


def test_what_a_paper_prints_is_on_every_surface(run: str, html: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", run, "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["runs"]
    good = told["systems"][0]["scores"]["sema"]
    assert "We score 2 systems on 4 items from 4 sources (Esperanto, sentence level) with sema " in told["paragraph"]
    assert f"good: sema {good['value']:.2f} [{good['low']:.2f}, {good['high']:.2f}], samsa " in told["paragraph"]
    assert "(1000 samples, seed 12345)." in told["paragraph"] and "(sema, samsa; signature sema " in told["paragraph"]
    assert f'<blockquote class="paste">{escape(told["paragraph"])}</blockquote>' in html
    assert main(["compare", run, "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)
    assert (compared["sources"], compared["paragraph"]) == (4, told["paragraph"])
    letters = told["letters"]["sema"]
    assert compared["letters"] == told["letters"] and letters.keys() == {"good", "<poor>"} and "a" in letters["good"]
    assert html.count('<sup class="letters">') == 4 and f'<sup class="letters">{letters["good"]}</sup>' in html
    assert main(["compare", run, "--format", "latex"]) == 0
    assert rf"\textsuperscript{{{letters['good']}}}" in capsys.readouterr().out


def test_words_by_level_are_a_table(tmp_path: Path) -> None:
    pytest.importorskip("sema_english")
    Scorer("en", ["cefr"]).write(tmp_path / "run", ["The novelist slept."], {"a": ["The writer slept."]})
    html = report_html([read_chapter(str(tmp_path / "run"))])
    assert "<h3>Words by level</h3>" in html and "novelist" in html and Page(html).open == []


def test_figures_of_a_comparison(run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="figures need matplotlib (the extra `report`)")
    for suffix, start in (("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<?xml")):
        figure = tmp_path / f"scores.{suffix}"
        assert main(["compare", run, "--figure", str(figure)]) == 0
        assert figure.read_bytes().startswith(start)
    assert ">good<" in figure.read_text(encoding="utf-8"), "text stays text"
    assert "Scores with 95 %" in capsys.readouterr().out


def test_all_broken_items_are_counted_though_not_all_are_listed(tmp_path: Path) -> None:
    Scorer(esperanto(), ["sema"]).write(tmp_path / "run", [*[""] * 60, SOURCES[0]], {"good": ["La kato."] * 61})
    html = report_html([read_chapter(str(tmp_path / "run"))])
    assert "60 outputs could not be scored" in html and html.count("the source is empty") == 50


def opened(block: str) -> dict[str, str]:
    """A block of evidence as the page's script reads it."""
    shown: dict[str, str] = json.loads(zlib.decompress(base64.b64decode(block)))
    return shown


def test_every_row_opens_its_evidence_the_worst_first(chapter: Chapter, html: str) -> None:
    (block,) = map(opened, re.findall(r'<script type="application/octet-stream">([^<]*)</script>', html))
    order = [str(item) for item in chapter.worst_first]
    assert re.findall(r'<tr class="row" data-item="(\d+)">', html) == list(block) == order
    for item, texts in enumerate(chapter.texts):
        plain = unescape(re.sub(r"<(sup|small)[^>]*>[^<]*</(sup|small)>|<[^>]+>", "", block[str(item)]))
        for text in texts["outputs"].values():
            assert text in plain or not text
        assert plain.count("Source") == len(OUTPUTS)


def test_what_has_no_room_in_the_report_is_left_out_and_said(chapter: Chapter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_module, "BLOCK", 1)
    monkeypatch.setattr(report_module, "PACKED_BYTES", 1)
    monkeypatch.setattr(report_module, "LISTED_BYTES", 700)
    table = report_module.items_table(chapter)
    assert len(table.rows) == 2 and len(report_module.packed_evidence(chapter, table)) == 1
    assert "2 of 4 items are listed" in rendered("items.html", table=table)


def test_problems_stand_beside_the_score(tmp_path: Path) -> None:
    """With them in the cell, the table is filtered by them."""
    chapter = read_chapter(save(tmp_path / "run", OUTPUTS, ["sema", "meaning"]))
    html = report_html([chapter])
    assert "<small>−1</small>" in html and 'name="kind"' in html


ODD = "a\x1b[2Jb <u>c</u> & *d* [e](f) `g` |h| \u202ek $\\frac$"


def test_markup_of_terminals_pages_and_markdown_is_plain_text(tmp_path: Path, capsys) -> None:
    odd = save(tmp_path / ODD.replace("/", "∕"), {ODD: [ODD, *OUTPUTS["good"][1:]], "plain": OUTPUTS["good"]})
    html = report_html([read_chapter(odd)])
    assert "a\\x1b[2Jb" in html and "<u>" not in html
    assert not set(html) & {*map(chr, range(32)), "\u202e"} - {"\n", "\t"}
    assert main(["compare", "--format", "markdown", odd]) == 0
    text = capsys.readouterr().out
    assert "a\\\\x1b\\[2Jb &lt;u&gt;c&lt;/u&gt; &amp; \\*d\\* \\[e\\](f) \\`g\\` \\|h\\|" in text
    assert not re.search(r"<[a-z]|\x1b|\u202e|(?<!\\)\[", text.replace(" [", ""))


@pytest.mark.parametrize(("value", "shown"), [(0.0, "<0.001"), (0.00099, "<0.001"), (0.001, "0.001"), (0.25, "0.250")])
def test_no_p_value_is_zero(value: float, shown: str) -> None:
    assert p_value(value) == shown
    assert p_value(value, "=") == (shown if shown[0] == "<" else f"={shown}")
