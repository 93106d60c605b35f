"""The command line's contract: shapes, exit statuses, and one clear line for whatever is wrong with the input."""

from __future__ import annotations

import csv
import html
import json
import re
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from sema.cli.main import COMMANDS
from sema.scoring.results import short_signature
from tests.conftest import Run

GOOD = "La kato dormas.\nMi vidas domon.\nLi iras.\n"


class Sema:
    """``sema`` with the outside language installed, so that no model has to be loaded; ``run`` runs it."""

    def __init__(self, run: Run, site: Path, folder: Path) -> None:
        self.run, self.site, self.folder = run, site, folder

    def write(self, name: str, content: str | bytes) -> None:
        data = content if isinstance(content, bytes) else content.encode()
        (self.folder / name).write_bytes(data)

    def score(self, *arguments: str) -> CompletedProcess[str]:
        return self.run("score", "--lang", "eo", "-s", "source.txt", "-o", "output.txt", *arguments, site=self.site)

    def __call__(self, *arguments: str, stdin: str | bytes = "") -> CompletedProcess[str]:
        return self.run(*arguments, site=self.site, stdin=stdin)


@pytest.fixture
def sema(command: Run, outside_package: Path, tmp_path: Path) -> Sema:
    runner = Sema(command, outside_package, tmp_path)
    runner.write("source.txt", GOOD)
    runner.write("output.txt", GOOD)
    return runner


@pytest.fixture
def started(sema: Sema, run: Run) -> Sema:
    """The same in a process of its own, as a user starts it."""
    return Sema(run, sema.site, sema.folder)


def one_line(done: CompletedProcess[str], status: int, *parts: str) -> None:
    assert done.returncode == status, done
    assert done.stderr.count("\n") == 1, done.stderr
    for part in parts:
        assert part in done.stderr, done.stderr


def test_help_has_an_example_for_every_command(command: Run) -> None:
    assert "example: sema score" in command("--help").stdout
    for name in COMMANDS:
        done = command(name, "--help")
        assert done.returncode == 0
        assert "example" in done.stdout, name


