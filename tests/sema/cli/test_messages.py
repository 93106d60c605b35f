"""Tracebacks for those who debug, silence for those who ask for it, and files written first."""

import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from sema.cli import messages
from sema.cli.arguments import Items, Picture, Target
from sema.cli.main import COMMANDS, every_command, main
from sema.cli.messages import progress_bar
from sema.metrics import registry
from tests.commands import EO, GOOD, environment, files, one_line, start, write
from tests.conftest import Run


def test_a_port_in_use_is_status_1(sema: Run) -> None:
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
def broken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("own_metric.py", BROKEN)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "own_metric", raising=False)
    import own_metric  # type: ignore[import-not-found]

    factory = registry.metric_factory
    monkeypatch.setattr(
        registry, "metric_factory", lambda name, *of: own_metric.Broken if name == "broken" else factory(name, *of)
    )


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("save", [[], ["--save", "run"]])
def test_a_failing_metric_shows_its_traceback_to_those_who_debug(sema: Run, save: list[str]) -> None:
    one_line(sema("score", *EO, "--metrics", "broken,sema", *save), 1, "source.txt:2: broken cannot score this item")
    save = [part.replace("run", "other") for part in save]
    for arguments in (["--debug", "score"], ["score", "--debug"]):
        done = sema(*arguments, *EO, "--metrics", "broken,sema", *save)
        save = [part.replace("other", "third") for part in save]
        assert done.returncode == 1
        assert "LookupError: a bug of mine" in done.stderr and "own_metric.py" in done.stderr


def test_errors_that_end_a_command_show_theirs(sema: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(arguments: object) -> int:
        raise ZeroDivisionError("of mine")

    monkeypatch.setattr(COMMANDS["languages"], "run", fails)
    one_line(sema("languages"), 1, "unexpected ZeroDivisionError: of mine", "--debug")
    done = sema("--debug", "languages")
    assert done.returncode == 1 and "in fails" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("sema: unexpected ZeroDivisionError")


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
    "plot": ["metaeval", "--ratings", "rated.csv", "--by", "one", "--metrics", "two", "--plot", "points.svg"],
    "svg": ["align", *EO, "--svg", "links"],
}
"""For every argument that names results a command that writes them."""


def test_every_argument_that_names_results_has_a_case() -> None:
    declared = [argument for command in every_command().values() for argument in command.arguments]
    targets = [argument.names[-1] for argument in declared if argument.options.get("type") in (Target, Items, Picture)]
    assert WRITERS.keys() == {name.strip("-").replace("-", "_") for name in targets}


ENDINGS = """
import json, os, sys
from sema.__main__ import main
from sema.cli.main import main as run
*writers, full = json.load(sys.stdin)
os.chdir("whole")
sys.stdout = open(os.devnull, "w")
assert not any(map(run, writers))
os.chdir("../cut")
found = []
for sys.argv[1:] in (*writers, full):
    if child := os.fork():
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        found.append((status, open("../told").read()))
        continue
    sys.stdout = sys.__stdout__
    os.dup2(os.open("../told", os.O_RDWR | os.O_CREAT | os.O_TRUNC), 2)
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(os.open("/dev/full", os.O_WRONLY) if sys.argv[1:] == full else writer, 1)
    if sys.argv[1:] != full:
        os.dup2(writer, 2)
    sys.exit(main())
print(json.dumps(found), file=sys.__stdout__)
"""
"""Commands, once as they are in a folder ``whole``, then in ``cut`` in copies of the process: both streams are a pipe
that nobody reads; for the last command standard output is a full disk."""


@pytest.mark.stress
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_files_are_finished_whatever_becomes_of_standard_output(sema: Run, outside_package: Path) -> None:
    write("rated.csv", "item,one,two\n0,1,2\n1,2,3\n2,1,1\n")
    write("second.txt", GOOD.replace("iras", "venas"))
    assert sema("score", *EO, "-o", "second.txt", "--save", "run").returncode == 0
    before = files()
    for folder in ("whole", "cut"):
        shutil.copytree(".", folder, ignore=shutil.ignore_patterns("whole"))
    given = json.dumps([*WRITERS.values(), [*WRITERS["per_item"][:-1], "full.csv"]])
    command = [sys.executable, "-c", ENDINGS]
    done = subprocess.run(command, input=given, env=environment(outside_package), stdout=subprocess.PIPE, text=True)
    *closed, full = json.loads(done.stdout)
    assert closed == [[0, ""]] * len(WRITERS)
    assert full == [1, "sema: the results cannot be written: No space left on device\n"]
    whole, found = files("whole"), files("cut")
    assert len(whole) > len(before) + len(WRITERS) and found.pop("full.csv") == whole["rows.csv"]
    assert found.keys() == whole.keys()
    for path, content in whole.items():
        if not path.endswith(".html"):  # pages contain the date
            assert found[path] == content, path


