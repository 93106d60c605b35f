"""Careless and hostile use: nothing is lost, no text controls the terminal, one line says what to do."""

import json
import re
import signal
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

from sema import Item, MeanMetric
from sema.cli import messages, texts
from sema.cli.arguments import Items, Picture, Target
from sema.cli.commands import Command
from sema.cli.main import every_command
from sema.display import terminal
from sema.metrics.registry import metric_factory
from sema.scoring.scorer import Scorer
from tests.commands import EO, GOOD, files, one_line, printed, write
from tests.conftest import Run


def never(*_: object, **__: object) -> None:
    raise AssertionError("scored first")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step of progress is printed."""
    for seconds in ("FIRST_SECONDS", "PROGRESS_SECONDS"):
        monkeypatch.setattr(messages, seconds, 0)


# Missing outputs are not empty outputs


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("output.csv", "output,y\nLa kato dormas.,1\n,2\n", 3),
        ("output.jsonl", '{"output": "La kato dormas."}\n{"output": null}\n', 2),
    ],
)
def test_a_missing_output_is_left_out_counted_and_reported(sema: Run, name: str, content: str, line: int) -> None:
    write("source.txt", "La kato dormas.\nLa hundo manĝas.\n")
    write(name, content)
    done = sema("score", "--lang", "eo", "-s", "source.txt", "-o", name, "--metrics", "sema", "--json")
    one_line(done, 1, f"{name}:{line}: the output is missing; give a text")
    assert printed(done)["systems"][0]["scores"] == {"sema": 100.0}
    assert [failure["item"] for failure in printed(done)["failed"]] == [1]


# Outputs never cost inputs


@pytest.mark.parametrize(
    "arguments",
    [
        ["features", *EO, "--to", "source.txt"],
        ["scenes", "--lang", "eo", "source.txt", "--html", "source.txt"],
        ["scenes", "--lang", "eo", "source.txt", "--svg", "./source.txt"],
        ["align", *EO, "--html", "output.txt"],
        ["compare", *EO, "--per-item", "source.txt"],
        ["compare", *EO, "--figure", "output.txt"],
        ["agreement", "source.txt", "--averages", "source.txt"],
        ["forms", "likert", "-s", "source.txt", "-o", "output.txt", "--write", "output.txt"],
        ["tune", "source.txt", "--lang", "eo", "--objective", "sema", "--to", "source.txt"],
        ["report", "run", "-o", "run/00000.jsonl"],
        ["score", *EO, "--save", "output.txt"],
        ["score", *EO, "--scenes", "xml", "--per-item", "xml/00001.xml"],
        ["score", *EO, "table.csv:output", "--per-item", "table.csv"],
        ["score", *EO, "-r", "table.csv:output", "--per-item", "./link.csv"],
    ],
)
def test_no_command_writes_over_what_it_reads(sema: Run, arguments: list[str]) -> None:
    write("table.csv", "source,output\n" + "".join(f"{line},{line}\n" for line in GOOD.splitlines()))
    Path("link.csv").symlink_to("table.csv")
    assert sema("score", *EO, "--save", "run").returncode == 0
    assert sema("parse", "--lang", "eo", "source.txt", "--to", "xml").returncode == 0
    before = files()
    one_line(sema(*arguments), 1, "is one of the input files; name another file for the results")
    assert files() == before


WRITING = re.compile(r"^(write|draw|keep everything|where|folder for the files|the page)\b")


@pytest.mark.parametrize("command", every_command().values(), ids=lambda command: command.name)
def test_every_argument_that_names_results_is_declared(command: Command) -> None:
    """So that the guard above sees it; an argument without a value has no metavar."""
    for argument in command.arguments:
        named = WRITING.match(argument.options["help"]) and argument.options.get("metavar") not in (None, "NAME")
        assert bool(named) == (argument.options.get("type") in (Target, Items, Picture)), argument.names


def test_a_list_of_metrics_may_be_longer_than_a_file_name(sema: Run) -> None:
    metrics = ",".join(["mean:ld_source,splits"] * 15)
    done = sema("score", *EO, "--metrics", metrics, "--per-item", "rows.jsonl")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("call", ["os.fsync", "sema.files.replacing.Path.replace"])
def test_a_failed_write_of_rows_loses_neither_the_table_nor_the_old_file(
    sema: Run, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    write("rows.csv", "old")
    monkeypatch.setattr(call, refuse)
    done = sema("score", *EO, "--per-item", "rows.csv")
    one_line(done, 1, "rows.csv: cannot be written: No space left on device")
    assert "· eo ·" in done.stdout
    assert Path("rows.csv").read_text(encoding="utf-8") == "old" and not list(Path().glob(".*"))


def test_cells_that_are_formulas_are_made_harmless_unless_asked_otherwise(sema: Run) -> None:
    write("=1+1.txt", GOOD)
    for more, start in ((), "'=1+1.txt,0,"), (("--raw-cells",), "=1+1.txt,0,"):
        sema("score", "--lang", "eo", "-s", "source.txt", "-o", "=1+1.txt", "--per-item", "rows.csv", *more)
        assert Path("rows.csv").read_text(encoding="utf-8").splitlines()[1].startswith(start)


@pytest.mark.parametrize("name", ["x" * 300 + ".jsonl", "/proc/nothing.jsonl"])
def test_a_file_that_cannot_be_written_is_refused_before_scoring(
    sema: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(Scorer, "score", never)
    one_line(sema("score", *EO, "--per-item", name), 1, "cannot be written: ")


def test_nothing_is_left_of_the_check(sema: Run) -> None:
    before = files()
    assert sema("score", *EO, "--per-item", "rows.jsonl").returncode == 0
    assert files().keys() - before.keys() == {"rows.jsonl"}


# Long runs


def test_an_item_to_explain_is_looked_for_before_scoring(sema: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scorer, "score", never)
    one_line(sema("score", *EO, "--explain", "9"), 1, "0 to 2")
    one_line(sema("explain", *EO, "--item", "9"), 1, "0 to 2")


@pytest.mark.parametrize("save", [True, False])
def test_ctrl_c_says_what_is_done_and_how_to_go_on(sema: Run, monkeypatch: pytest.MonkeyPatch, save: bool) -> None:
    calls = count()

    def stopped(self: MeanMetric, items: Sequence[Item]) -> list[float]:
        if next(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return [1.0] * len(items)

    monkeypatch.setitem(sys.modules["sema.scoring.scorer"].CHUNK, "sentence", 2)
    monkeypatch.setattr(metric_factory("words"), "scores", stopped)
    write("source.txt", "La kato dormas.\n" * 2000)
    arguments = ["--lang", "eo", "-s", "source.txt", "-o", "source.txt", "--metrics", "words"]
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        done = sema("score", *arguments, *(["--save", "run"] if save else []))
    finally:
        signal.signal(signal.SIGINT, heard)
    kept = "they are kept in run: go on with the same command and --resume"
    lost = "nothing is kept: with --save RUN it would be, and --resume would go on"
    one_line(done, 130, f"sema: stopped: 6 of 2000 items are done; {kept if save else lost}")


@pytest.mark.usefixtures("at_once")
def test_a_log_gets_a_line_now_and_then(sema: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "STRETCH", 1)
    monkeypatch.setitem(sys.modules["sema.scoring.scorer"].CHUNK, "sentence", 2)
    assert re.fullmatch(r"sema: scoring: 2 of 3, [\d.]+/s, about \d+ s left\n", sema("score", *EO).stderr)
    lines = sema("scenes", "--lang", "eo", "source.txt").stderr.splitlines()
    assert [line.partition(",")[0] for line in lines] == ["sema: scenes: 1 of 3", "sema: scenes: 2 of 3"]
    assert sema("parse", "--lang", "eo", "source.txt", "--to", "xml").stderr.count("sema: parsing: ") == 2
    assert sema("align", *EO).stderr.count("sema: aligning: ") == 2


@pytest.mark.usefixtures("at_once")
def test_training_a_judge_says_how_far_it_is(sema: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setattr("sema.judges.examples.CHUNK", 10)
    rows = [
        f"La {color} kato dormas.,{output}" for color in "abcdefghijkl" for output in ("La kato.,good", "Domo.,bad")
    ]
    write("ratings.csv", "\n".join(["source,output,meaning", *rows]) + "\n")
    options = ["--lang", "eo", "--aspect", "meaning", "--groups", "lengths", "--to", "judge"]
    done = sema("judge", "train", "ratings.csv", *options)
    assert done.returncode == 0
    err = done.stderr
    assert "sema: reading features: 10 of 24, " in err and "sema: reading features: 20 of 24, " in err
    assert "sema: comparing estimators: 1 of 17, " in err and "sema: comparing estimators: 16 of 17" in err


def test_scenes_are_printed_as_they_come(sema: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from sema.analysis.text_analyser import TextAnalyser

    events: list[str] = []
    monkeypatch.setattr(texts, "STRETCH", 2)
    monkeypatch.setattr("sema.cli.texts.to_json", lambda row: events.append(f"printed {row['item']}") or "")
    plain = TextAnalyser.analyse
    monkeypatch.setattr(TextAnalyser, "analyse", lambda *given: events.append("analysed") or plain(*given))
    sema("scenes", "--lang", "eo", "source.txt")
    assert events == ["analysed", "printed 0", "printed 1", "analysed", "printed 2"]


# Foreign text never controls the terminal

ESCAPE = "\x1b]0;title\x07\x9b31m\u202e"


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", *EO, "--explain", "0"],
        ["score", *EO, "--explain", "0", "--json"],
        ["explain", *EO, "--item", "0"],
        ["align", *EO],
        ["align", *EO, "--pretty"],
        ["compare", *EO, f"{ESCAPE}.txt", "--samples", "20", "--full"],
        ["scenes", "--lang", "eo", "source.txt"],
        ["score", "--lang", "eo", "-s", "source.txt", "-o", f"{ESCAPE}.txt"],
        ["score", "--lang", "eo", "-s", "source.txt", "-o", f"no{ESCAPE}.txt"],
        ["score", *EO, "--metrics", ESCAPE],
        ["score", "--lang", ESCAPE, "-s", "source.txt", "-o", "output.txt"],
        [f"no{ESCAPE}"],
    ],
)
def test_control_characters_are_shown_and_not_obeyed(sema: Run, arguments: list[str]) -> None:
    for name in ("source.txt", "output.txt", f"{ESCAPE}.txt"):
        write(name, f"La{ESCAPE} kato dormas.\n")
    done = sema(*arguments)
    shown = done.stdout + done.stderr
    assert not set(shown) & set("\x1b\x07\x9b\u202e")
    assert "x1b" in shown or "u001b" in shown


# Tables


def test_a_table_on_a_narrow_terminal_is_divided_and_no_number_cut(sema: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "width_of_terminal", lambda: 40)
    names = ["sema", "samsa", "sema_part", "sema_base", "samsa_abl", "words"]
    out = sema("score", *EO, "--metrics", ",".join(names)).stdout
    table = out[: out.index("3 items")]
    assert max(map(len, table.splitlines())) <= 40
    assert table.count("output.txt") == 3
    assert [word for word in table.split() if word in names] == names
    assert table.count("100.00") == 5 and "…" not in table


# Scenes corrected by hand


def test_corrected_scene_files_are_not_written_over(sema: Run) -> None:
    assert sema("parse", "--lang", "eo", "source.txt", "--to", "xml").returncode == 0
    write("xml/00001.xml", "corrected")
    done = sema("parse", "--lang", "eo", "source.txt", "--to", "xml")
    one_line(done, 1, "xml: has .xml files already", "--force")
    assert Path("xml/00001.xml").read_text(encoding="utf-8") == "corrected"
    assert sema("parse", "--lang", "eo", "source.txt", "--to", "xml", "--force").returncode == 0
    assert "corrected" not in Path("xml/00001.xml").read_text(encoding="utf-8")


def test_a_blank_line_leaves_no_gap(sema: Run) -> None:
    write("source.txt", "La kato dormas.\n\nLi iras.\n")
    assert sema("parse", "--lang", "eo", "source.txt", "--to", "xml").returncode == 1
    done = sema("score", *EO, "--scenes", "xml", "--signature", "long")
    one_line(done, 1, "source.txt:2: the source is empty")
    assert "scenes:file,sha256=" in done.stdout and "1 item" in done.stdout


# Ratings


def test_ratings_and_scores_join_by_the_columns_they_share(sema: Run) -> None:
    numbers = range(8)
    ratings = [f"s,{item},{item}\n" for item in numbers]
    write("ratings.csv", "system,item,meaning\n" + "".join(ratings))
    scores = [f"s,{item},{2 * item},\n" for item in reversed(numbers)]
    write("scores.csv", "system,item,sema,error\n" + "".join(scores))
    arguments = ["metaeval", "--ratings", "ratings.csv", "--by", "meaning", "--scores", "scores.csv", "--json"]
    (result,) = json.loads(sema(*arguments).stdout)
    (metric,) = next(split for split in result["splits"] if split["name"] == "all")["metrics"]
    assert metric["metric"] == "sema"
    assert metric["pearson"]["value"] == pytest.approx(1)


# Comparisons


@pytest.mark.usefixtures("at_once")
def test_many_systems_are_summed_up_and_shown_in_full_on_demand(sema: Run) -> None:
    names = [f"{letter}.txt" for letter in "abcdef"]
    for number, name in enumerate(names):
        lines = ["Mi vidas domon."] * number + ["La kato dormas."] * (20 - number)
        write(name, "\n".join(lines) + "\n")
    write("many.txt", "La kato dormas.\n" * 20)
    arguments = ["compare", "--lang", "eo", "-s", "many.txt", "-o", *names, "--metrics", "sema", "--samples", "20"]
    done = sema(*arguments, "--per-item", "rows.csv")
    short = done.stdout
    assert "a.txt - b.txt" not in short and "all 15 differences, with their items: --full" in short
    assert "of 15" in short and short.count("\n") < 20
    assert "sema: resampling: 20 of 21, " in done.stderr
    full = sema(*arguments, "--full").stdout
    assert full.count(" - ") >= 15 and "Items (numbered from 0)" in full
    assert len(Path("rows.csv").read_text(encoding="utf-8").splitlines()) == 1 + 6 * 20
