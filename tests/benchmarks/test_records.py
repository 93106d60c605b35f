import json
from pathlib import Path

import pytest

from benchmarks import records, render
from benchmarks.records import CommandLine, Record, read_records, record

SCORE = Record("page.table", "ours", "F1", 0.8, aim=0.75, peer=0.7, peer_source="Them (2020)", n=10, command="run")
TIME = Record("page.table", "ours", "ms", 12, digits=0, aim=10, lower_is_better=True, n=10, command="run")


def by_name(*entries: Record) -> dict[str, Record]:
    return {entry.name: entry for entry in entries}


def test_a_figure_measured_again_takes_the_place_of_the_earlier_one(tmp_path: Path) -> None:
    CommandLine(None).parse(["--record"])
    try:
        for row, figure in (("ours", 0.71236), ("theirs", 0.5), ("ours", 0.75)):
            record("page.table", row, "F1", figure, n=10, interval=(0.12345, 0.9), folder=tmp_path)
    finally:
        CommandLine(None).parse([])
    record("page.table", "ours", "F1", 0.0, folder=tmp_path)  # not recorded without the flag
    entries = read_records(tmp_path)
    assert [(entry.row, entry.figure) for entry in entries.values()] == [("ours", 0.75), ("theirs", 0.5)]
    entry = entries["page.table > ours > F1"]
    assert (entry.interval, entry.n) == ((0.123, 0.9), 10)
    assert entry.command.startswith("python -m ") and "--record" not in entry.command
    assert entry.commit and entry.date and entry.processor and entry.versions["numpy"]


def test_records_are_lines_that_are_read_back_once_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ("table", "row", "column", "figure", "digits", "aim", "lower_is_better", "n", "command")
    assert json.loads(TIME.line()).keys() == {*given}
    (tmp_path / "page.jsonl").write_text(f"{SCORE.line()}\n{TIME.line()}\n", encoding="utf-8")
    assert read_records(tmp_path) == by_name(SCORE, TIME)
    (tmp_path / "page.jsonl").write_text(f"{SCORE.line()}\n{SCORE.line()}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="twice"):
        read_records(tmp_path)
    with pytest.raises(SystemExit):
        CommandLine(None).parse(["--smoke", "--record"])
    assert "nothing worth recording" in capsys.readouterr().err


def test_a_table_has_aims_beside_figures_and_marks_what_is_missed() -> None:
    text = "before <!-- table page.table: system -->old<!-- end --> behind"
    shown = render.rendered(text, by_name(SCORE, TIME))
    assert "| system | F1 | … aim | … published | ms | … aim |" in shown
    assert "| ours | 0.800 | ≥ 0.750 | 0.700 | 12 | ≤ 10, **missed** |" in shown
    assert "Published: Them (2020)." in shown and "10 items" in shown
    assert shown.startswith("before <!-- table") and shown.endswith("<!-- end --> behind")
    assert render.rendered(shown, by_name(SCORE, TIME)) == shown


def test_a_figure_that_has_no_record_is_named() -> None:
    for mark in ("figures", "compared"):
        text = f"<!-- {mark}\nhow good = page.table > ours > F1\n--><!-- end -->"
        assert "| how good |" in render.rendered(text, by_name(SCORE, TIME))
        with pytest.raises(KeyError, match=r"no record of 'page\.table > ours > F1'"):
            render.rendered(text, by_name(TIME))


def test_figures_of_the_text_above() -> None:
    text = "Of 19 texts each takes 9 ms.\n<!-- figures above\n9 = page.table > ours > ms\n-->\n"
    assert render.rendered(text, by_name(TIME)) == text.replace(" 9", " 12").replace("\n9", "\n12")
    with pytest.raises(KeyError, match="has no figure '9'"):
        render.rendered(text.replace("takes 9", "takes 8"), by_name(TIME))
    # the next rendering would take an earlier number that is equal for the figure
    with pytest.raises(KeyError, match="has '12' before"):
        render.rendered(text.replace("19", "12"), by_name(TIME))


def test_a_comment_beside_text_is_found() -> None:
    beside = ["It takes <!-- comment -->9 ms.", "<!-- comment -->9 ms.", "9 ms <!-- a", "b --> later"]
    assert [render.interrupted(f"before\n{line}\nafter") for line in beside] == [[line] for line in beside]
    assert render.interrupted(f"```text\n{beside[0]}\n```\n<!-- alone -->\n<!-- two\nlines -->\n") == []


def test_the_documents_show_the_recorded_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert render.main(["--check"]) == 0, capsys.readouterr().err


def test_every_record_is_shown_somewhere() -> None:
    shown = {name for path in render.documents() for name in render.named(path.read_text(encoding="utf-8"))}
    kept = read_records(records.FOLDER)
    assert [name for name, entry in kept.items() if not {name, entry.table} & shown] == []
