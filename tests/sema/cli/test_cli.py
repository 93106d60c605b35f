"""The command line's contract: shapes, exit statuses, one clear line for any fault of the input, and explanations."""

import csv
import html
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sema import __version__
from sema.cli.main import every_command
from sema.files.texts import read_rows
from sema.scoring.results import short_signature
from tests.commands import EO, files, one_line, printed, write
from tests.conftest import Run


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet", "xlsx"])
def test_rows_of_results_keep_the_ids_of_the_table(sema: Run, suffix: str) -> None:
    write("source.csv", "sent_id,source\na7,La kato dormas.\na9,Mi vidas domon.\n")
    write("output.txt", "La kato.\nMi vidas.\n")
    inputs = ["--lang", "eo", "-s", "source.csv", "-o", "output.txt"]
    for command in (["score", *inputs, "--metrics", "sema", "--per-item"], ["features", *inputs, "--to"]):
        done = sema(*command, f"rows.{suffix}")
        assert done.returncode == 0, done.stderr
        rows = [row for _, row in read_rows(f"rows.{suffix}")]
        assert [(int(row["item"]), row["id"]) for row in rows] == [(0, "a7"), (1, "a9")]


def test_every_command_has_an_example_and_can_be_quiet_and_debugged(command: Run) -> None:
    assert command("--version").stdout == f"sema {__version__}\n"
    assert "example: sema score" in command("--help").stdout
    for name in every_command():
        done = command(name, "--quiet", "--debug", "--help")
        assert done.returncode == 0
        assert "example" in done.stdout, name


def test_importing_sema_loads_nothing_heavy() -> None:
    heavy = "torch stanza transformers onnxruntime networkx numpy"
    code = f"import sys, sema.cli.main as m; m.build_parser(); print(*sys.modules.keys() & {{*{heavy.split()}}})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def test_a_score_imports_nothing_slow_that_it_does_not_use(sema: Run) -> None:
    slow = "http.client multiprocessing numpy.ma statistics"
    call = f"m.main({['score', *EO, '--metrics', 'sema']})"
    code = f"import sys, sema.cli.main as m; {call}; print('also', *sys.modules.keys() & {{*{slow.split()}}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "also", done.stdout


def test_the_table_goes_to_stdout_with_its_signature(sema: Run) -> None:
    for more in ((), ("--overwrite",)):
        done = sema("score", *EO, "-o", "source.txt", "--save", "saved", *more)
        assert (done.returncode, done.stderr) == (0, "") and "output.txt" in done.stdout
    long = json.loads(Path("saved/run.json").read_text("utf-8"))["signature"]
    short = done.stdout.splitlines()[-1].partition(" | ")[2]
    assert long.startswith("lang:eo|level:sentence") and short == short_signature(long)
    assert re.fullmatch(r"sema [\w.]+ · eo · [0-9a-f]{6}", short)
    assert f"3 items | {long}" in sema("score", *EO, "--signature", "long").stdout
    assert printed(sema("score", *EO, "--json"))["signature"] == long
    assert f"| {short}" in sema("compare", "saved").stdout
    assert sema("report", "saved", "-o", "report.html").returncode == 0
    page = html.unescape(Path("report.html").read_text("utf-8"))
    assert long in page and short in page
    signature = printed(sema("score", *EO, "--metrics", "words", "--json"))["signature"]
    assert "|metrics:words|plugins:sema-eo 0.1|" in signature


def test_json_and_rows(sema: Run) -> None:
    write("output.txt", "La kato dormas.\nMi vidas.\n\n")
    done = sema("score", *EO, "--json", "--per-item", "rows.csv", "--metrics", "sema,samsa")
    result = printed(done)
    assert {"signature", "lang", "level", "items", "systems"} == set(result)
    assert (result["lang"], result["level"], result["items"]) == ("eo", "sentence", 3)
    scores = {"sema": pytest.approx(175 / 3), "samsa": pytest.approx(175 / 3)}
    assert result["systems"] == [{"name": "output.txt", "scores": scores}]
    rows = list(csv.DictReader(Path("rows.csv").read_text(encoding="utf-8").splitlines()))
    assert [(row["item"], row["sema"]) for row in rows] == [("0", "100.0"), ("1", "75.0"), ("2", "0.0")]
    assert "scenes:endings:1" in result["signature"]


