import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sema import Scorer
from sema.metrics.bleu import bleu_score, statistics
from tests.conftest import ROOT

DOCS = ROOT / "docs"


def of_docs(monkeypatch: pytest.MonkeyPatch, name: str) -> ModuleType:
    """A module that builds the documents."""
    monkeypatch.syspath_prepend(str(DOCS))
    return importlib.import_module(name)


@pytest.mark.stress  # it is slow, and `make docs` checks the same
def test_the_site_builds_without_warnings(tmp_path: Path) -> None:
    for name in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(name)
    options = ["-W", "--keep-going", "-q", "-d", str(tmp_path / "doctrees")]
    # Sphinx keeps its objects: collecting garbage among them takes a sixth of the time.
    program = "import gc, sys; from sphinx.cmd.build import main; gc.set_threshold(100_000, 50, 50); sys.exit(main())"
    command = [sys.executable, "-c", program, *options, str(DOCS), str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shown = (tmp_path / "site" / "metrics.html").read_text(encoding="utf-8")
    for name in ("scenes", "sari", "bleu", "meteor", "bertscore", "hsk", "fkgl", "judge"):
        assert f"{name}.svg" in shown and (tmp_path / "site" / "_images" / f"{name}.svg").exists()
    tables = (tmp_path / "site" / "_generated" / "results" / "qats.html").read_text(encoding="utf-8")
    assert tables.count("../../numbers.html") > tables.count("<table") > 0, "in the contents, and below each table"
    first = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    page = first[first.index('id="furo-main-content"') : first.index("toc-drawer")]
    assert "page.png" in page
    doors = page[page.index('class="doors') :]
    for target in ("tutorial.html#score", "tutorial.html#see-why", "significance.html", "python.html"):
        assert f'href="{target}"' in doors
    assert "toctree-l1" not in page, "doors, and no list of lists"
    assert "Noto Sans CJK SC" in first, "Chinese titles have a font"


def test_a_command_that_fails_ends_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RuntimeError, match=r"sema score --lang en: .*-o"):
        of_docs(monkeypatch, "generate").with_outputs("index", "```sh\nsema score --lang en\n```", ROOT)


def test_the_notebook_is_kept_without_outputs_and_shows_them_on_its_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cells = json.loads((DOCS / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["outputs"] for cell in code] == [[]] * len(code)
    of_docs(monkeypatch, "generate").notebook(DOCS / "notebook.ipynb", tmp_path / "notebook.md")
    page = (tmp_path / "notebook.md").read_text(encoding="utf-8")
    assert page.count("```python\n") == page.count("{raw} html") + page.count("```text\n") == len(code)


def test_the_worked_pictures_show_what_the_metrics_count(monkeypatch: pytest.MonkeyPatch) -> None:
    worked = of_docs(monkeypatch, "worked")
    counts = statistics(tuple(worked.BLEU_OUTPUT.split()), (tuple(worked.BLEU_REFERENCE.split()),))
    assert bleu_score(counts, corpus=False) == pytest.approx(100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25)
    assert all(text in worked.bleu_svg() for text in ("1: 5 of 6", "2: 3 of 5", "3: 2 of 4", "4: 1 of 3"))
    assert worked.similarities().tolist() == [[0.8, 0.0, 0.6], [0.6, 1.0, -0.8]]
    assert "2 of 5" in worked.hsk_svg()


def test_the_pictures_of_texts_are_current(monkeypatch: pytest.MonkeyPatch) -> None:
    generate = of_docs(monkeypatch, "generate")
    drawn = dict(generate.pictures())
    assert drawn.keys() == {path.stem for path in (DOCS / "pictures").glob("*.svg")}
    for name in drawn.keys() - {"judge"}:  # its features are ranked by a network's numbers
        kept = (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
        assert generate.same_picture(name, kept, drawn[name]), f"`make docs` draws {name} again"


def test_the_tables_of_the_page_of_metrics_are_current(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (DOCS / "metrics.md").read_text(encoding="utf-8")
    assert of_docs(monkeypatch, "generate").readability() in page
    source = re.search(r"outputs of the source \*(.+?)\*", page)
    header, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page[: page.index("## Before")].splitlines()
        if line.startswith("| ")
    )
    assert source and len(rows) == 4
    report = Scorer("en", header[2:]).score([source[1]], {name: [output] for name, output, *_ in rows})
    for name, _, *scores in rows:  # scores of networks differ a little between processors
        assert [report[name][metric] for metric in header[2:]] == pytest.approx([*map(float, scores)], abs=1)