@pytest.mark.parametrize(
    ("done", "kept_by", "said"),
    [
        (0, 1, "nothing is done yet"),
        (2, 1, "2 of 600 items are done; they are kept"),
        (300, 256, "256 of 600 items are done; they are kept"),
        (200, 256, "nothing is done yet"),
        (600, 256, "600 of 600 items are done; they are kept"),
    ],
)
def test_what_is_kept_is_said_where_something_is_done(done: int, kept_by: int, said: str) -> None:
    progress = progress_bar("x", stopped="they are kept", kept_by=kept_by)
    with pytest.raises(KeyboardInterrupt, match=f"^{said}$"), progress as show:
        show(done, 600)
        raise KeyboardInterrupt


def test_a_reader_that_leaves_is_no_error(folder: Path, outside_package: Path) -> None:
    process = start("scenes", "--lang", "eo", "source.txt", env=environment(outside_package))
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.wait() == 0
    assert process.stderr.read() == ""


# Loudness


def test_every_command_can_be_quiet_and_debugged(command: Run) -> None:
    for name in every_command():
        assert command(name, "--quiet", "--debug", "--help").returncode == 0


def test_a_quiet_command_leaves_the_next_one_its_notes() -> None:
    assert main(["metrics", "sema", "--quiet", "--debug"]) == 0
    assert (messages.loudness.quiet, messages.loudness.debug) == (False, False)


def test_json_is_the_same_with_and_without_quiet(sema: Run) -> None:
    loud, quiet = sema("score", *EO, "--json"), sema("score", *EO, "--json", "--quiet")
    assert json.loads(loud.stdout) == json.loads(quiet.stdout)


def test_rerank_says_why_beside_the_texts(sema: Run) -> None:
    row = json.dumps({"source": "La kato dormas.", "candidates": ["La hundo.", "La kato dormas."]})
    write("nbest.jsonl", f"{row}\n" * 12)
    done = sema("rerank", "nbest.jsonl", "--lang", "eo", "--by", "sema")
    assert (done.returncode, done.stdout) == (0, "La kato dormas.\n" * 12)
    lines = done.stderr.splitlines()
    assert lines[0].startswith("sema: item 0: candidate 1 of 2: sema 100.00 (+")
    assert len(lines) == 11 and "--json" in lines[-1]
    assert sema("rerank", "nbest.jsonl", "--lang", "eo", "--by", "sema", "--quiet").stderr == ""


def test_metaeval_prints_a_note_once_and_no_table_of_dashes(sema: Run) -> None:
    write("rated.csv", "item,rating,a,b\n0,1,2,5\n1,1,3,5\n2,1,4,5\n")
    done = sema("metaeval", "--ratings", "rated.csv", "--by", "rating", "--metrics", "a,b")
    out = done.stdout
    lines = [line for line in (out + done.stderr).splitlines() if line.strip()]
    notes = [line for line in lines if ":" in line and "[" not in line]
    assert done.returncode == 0
    assert len(notes) == len(set(notes)), notes
    assert out.count("Spearman") + out.count("Pearson") + out.count("Kendall") == 1, "no number: one table says why"


def test_system_names_cannot_command_a_terminal_from_a_csv_file(sema: Run) -> None:
    name = "a\x1b[31mred\u202e.txt"
    write(name, GOOD)
    inputs = ["--lang", "eo", "-s", "source.txt", "-o", name]
    for suffix in ("csv", "tsv"):
        assert sema("score", *inputs, "--per-item", f"rows.{suffix}").returncode == 0
        rows = Path(f"rows.{suffix}").read_text(encoding="utf-8")
        assert "\x1b" not in rows and "\u202e" not in rows and "a\\x1b[31mred\\u202e.txt" in rows


@pytest.mark.parametrize(("value", "shown"), [(100.00000000000004, 100), (-3e-14, 0), (99.9, 99.9), (120.0, 120.0)])
def test_a_score_beyond_its_range_by_rounding_alone_is_the_limit(value: float, shown: float) -> None:
    from sema.metrics.base import in_range

    assert in_range(value, (0.0, 100.0)) == shown


def test_a_run_is_replaced_when_that_is_asked(sema: Run) -> None:
    assert sema("score", *EO, "--save", "run").returncode == 0
    write("output.txt", "Li iras.\n" * 3)
    one_line(sema("score", *EO, "--save", "run"), 1, "run: exists already", "--resume", "--overwrite")
    assert sema("score", *EO, "--save", "run", "--overwrite").returncode == 0
    assert "Li iras." in Path("run/00000.jsonl").read_text(encoding="utf-8").splitlines()[1]
    Path("mine").mkdir()
    write("mine/letter.txt", "mine")
    one_line(sema("score", *EO, "--save", "mine", "--overwrite"), 1, "mine: is not the folder of a run")
    assert Path("mine/letter.txt").exists()