def test_broken_items_lose_nothing_else(sema: Run) -> None:
    write("source.txt", "La kato dormas.\n \nLi iras.\n")
    done = sema("score", *EO, "--json", "--per-item", "rows.jsonl")
    one_line(done, 1, "source.txt:2: ", "empty")
    result = printed(done)
    assert [entry["item"] for entry in result["failed"]] == [1]
    assert result["systems"][0]["scores"]["sema"] == 100
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text(encoding="utf-8").splitlines()]
    assert "source.txt:2" in rows[1]["error"]
    assert rows[0]["scores"]["sema"] == rows[2]["scores"]["sema"] == 100
    assert "1 item" in sema("score", *EO).stdout


@pytest.mark.parametrize(
    "odd", ["La kato\u2028dormas.\nMi\x85vidas\x0bdomon.\nLi iras.\n", "La 👩‍👩‍👧.\nĉokoladon.\n🎉\n"]
)
def test_line_ends_alone_end_an_item_and_their_kind_and_byte_order_marks_change_nothing(sema: Run, odd: str) -> None:
    write("source.txt", odd)
    write("output.txt", odd)
    plain = sema("score", *EO, "--json").stdout
    assert json.loads(plain)["items"] == 3
    write("source.txt", b"\xef\xbb\xbf" + odd.replace("\n", "\r\n").encode())
    write("output.txt", odd.removesuffix("\n"))
    assert sema("score", *EO, "--json").stdout == plain


def test_scenes_and_align_number_the_same_tokens(sema: Run) -> None:
    commands = ("scenes", "--lang", "eo", "source.txt"), ("align", *EO)
    first, pair = (json.loads(sema(*command).stdout.splitlines()[0]) for command in commands)
    assert first["tokens"] == pair["source"] == ["La", "kato", "dormas", "."]
    assert first["sentences"] == [[0, 4]]
    assert first["scenes"] == [{"main_relation": [[2]], "participants": [[[1]]], "leaves": [1, 2]}]
    assert [1, 1, "exact"] in pair["sentences"][0]["links"]


def test_links_that_align_prints_give_the_same_scores(sema: Run) -> None:
    write("output.txt", "Kato. La dormas.\nMi domon vidas.\nIras li.\n")
    write("links.jsonl", sema("align", *EO).stdout)
    plain, given = (printed(sema("score", *EO, "--json", *more)) for more in ((), ("--links", "links.jsonl")))
    assert given["systems"] == plain["systems"]
    assert "align:given,sha256=" in given["signature"]
    write("links.pharaoh", "0-2 1-0 2-3 3-4\n0-0 1-2 2-1 3-3\n0-1 1-0\n")
    pharaoh = printed(sema("score", *EO, "--json", "--links", "links.pharaoh"))
    assert pharaoh["systems"] == plain["systems"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "is no JSON object"),  # among pairs a blank line would have no links
        ("0-0", "is no JSON object"),
        ("[]", "is no JSON object"),
        ("7", "is no JSON object"),
        ('{"source": []}', "is not as `sema align` prints it"),
    ],
)
def test_a_wrong_line_of_links_costs_only_what_links_decide(sema: Run, line: str, said: str) -> None:
    lines = sema("align", *EO).stdout.splitlines()
    write("links.jsonl", "\n".join([lines[0], line, lines[2], ""]))
    done = sema("score", *EO, "--metrics", "sema,words,deletions", "--json", "--links", "links.jsonl")
    one_line(done, 1, f"links.jsonl:2: {said}")
    found, plain = printed(done), printed(sema("score", *EO, "--metrics", "words", "--json"))
    assert [(one["item"], one["metric"]) for one in found["failed"]] == [(1, "sema"), (1, "deletions")]
    assert found["systems"][0]["scores"]["words"] == plain["systems"][0]["scores"]["words"]


