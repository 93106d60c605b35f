"""Exit statuses, tracebacks for those who debug, quiet for those who do not want to be told, and files first."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sema.cli.arguments import Items, Target
from sema.cli.main import COMMANDS, build_parser, main
from sema.cli.messages import loudness
from sema.metrics import registry
from tests.conftest import ROOT

GOOD = "La kato dormas.\nMi vidas domon.\nLi iras.\n"
EO = ["--lang", "eo", "-s", "source.txt", "-o", "output.txt"]
Sema = Callable[..., tuple[int, str, str]]


@pytest.fixture
def sema(
    outside_package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Sema]:
    """Run a command in a folder of its own with the outside language installed; wrong usage is a status as well."""
    monkeypatch.syspath_prepend(str(outside_package))
    monkeypatch.chdir(tmp_path)
    for name in ("source.txt", "output.txt"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")

    def call(*arguments: str) -> tuple[int, str, str]:
        try:
            status = main(list(arguments))
        except SystemExit as stopped:
            status = int(stopped.code or 0)
        return status, *capsys.readouterr()

    yield call
    loudness.quiet = loudness.debug = False


def one_line(done: tuple[int, str, str], status: int, *parts: str) -> None:
    assert done[0] == status, done
    assert done[2].count("\n") == 1, done[2]
    for part in parts:
        assert part in done[2]


# One status for each kind of end


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", *EO, "--metrics", "nosuch"],
        ["score", *EO, "--metrics", ","],
        ["score", *EO, "--set", "foo"],
        ["score", *EO, "--set", "foo=1"],
        ["score", *EO, "--set", "bleu.smoothing=none-such", "--metrics", "bleu"],
        ["score", "--lang", "xx", "-s", "source.txt", "-o", "output.txt"],
        ["score", *EO, "--extractor", "nosuch"],
        ["score", *EO, "--aligner", "nosuch"],
        ["score", *EO, "--runner", "nosuch"],
        ["score", *EO, "--metrics", "sari"],
        ["score", *EO, "--resume"],
        ["score", *EO, "--level", "passage", "--metrics", "samsa"],
        ["score", *EO, "--level", "book"],
        ["score", *EO, "--workers", "0"],
        ["score", *EO, "--explain", "-1"],
        ["explain", *EO, "--item", "-1"],
        ["explain", "--item", "0"],
        ["explain", *EO, "--item", "0", "--system", "nosuch"],
        ["compare", *EO],
        ["compare", "run", "-s", "source.txt"],
        ["scenes", "--lang", "xx", "source.txt"],
        ["rerank", "nbest.jsonl", "--lang", "eo", "--by", "rubbish"],
        ["rerank", "nbest.jsonl", "--lang", "eo", "--by", "a*sema"],
        ["tune", "nbest.jsonl", "--lang", "eo", "--objective", "rubbish", "--to", "weights.json"],
        ["metaeval", "--ratings", "rated.csv", "--by", "rubbish"],
        ["metaeval", "--ratings", "rated.csv", "--by", "rating", "--metrics", "rubbish"],
        ["metaeval", "--ratings", "rated.csv", "--by", "rating", "--where", "rubbish"],
        ["features", "--lang", "eo", "--groups", "rubbish", "--list"],
        ["features", "--lang", "eo"],
        ["metrics", "nosuch"],
        ["languages", "nosuch"],
        ["report", "run"],
        ["score", "--lang", "eo", "-s", "rated.csv:nosuch", "-o", "output.txt"],
        ["score", *EO, "--per-item", "rows.doc"],
        ["agreement", "rated.csv"],
        ["agreement", "rated.csv", "--item", "item", "--rater", "nosuch"],
        ["judge", "--lang", "eo", "-s", "source.txt", "-o", "output.txt", "--to", "folder"],
        ["judge", "--lang", "en", "-s", "source.txt", "-o", "output.txt", "--aspect", "nosuch"],
        ["serve", "--port", "99999"],
        ["serve", "--port", "0"],
        ["nosuch"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_status_2(sema: Sema, tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "rated.csv").write_text("item,rating,bleu\n0,1,2\n1,2,3\n", encoding="utf-8")
    (tmp_path / "nbest.jsonl").write_text('{"source": "Li iras.", "candidates": ["Li iras."]}\n', encoding="utf-8")
    one_line(sema(*arguments), 2)


def test_a_missing_choice_of_column_names_the_flag(sema: Sema, tmp_path: Path) -> None:
    (tmp_path / "rated.csv").write_text("item,rating,bleu\n0,1,2\n1,2,3\n", encoding="utf-8")
    one_line(sema("agreement", "rated.csv"), 2, "--rater COLUMN")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["score", "--lang", "eo", "-s", "nothing.txt", "-o", "output.txt"], "nothing.txt: there is no such file"),
        (["score", *EO, "-r", "short.txt", "--metrics", "bleu"], "short.txt: has 1 item"),
        (["explain", "nothing", "--item", "0"], "nothing"),
        (["explain", *EO, "--item", "9"], "0 to 2"),
        (["score", *EO, "--explain", "9"], "0 to 2"),
    ],
)
def test_bad_input_is_status_1(sema: Sema, tmp_path: Path, arguments: list[str], part: str) -> None:
    (tmp_path / "short.txt").write_text("Li iras.\n", encoding="utf-8")
    one_line(sema(*arguments), 1, part)


def test_a_port_in_use_is_status_1(sema: Sema) -> None:
    pytest.importorskip("uvicorn")
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        one_line(sema("serve", "--port", str(port)), 1, f"port {port} of 127.0.0.1 is in use", "--port")
        one_line(sema("serve", "--host", "no.such.host.invalid", "--port", str(port)), 1, "cannot listen", "--host")


# Errors keep their cause


BROKEN = """
from sema import MeanMetric
class Broken(MeanMetric):
    name = "broken"
    def scores(self, items):
        if any("domon" in item.output.words for item in items):
            raise LookupError("a bug of mine")
        return [1.0 for _ in items]