def test_importing_sema_loads_nothing_heavy(sema: Sema) -> None:
    heavy = "torch stanza transformers onnxruntime networkx numpy"
    code = (
        f"import sys, sema.cli.main as m; m.build_parser(); print([m for m in '{heavy}'.split() if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_table_goes_to_stdout_with_its_signature(sema: Sema, started: Sema) -> None:
    done = started.score("-o", "source.txt", "--save", "saved")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "output.txt" in done.stdout
    long = json.loads((sema.folder / "saved" / "run.json").read_text("utf-8"))["signature"]
    assert long.startswith("lang:eo|level:sentence")
    last = done.stdout.splitlines()[-1]
    assert re.fullmatch(r"3 items \| sema [\w.]+ · eo · [0-9a-f]{6}", last)
    assert last.endswith(f" {short_signature(long)}")
    assert f"3 items | {long}" in sema.score("--signature", "long").stdout
    assert json.loads(sema.score("--json").stdout)["signature"] == long
    assert f"| {short_signature(long)}" in sema("compare", "saved").stdout
    assert f"| {long}" in sema("compare", "saved", "--signature", "long").stdout
    assert sema("report", "saved", "-o", "report.html").returncode == 0
    page = html.unescape((sema.folder / "report.html").read_text("utf-8"))
    assert long in page and short_signature(long) in page


def test_json_and_rows(sema: Sema) -> None:
    sema.write("output.txt", "La kato dormas.\nMi vidas.\n\n")
    done = sema.score("--json", "--per-item", "rows.csv", "--metrics", "sema,samsa")
    result = json.loads(done.stdout)
    assert {"signature", "lang", "level", "items", "systems"} == set(result)
    assert (result["lang"], result["level"], result["items"]) == ("eo", "sentence", 3)
    assert result["systems"] == [
        {"name": "output.txt", "scores": {"sema": pytest.approx(175 / 3), "samsa": pytest.approx(175 / 3)}}
    ]
    with (sema.folder / "rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["sema"] for row in rows] == ["100.0", "75.0", "0.0"]
    assert [row["item"] for row in rows] == ["0", "1", "2"]


def test_parquet_rows(sema: Sema) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    sema.score("--per-item", "rows.parquet")
    assert parquet.read_table(sema.folder / "rows.parquet").column("sema").to_pylist() == [100, 100, 100]


def test_broken_items_lose_nothing_else(started: Sema) -> None:
    started.write("source.txt", "La kato dormas.\n \nLi iras.\n")
    done = started.score("--json", "--per-item", "rows.jsonl")
    one_line(done, 1, "source.txt:2: ", "empty")
    result = json.loads(done.stdout)
    assert [entry["item"] for entry in result["failed"]] == [1]
    assert result["systems"][0]["scores"]["sema"] == 100
    rows = [json.loads(line) for line in (started.folder / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
    assert "source.txt:2" in rows[1]["error"]
    assert rows[0]["scores"]["sema"] == rows[2]["scores"]["sema"] == 100
    assert "1 item" in started.score().stdout


@pytest.mark.parametrize(
    ("name", "content", "parts"),
    [
        ("source.txt", b"La kato dormas.\nMi \xff vidas.\nLi iras.\n", ("source.txt:2: ", "UTF-8")),
        ("output.txt", b"La kato dormas.\nMi \xff vidas.\nLi iras.\n", ("output.txt:2: ", "UTF-8")),
        ("output.txt", b"La kato dormas.\nMi\0vidas.\nLi iras.\n", ("output.txt:2: ", "NUL")),
        ("output.txt", GOOD * 2, ("output.txt: ", "6 items", "source.txt has 3")),
        ("output.txt", b"", ("output.txt: ", "0 items")),
        ("output.txt", GOOD.encode("utf-16"), ("output.txt:1: ", "UTF-16")),
    ],
)
def test_bad_files(sema: Sema, name: str, content: str | bytes, parts: tuple[str, ...]) -> None:
    sema.write(name, content)
    one_line(sema.score(), 1, *parts)


def test_missing_files_folders_and_unwritable_results(sema: Sema) -> None:
    (sema.folder / "folder").mkdir()
    one_line(sema("score", "--lang", "eo", "-s", "source.txt", "-o", "folder"), 1, "folder: is a folder")
    one_line(
        sema("score", "--lang", "eo", "-s", "nothing.txt", "-o", "output.txt"), 1, "nothing.txt: there is no such file"
    )
    one_line(sema.score("--per-item", "nowhere/rows.csv"), 1, "nowhere")
    one_line(sema.score("--per-item", "rows.xls"), 2, "rows.xls", ".parquet")
    one_line(sema.score("--scenes", "folder"), 1, "folder", "no scene files")


def test_unknown_names_offer_the_nearest(sema: Sema) -> None:
    one_line(sema.score("--metrics", "samsaa"), 2, "'samsaa'", "'samsa'")
    one_line(sema("score", "--lang", "eon", "-s", "source.txt", "-o", "output.txt"), 2, "'eon'", "'eo'")
    one_line(sema.score("--extractor", "endigs"), 2, "'endings'")
    one_line(sema.score("--metrics", "sari"), 2, "sari", "reference")


def test_wrong_usage_is_status_2(started: Sema) -> None:
    one_line(started("score", "--lang", "eo"), 2, "--output")
    one_line(started("scor"), 2, "scor")
    one_line(started.score("--workers", "0"), 2, "--workers")


def test_byte_order_marks_and_line_ends_change_nothing(sema: Sema) -> None:
    plain = sema.score("--json").stdout
    sema.write("source.txt", b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    sema.write("output.txt", GOOD.rstrip("\n"))
    assert sema.score("--json").stdout == plain


def test_characters_that_are_no_line_ends(sema: Sema) -> None:
    odd = "La kato\u2028dormas.\nMi\x85vidas\x0bdomon.\nLi iras.\n"
    sema.write("source.txt", odd)
    sema.write("output.txt", odd)
    assert json.loads(sema.score("--json").stdout)["items"] == 3


def test_emoji_and_combining_marks(sema: Sema) -> None:
    odd = "La kato 👩‍👩‍👧 dormas.\nMi manĝas ĉokoladon.\n🎉\n"
    sema.write("source.txt", odd)
    sema.write("output.txt", odd)
    assert sema.score("--json").returncode == 0


def test_tables_as_input(sema: Sema) -> None:
    lines = GOOD.splitlines()
    sema.write("data.jsonl", "".join(json.dumps({"source": line, "sys": [line]}) + "\n" for line in lines))
    sema.write("data.csv", "source,sys\n" + "".join(f'"{line}","{line}"\n' for line in lines))
    sema.write("data.tsv", "source\tsys\n" + "".join(f"{line}\t{line}\n" for line in lines))
    for name in ("data.jsonl", "data.csv", "data.tsv"):
        done = sema("score", "--lang", "eo", "-s", name, "-o", f"{name}:sys", "--json")
        assert json.loads(done.stdout)["systems"][0]["scores"]["sema"] == 100, name
    one_line(sema("score", "--lang", "eo", "-s", "data.csv", "-o", "data.csv"), 1, "data.csv:1", "'sys'")
    sema.write("bad.jsonl", '{"source": "La kato dormas."}\n{"source"\n{"text": 3}\n')
    done = sema("score", "--lang", "eo", "-s", "bad.jsonl", "-o", "output.txt", "--json")
    assert done.returncode == 1
    assert [part in done.stderr for part in ("bad.jsonl:2", "bad.jsonl:3")] == [True, True]
    assert json.loads(done.stdout)["systems"][0]["scores"]["sema"] == 100


def test_scenes_and_align_number_the_same_tokens(sema: Sema) -> None:
    (first, *_), (pair, *_) = (
        [json.loads(line) for line in done.stdout.splitlines()]
        for done in (
            sema("scenes", "--lang", "eo", "source.txt"),
            sema("align", "--lang", "eo", "-s", "source.txt", "-o", "output.txt"),
        )
    )
    assert first["tokens"] == pair["source"] == ["La", "kato", "dormas", "."]
    assert first["sentences"] == [[0, 4]]
    assert first["scenes"] == [{"main_relation": [[2]], "participants": [[[1]]], "leaves": [1, 2]}]
    assert [1, 1, "exact"] in pair["sentences"][0]["links"]


def test_links_that_align_prints_give_the_same_scores(sema: Sema) -> None:
    sema.write("output.txt", "Kato. La dormas.\nMi domon vidas.\nIras li.\n")
    sema.write("links.jsonl", sema("align", "--lang", "eo", "-s", "source.txt", "-o", "output.txt").stdout)
    plain, given = (json.loads(sema.score("--json", *more).stdout) for more in ((), ("--links", "links.jsonl")))
    assert given["systems"] == plain["systems"]
    assert "align:given,sha256=" in given["signature"]
    sema.write("links.pharaoh", "0-2 1-0 2-3 3-4\n0-0 1-2 2-1 3-3\n0-1 1-0\n")
    pharaoh = json.loads(sema.score("--json", "--links", "links.pharaoh").stdout)
    assert pharaoh["systems"] == plain["systems"]


def test_bad_links_are_named_by_file_and_line(sema: Sema) -> None:
    sema.write("links.txt", "0-0\n0-99\n0-0\n")
    one_line(sema.score("--links", "links.txt"), 1, "links.txt:2: token 99 is linked")
    sema.write("links.txt", "0-0\n0:1\n0-0\n")
    one_line(sema.score("--links", "links.txt"), 1, "links.txt:2: '0:1' is no link", "0-0 1-2")
    sema.write("links.txt", '{"source": ["Mi"]}\n\n\n')
    one_line(sema.score("--links", "links.txt"), 1, "links.txt:1: is not as `sema align` prints it")
    sema.write("links.txt", '{"item": 0, "error": "is empty"}\n\n\n')
    one_line(sema.score("--links", "links.txt"), 1, "links.txt:1: has no links (is empty)")
    sema.write("links.txt", "0-0\n")
    one_line(sema.score("--links", "links.txt"), 1, "links.txt: has links for 1 item but source.txt has 3")
    one_line(sema.score("--links", "links.txt", "links.txt"), 2, "--links names 2 files for 1 outputs")


def test_scenes_of_standard_input(started: Sema) -> None:
    done = started("scenes", "--lang", "eo", "-", "--tokenized", stdin="Mi vidas . Li iras\n\n")
    assert done.returncode == 1
    good, bad = [json.loads(line) for line in done.stdout.splitlines()]
    assert good["sentences"] == [[0, 5]]
    assert "stdin:2" in bad["error"] or "-:2" in bad["error"]


def test_align_in_colour(sema: Sema) -> None:
    done = sema("align", "--lang", "eo", "-s", "source.txt", "-o", "output.txt", "--pretty")
    assert done.returncode == 0
    assert "kato" in done.stdout


def test_parse_and_score_from_its_files(sema: Sema) -> None:
    sema.write("source.txt", "La kato dormas. Mi vidas domon.\nLi iras.\nLa\n")
    sema.write("output.txt", "La kato dormas. Mi vidas.\nLi iras.\nLa\n")
    done = sema("parse", "--lang", "eo", "source.txt", "--to", "xml")
    assert done.returncode == 0
    assert sorted(path.name for path in (sema.folder / "xml").iterdir()) == ["00000.xml", "00001.xml", "00002.xml"]
    parsed = json.loads(sema.score("--json").stdout)["systems"]
    read = json.loads(sema.score("--json", "--scenes", "xml").stdout)["systems"]
    assert read == parsed


def test_scene_files_must_fit(sema: Sema) -> None:
    sema("parse", "--lang", "eo", "source.txt", "--to", "xml")
    (sema.folder / "xml" / "00001.xml").write_text('<!DOCTYPE x [<!ENTITY a "b">]><root>&a;</root>')
    done = sema.score("--scenes", "xml", "--json")
    one_line(done, 1, "00001.xml")
    assert json.loads(done.stdout)["systems"][0]["scores"]["sema"] == 100
    (sema.folder / "xml" / "00001.xml").unlink()
    done = sema.score("--scenes", "xml", "--json")
    one_line(done, 1, "source.txt:2: has no scene file")
    assert json.loads(done.stdout)["systems"][0]["scores"]["sema"] == 100


def test_explain(sema: Sema) -> None:
    sema.write("output.txt", "La kato iras.\nMi vidas domon.\nLi iras.\n")
    shown = sema.score("--explain", "0").stdout
    assert "Scene 1 -> output 1" in shown
    assert "dormas (lost)" in shown
    assert "kato = kato (exact)" in shown
    evidence = json.loads(sema.score("--explain", "0", "--json").stdout)["evidence"]
    assert evidence[0]["scenes"][0]["main_relation"][0]["links"] == [None]
    one_line(sema.score("--explain", "3"), 1, "0 to 2")
    pair = ("explain", "--lang", "eo", "-s", "source.txt", "-o", "output.txt", "--item", "2")
    assert json.loads(sema(*pair, "--json").stdout)["item"] == 2
    assert "item 2 of output.txt" in sema(*pair).stdout


def test_facts_of_each_text_are_explained_whatever_the_metrics(sema: Sema) -> None:
    sema.write("en.txt", "The dog chased 300 cats.\n")
    sema.write("short.txt", "The dog did not chase three hundred cats.\n")
    pair = ("explain", "--lang", "en", "-s", "en.txt", "-o", "short.txt", "--item", "0", "--metrics", "fkgl", "--facts")
    facts = json.loads(sema(*pair, "--json").stdout)["facts"]
    for side, words in (("source", "300"), ("output", "three hundred")):
        numbers = [fact for fact in facts[side] if fact["kind"] == "number"]
        assert [(fact["text"], fact["value"]["number"]) for fact in numbers] == [(words, 300.0)]
    assert any(fact["kind"] == "role" for fact in facts["source"])
    assert "output    number    three hundred of" in sema(*pair).stdout
    sema("score", *pair[1:7], "--metrics", "fkgl", "--save", "run")
    one_line(sema("explain", "run", "--item", "0", "--facts"), 2, "--facts reads texts")


def test_a_missing_extra_is_named(run: Run, tmp_path: Path) -> None:
    """In a process of its own: one that has parsed with Stanza already does not miss the package."""
    absent = tmp_path / "site" / "stanza"
    absent.mkdir(parents=True)
    (absent / "__init__.py").write_text('raise ModuleNotFoundError("No module named \'stanza\'", name="stanza")\n')
    (tmp_path / "source.txt").write_text("Le chat dort.\n", encoding="utf-8")
    texts = ("-s", "source.txt", "-o", "source.txt")
    done = run("score", "--lang", "ud:fr", "--metrics", "sema", *texts, site=absent.parent)
    assert done.returncode == 1
    assert done.stderr == "sema: the Python package 'stanza' is missing: pip install stanza\n"