@pytest.mark.parametrize(
    ("options", "metrics", "unread"),
    [
        ("-r output.txt", "sema", "--reference"),
        ("-r output.txt --no-segment", "bleu", "--no-segment"),
        ("-r output.txt --no-segment --level passage", "bleu", ""),
        ("--aligner rules", "words", "--aligner"),
        ("--aligner rules --extractor endings", "deletions", "--extractor"),
        ("--aligner rules --extractor endings", "sema", ""),
        ("--set match.order=assignment", "deletions", "--set match.order"),
        ("--set match.order=assignment", "sema", ""),
    ],
)
def test_an_option_that_no_score_depends_on_is_named(sema: Run, options: str, metrics: str, unread: str) -> None:
    done = sema("score", *EO, *options.split(), "--metrics", metrics)
    assert done.returncode == 0 and done.stderr.count("changes no score") == bool(unread)
    assert f"sema: warning: {unread} changes no score" in done.stderr or not unread


def test_an_option_that_what_is_shown_depends_on_is_not_named(sema: Run) -> None:
    options = ["--metrics", "words", "--aligner", "rules", "--extractor", "endings"]
    for done in (sema("explain", *EO, *options, "--item", "0"), sema("score", *EO, *options, "--save", "run")):
        assert done.returncode == 0 and "changes no score" not in done.stderr


def test_the_first_blank_output_of_a_file_is_named(sema: Run) -> None:
    write("output.txt", "La kato.\n\n \n")
    done = sema("score", *EO, "--metrics", "words", "--workers", "2")
    assert done.returncode == 0
    (line,) = [line for line in done.stderr.splitlines() if "blank" in line]
    assert line.startswith("sema: warning: output.txt:2: a blank output counts as an empty text")


def test_scenes_of_standard_input(sema: Run) -> None:
    done = sema("scenes", "--lang", "eo", "-", "--tokenized", stdin="Mi vidas . Li\u00a0iras\n\n")
    assert done.returncode == 1
    good, bad = [json.loads(line) for line in done.stdout.splitlines()]
    assert good["sentences"] == [[0, 4]]
    assert "stdin:2" in bad["error"] or "-:2" in bad["error"]


def test_parse_and_score_from_its_files_which_are_not_written_over(sema: Run) -> None:
    write("source.txt", "La kato dormas. Mi vidas domon.\nLi iras.\nLa\n")
    write("output.txt", "La kato dormas. Mi vidas.\nLi iras.\nLa\n")
    parse = ("parse", "--lang", "eo", "source.txt", "--to", "xml")
    assert sema(*parse).returncode == 0
    assert list(files("xml")) == ["00000.xml", "00001.xml", "00002.xml"]
    plain, read = (printed(sema("score", *EO, "--json", *more)) for more in ((), ("--scenes", "xml")))
    assert read["systems"] == plain["systems"]
    write("xml/00001.xml", "corrected")
    one_line(sema(*parse), 1, "xml: has .xml files already", "name another folder")
    assert files("xml")["00001.xml"] == b"corrected"


def test_scene_files_must_fit_and_a_blank_line_leaves_no_gap(sema: Run) -> None:
    parse, score = ("parse", "--lang", "eo", "source.txt", "--to"), ("score", *EO, "--json", "--scenes")
    sema(*parse, "xml")
    write("xml/00001.xml", '<!DOCTYPE x [<!ENTITY a "b">]><root>&a;</root>')
    for said in ("00001.xml", "source.txt:2: has no scene file"):
        done = sema(*score, "xml")
        one_line(done, 1, said)
        assert printed(done)["systems"][0]["scores"]["sema"] == 100
        Path("xml/00001.xml").unlink(missing_ok=True)
    write("source.txt", "La kato dormas.\n\nLi iras.\n")
    assert sema(*parse, "gap").returncode == 1
    done = sema(*score, "gap")
    one_line(done, 1, "source.txt:2: the source is empty")
    assert "scenes:file,sha256=" in printed(done)["signature"] and len(printed(done)["failed"]) == 1