"""


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_metric.py").write_text(BROKEN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "own_metric", raising=False)
    import own_metric  # type: ignore[import-not-found]

    factory = registry.metric_factory
    monkeypatch.setattr(
        registry, "metric_factory", lambda name: own_metric.Broken if name == "broken" else factory(name)
    )


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("save", [[], ["--save", "run"]])
def test_a_failing_metric_shows_its_traceback_to_those_who_debug(sema: Sema, save: list[str]) -> None:
    one_line(sema("score", *EO, "--metrics", "broken,sema", *save), 1, "source.txt:2: broken cannot score this item")
    save = [part.replace("run", "other") for part in save]
    for arguments in (["--debug", "score"], ["score", "--debug"]):
        status, _, said = sema(*arguments, *EO, "--metrics", "broken,sema", *save)
        save = [part.replace("other", "third") for part in save]
        assert status == 1
        assert "LookupError: a bug of mine" in said
        assert "own_metric.py" in said


def test_errors_that_end_a_command_show_theirs(sema: Sema, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(arguments: object) -> int:
        raise ZeroDivisionError("of mine")

    monkeypatch.setattr(COMMANDS["languages"], "run", fails)
    one_line(sema("languages"), 1, "unexpected ZeroDivisionError: of mine", "--debug")
    status, _, said = sema("--debug", "languages")
    assert status == 1
    assert "in fails" in said
    assert said.splitlines()[-1].startswith("sema: unexpected ZeroDivisionError")


# Files first


WRITERS = {
    "per_item": ["score", *EO, "--per-item", "rows.csv"],
    "save": ["score", *EO, "--save", "new-run"],
    "figure": ["compare", "run", "--samples", "20", "--figure", "scores.svg"],
    "averages": ["agreement", "rated.csv", "--raters", "one,two", "--item", "item", "--averages", "means.csv"],
    "write": ["forms", "likert", "-s", "source.txt", "-o", "output.txt", "--write", "page.html"],
    "output": ["report", "run", "-o", "report.html"],
    "to": ["parse", "--lang", "eo", "source.txt", "--to", "xml"],
    "html": ["scenes", "--lang", "eo", "source.txt", "--html", "scenes.html"],
    "svg": ["align", *EO, "--svg", "links"],
}
"""For every argument that names results a command that writes them."""


def test_every_argument_that_names_results_has_a_case() -> None:
    declared = [argument for command in COMMANDS.values() for argument in command.arguments]
    targets = [argument.names[-1] for argument in declared if argument.options.get("type") in (Target, Items)]
    assert WRITERS.keys() == {name.strip("-").replace("-", "_") for name in targets}


@pytest.mark.skipif(os.name != "posix", reason="needs pipes of POSIX")
@pytest.mark.parametrize(("name", "ending"), [*((name, "closed") for name in WRITERS), ("per_item", "full")])
def test_files_are_finished_whatever_becomes_of_standard_output(
    sema: Sema, tmp_path: Path, outside_package: Path, name: str, ending: str
) -> None:
    (tmp_path / "rated.csv").write_text("item,one,two\n0,1,2\n1,2,3\n2,1,1\n", encoding="utf-8")
    (tmp_path / "second.txt").write_text(GOOD.replace("iras", "venas"), encoding="utf-8")
    assert sema("score", *EO, "-o", "second.txt", "--save", "run")[0] == 0
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    code, _, error = sema(*WRITERS[name])
    assert code == 0, error
    written = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path not in before}
    assert written
    for path in written:
        path.unlink()
    if name == "save":
        (tmp_path / "new-run").rmdir()
    paths = [str(ROOT), str(ROOT / "parsers"), str(ROOT / "lexicons"), str(outside_package)]
    reader, writer = os.pipe()
    if ending == "closed":
        os.close(reader)
    elif Path("/dev/full").exists():
        os.dup2(os.open("/dev/full", os.O_WRONLY), writer)
    else:
        pytest.skip("there is no /dev/full")
    done = subprocess.run(
        [sys.executable, "-m", "sema", *WRITERS[name]],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdout=writer,
        stderr=writer if ending == "closed" else subprocess.PIPE,
        timeout=300,
    )
    os.close(writer)
    for path, content in written.items():
        assert path.exists(), path
        if path.suffix != ".html":  # pages carry the day
            assert path.read_bytes() == content
    if ending == "closed":
        assert done.returncode == 0
    else:
        assert done.returncode == 1
        assert done.stderr == b"sema: the results cannot be written: No space left on device\n"


def test_a_command_without_files_ends_well_when_its_reader_leaves(tmp_path: Path, outside_package: Path) -> None:
    (tmp_path / "source.txt").write_text(GOOD, encoding="utf-8")
    paths = [str(ROOT), str(ROOT / "parsers"), str(ROOT / "lexicons"), str(outside_package)]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "sema", "scenes", "--lang", "eo", "source.txt"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdout=writer,
        stderr=subprocess.PIPE,
        timeout=300,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


# Loudness


def test_every_command_can_be_quiet_and_debugged() -> None:
    parser = build_parser()
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            parser.parse_args([command, "--quiet", "--debug", "--help"])


def test_json_is_the_same_with_and_without_quiet(sema: Sema) -> None:
    loud, quiet = sema("score", *EO, "--json"), sema("score", *EO, "--json", "--quiet")
    assert json.loads(loud[1]) == json.loads(quiet[1])


def test_rerank_says_why_beside_the_texts(sema: Sema, tmp_path: Path) -> None:
    row = json.dumps({"source": "La kato dormas.", "candidates": ["La hundo.", "La kato dormas."]})
    (tmp_path / "nbest.jsonl").write_text(f"{row}\n" * 12, encoding="utf-8")
    status, out, said = sema("rerank", "nbest.jsonl", "--lang", "eo", "--by", "sema")
    assert (status, out) == (0, "La kato dormas.\n" * 12)
    lines = said.splitlines()
    assert lines[0].startswith("sema: item 0: candidate 1 of 2: sema 100.00 (+")
    assert len(lines) == 11 and "--json" in lines[-1]
    assert sema("rerank", "nbest.jsonl", "--lang", "eo", "--by", "sema", "--quiet")[2] == ""


def test_metaeval_prints_a_note_once_and_no_table_of_dashes(sema: Sema, tmp_path: Path) -> None:
    (tmp_path / "rated.csv").write_text("item,rating,a,b\n0,1,2,5\n1,1,3,5\n2,1,4,5\n", encoding="utf-8")
    status, out, said = sema("metaeval", "--ratings", "rated.csv", "--by", "rating", "--metrics", "a,b")
    lines = [line for line in (out + said).splitlines() if line.strip()]
    notes = [line for line in lines if ":" in line and "[" not in line]
    assert status == 0
    assert len(notes) == len(set(notes)), notes
    assert out.count("Spearman") + out.count("Pearson") + out.count("Kendall") == 1, "no number: one table says why"


def test_system_names_cannot_command_a_terminal_from_a_csv_file(sema: Sema, tmp_path: Path) -> None:
    name = "a\x1b[31mred\u202e.txt"
    (tmp_path / name).write_text(GOOD, encoding="utf-8")
    inputs = ["--lang", "eo", "-s", "source.txt", "-o", name]
    for suffix in ("csv", "tsv"):
        assert sema("score", *inputs, "--per-item", f"rows.{suffix}")[0] == 0
        rows = (tmp_path / f"rows.{suffix}").read_text(encoding="utf-8")
        assert "\x1b" not in rows and "\u202e" not in rows and "a\\x1b[31mred\\u202e.txt" in rows


@pytest.mark.parametrize(("value", "shown"), [(100.00000000000004, 100), (-3e-14, 0), (99.9, 99.9), (120.0, 120.0)])
def test_a_score_beyond_its_range_by_rounding_alone_is_the_limit(value: float, shown: float) -> None:
    from sema.metrics.base import in_range

    assert in_range(value, (0.0, 100.0)) == shown


def test_a_text_beyond_the_limit_is_named_with_it(sema: Sema, tmp_path: Path) -> None:
    (tmp_path / "source.txt").write_text("La kato dormas.\n" + "a" * 1_000_001 + "\nLi iras.\n", encoding="utf-8")
    done = sema("score", *EO, "--metrics", "sema")
    one_line(done, 1, "source.txt:2: the source has 1,000,001 characters, and a text may have 1,000,000")


@pytest.mark.parametrize("name", ["rows.xlsx", "rows.XLS", "rows.xlsx:text"])
def test_excel_files_are_refused_with_a_reason(sema: Sema, tmp_path: Path, name: str) -> None:
    (tmp_path / "rows.xlsx").write_bytes(b"PK")
    one_line(sema("score", "--lang", "eo", "-s", name, "-o", "output.txt"), 1, "is an Excel file", ".csv or .tsv")


def test_a_run_is_replaced_when_that_is_asked(sema: Sema, tmp_path: Path) -> None:
    assert sema("score", *EO, "--save", "run")[0] == 0
    (tmp_path / "output.txt").write_text("Li iras.\n" * 3, encoding="utf-8")
    one_line(sema("score", *EO, "--save", "run"), 1, "run: exists already", "--resume", "--overwrite")
    assert sema("score", *EO, "--save", "run", "--overwrite")[0] == 0
    assert "Li iras." in (tmp_path / "run" / "texts.jsonl").read_text(encoding="utf-8").splitlines()[0]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("mine", encoding="utf-8")
    one_line(sema("score", *EO, "--save", "mine", "--overwrite"), 1, "mine: is not the folder of a run")
    assert (tmp_path / "mine" / "letter.txt").exists()