def test_what_both_texts_write_in_other_signs_is_explained_whatever_the_metrics(sema: Run) -> None:
    write("en.txt", "The dog chased 300 cats.\n")
    write("short.txt", "The dog did not chase three hundred cats.\n")
    pair = ("explain", "--lang", "en", "-s", "en.txt", "-o", "short.txt", "--item", "0", "--metrics", "fkgl", "--facts")
    (fact,) = printed(sema(*pair, "--json"))["facts"]
    assert (fact["source"], fact["output"]) == ("300", "three hundred")
    assert (fact["source_tokens"], fact["output_tokens"]) == ([3], [5, 6])
    assert "the same  300 = three hundred" in sema(*pair).stdout


def test_a_missing_extra_is_named(run: Run, tmp_path: Path) -> None:
    """In a process of its own: one that has parsed with Stanza already does not miss the package."""
    (tmp_path / "stanza.py").write_text('raise ModuleNotFoundError("No module named \'stanza\'", name="stanza")\n')
    (tmp_path / "source.txt").write_text("Le chat dort.\n", encoding="utf-8")
    texts = ("-s", "source.txt", "-o", "source.txt")
    done = run("score", "--lang", "ud:fr", "--metrics", "sema", *texts, site=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "sema: the Python package 'stanza' is missing: pip install stanza\n"


# Explanations: by number, by id, the worst of a run, and all under a score

TABLE = """id;original;good;poor
b7;La kato dormas.;La kato dormas.;La kato.
b9;Mi vidas domon.;Mi vidas.;Li iras.
c2;Li legas libron.;Li legas libron.;Li legas.
"""
GIVEN = ["--lang", "eo", "-s", "t.csv", "-o", "t.csv:good,poor", "--metrics", "sema"]


@pytest.fixture
def saved(sema: Run) -> str:
    write("t.csv", TABLE)
    assert sema("score", *GIVEN, "--save", "run").returncode == 0
    return "run"


def titles(shown: str) -> list[str]:
    headings = (line for line in shown.splitlines() if line.startswith(("id ", "item ")))
    return [line.partition(":  ")[0].rpartition(": ")[0] for line in headings]


def test_the_worst_items_come_first_each_once_with_verdict_problems_and_marked_texts(sema: Run, saved: str) -> None:
    done = sema("explain", saved, "--worst", "2")
    assert done.returncode == 0
    assert titles(done.stdout) == ["id b9 of t.csv:poor", "id b7 of t.csv:poor"]
    assert "  source    [-Mi vidas domon-].\n  output 1  {+Li iras+}.\n" in done.stdout
    assert "Scene 1" not in done.stdout
    alone = sema("explain", saved, "--worst", "1", "--system", "t.csv:good")
    assert titles(alone.stdout) == ["id b9 of t.csv:good"]
    assert titles(sema("explain", *GIVEN, "--worst", "1").stdout) == ["id b9 of t.csv:poor"]


def test_a_threshold_lists_every_output_under_it(sema: Run, saved: str) -> None:
    rows = [json.loads(line) for line in sema("explain", saved, "--under", "90", "--json").stdout.splitlines()]
    scores = [row["scores"]["sema"] for row in rows]
    assert scores == sorted(scores) and max(scores) < 90 and len(rows) == 4
    found = {(row["id"], row["system"].removeprefix("t.csv:")) for row in rows}
    assert found == {("b9", "poor"), ("b9", "good"), ("b7", "poor"), ("c2", "poor")}
    assert sema("explain", saved, "--under", "0").stderr == "sema: no output is that bad\n"
    scored = sema("score", *GIVEN, "--under", "90")
    assert "4 outputs worse than 90 by sema" in scored.stdout and "id b9  t.csv:poor" in scored.stdout
    under = printed(sema("score", *GIVEN, "--under", "90", "--json"))["under"]
    assert [row["scores"]["sema"] for row in under] == scores


def test_where_less_is_better_the_worst_scores_are_the_highest(sema: Run) -> None:
    write("t.csv", TABLE)
    given = ["--lang", "en", *GIVEN[2:-1], "ld_source,fkgl", "--by", "fkgl", "--json"]
    rows = [json.loads(line) for line in sema("explain", *given, "--worst", "3").stdout.splitlines()]
    scores = [row["scores"]["fkgl"] for row in rows]
    assert scores == sorted(scores, reverse=True) and len(scores) == 3


def test_items_are_named_by_id_as_well_as_by_number(sema: Run, saved: str) -> None:
    by_id, by_number = (sema("explain", saved, *how).stdout for how in (("--id", "B9"), ("--item", "1")))
    assert by_id == by_number and "id b9 of t.csv:good: sema" in by_id
    assert printed(sema("explain", saved, "--id", "c2", "--json"))["id"] == "c2"
    one_line(sema("explain", saved, "--id", "x"), 1, "run: has no id 'x'")
    write("twice.csv", "id,source,output\n1,Hundo kuras.,Hundo.\n2,Kato dormas.,Kato.\n1.0,Li iras.,Li.\n")
    twice = sema("explain", "--lang", "eo", "-s", "twice.csv", "-o", "twice.csv", "--id", "1")
    one_line(twice, 1, "twice.csv: has the id '1' several times; name one of the items 0, 2 with --item N")


def test_ids_go_with_the_run_into_rows_and_comparison(sema: Run, saved: str) -> None:
    sema("compare", saved, "--samples", "20", "--per-item", "rows.csv")
    assert Path("rows.csv").read_text().startswith("system,item,id,sema,error\nt.csv:good,0,b7,100.0,\n")
    shown = sema("compare", saved, "--samples", "20").stdout
    assert "Items (by their ids)" in shown and "b9 (+" in shown
    sema("report", saved, "-o", "report.html")
    text = Path("report.html").read_text(encoding="utf-8")
    assert "<summary>Id b9</summary>" in text and "Item 1" not in text


@pytest.mark.parametrize("save", [True, False])
def test_a_broken_output_is_reported_and_hides_no_other(sema: Run, save: bool) -> None:
    write("t.csv", TABLE.replace("Li iras.", ""))
    assert sema("score", *GIVEN, "--save", "run").returncode == 1
    given, said = ["run"] if save else GIVEN, "t.csv:3: the output is missing; give a text"
    worst = sema("explain", *given, "--worst", "5")
    one_line(worst, 1, said)
    assert len(titles(worst.stdout)) == 3
    assert sema("explain", *given, "--worst", "5", "--system", "t.csv:good").returncode == 0
    both, alone = (sema("explain", *given, "--item", "1", *more) for more in ((), ("--system", "t.csv:poor")))
    one_line(both, 1, said)
    one_line(alone, 1, said)
    assert "of t.csv:good: sema 75" in both.stdout and alone.stdout == ""
    good = sema("explain", *given, "--item", "1", "--system", "t.csv:good")
    assert (good.returncode, good.stderr) == (0, "") and good.stdout in both.stdout


def test_a_report_in_chinese(sema: Run, saved: str) -> None:
    sema("report", saved, "-o", "zh.html", "--words", "zh")
    page = Path("zh.html").read_text(encoding="utf-8")
    assert '<html lang="zh-Hans">' in page and "<h2>最差的条目</h2>" in page and "<h2>Worst items</h2>" not in page
    assert re.findall(r"<h[1-5]>[A-Za-z ,]+</h[1-5]>", re.sub(r"(?s)<script.*?</script>", "", page)) == []
