"""Careless and hostile use: nothing is lost, no text commands the terminal, one line says what to do."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sema.cli import messages, texts
from sema.cli.arguments import Items, Target
from sema.cli.commands import Command
from sema.cli.main import COMMANDS, main
from sema.display import terminal
from sema.scoring.scorer import Scorer
from tests.conftest import ROOT

GOOD = "La kato dormas.\nMi vidas domon.\nLi iras.\n"
EO = ["--lang", "eo", "-s", "source.txt", "-o", "output.txt"]
Sema = Callable[..., tuple[int, str, str]]


@pytest.fixture
def sema(
    outside_package: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Sema:
    """Run a command here, in a folder of its own with the outside language installed."""
    monkeypatch.syspath_prepend(str(outside_package))
    monkeypatch.chdir(tmp_path)
    for name in ("source.txt", "output.txt"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")

    def call(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        return status, *capsys.readouterr()

    return call


def one_line(done: tuple[int, str, str], status: int, *parts: str) -> None:
    assert done[0] == status, done
    assert done[2].count("\n") == 1, done[2]
    for part in parts:
        assert part in done[2]


# Outputs never cost inputs


@pytest.mark.parametrize("name", ["source.csv", "./source.csv", "link.csv", "reference.csv"])
def test_rows_are_never_written_over_an_input(sema: Sema, tmp_path: Path, name: str) -> None:
    table = "source,output\n" + "".join(f"{line},{line}\n" for line in GOOD.splitlines())
    (tmp_path / "source.csv").write_text(table, encoding="utf-8")
    (tmp_path / "reference.csv").write_text(table.replace("source", "reference"), encoding="utf-8")
    (tmp_path / "link.csv").symlink_to("source.csv")
    inputs = ["-s", "source.csv", "-o", "source.csv:output", "-r", "reference.csv"]
    done = sema("score", "--lang", "eo", *inputs, "--per-item", name)
    one_line(done, 1, name.removeprefix("./"), "is one of the input files")
    assert (tmp_path / "source.csv").read_text(encoding="utf-8") == table


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
        ["report", "run", "-o", "run/items.jsonl"],
        ["score", *EO, "--save", "output.txt"],
        ["score", *EO, "--scenes", "xml", "--per-item", "xml/00001.xml"],
    ],
)
def test_no_command_writes_over_what_it_reads(sema: Sema, tmp_path: Path, arguments: list[str]) -> None:
    assert sema("score", *EO, "--save", "run")[0] == 0
    assert sema("parse", "--lang", "eo", "source.txt", "--to", "xml")[0] == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    try:
        one_line(sema(*arguments), 1, "is one of the input files; name another file for the results")
    except SystemExit as stopped:  # wrong usage would show nothing of what is asked here
        raise AssertionError(arguments) from stopped
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before


WRITING = re.compile(r"^(write|draw|keep everything|where|folder for the files|the page)\b")


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda command: command.name)
def test_every_argument_that_names_results_is_declared(command: Command) -> None:
    """So that the guard above sees it; an argument without a value has no metavar."""
    for argument in command.arguments:
        named = WRITING.match(argument.options["help"]) and argument.options.get("metavar") not in (None, "NAME")
        assert bool(named) == (argument.options.get("type") in (Target, Items)), argument.names


def test_a_list_of_metrics_may_be_longer_than_a_file_name(sema: Sema) -> None:
    metrics = ",".join(["mean:ld_source,splits"] * 15)
    status, _, said = sema("score", *EO, "--metrics", metrics, "--per-item", "rows.jsonl")
    assert "cannot be written" not in said
    assert status == 0, said


def test_a_failed_write_of_rows_loses_no_table(sema: Sema, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rows.csv").write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", lambda number: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    done = sema("score", *EO, "--per-item", "rows.csv")
    one_line(done, 1, "rows.csv: cannot be written: No space left on device")
    assert "· eo ·" in done[1]
    assert (tmp_path / "rows.csv").read_text(encoding="utf-8") == "old"


def test_cells_that_are_formulas_are_made_harmless_unless_asked_otherwise(sema: Sema, tmp_path: Path) -> None:
    (tmp_path / "=1+1.txt").write_text(GOOD, encoding="utf-8")
    inputs = ["--lang", "eo", "-s", "source.txt", "-o", "=1+1.txt"]
    sema("score", *inputs, "--per-item", "rows.csv")
    assert (tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()[1].startswith("'=1+1.txt,0,")
    sema("score", *inputs, "--per-item", "rows.csv", "--raw-cells")
    assert (tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()[1].startswith("=1+1.txt,0,")


# Long runs


def test_an_item_to_explain_is_looked_for_before_scoring(sema: Sema, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("scored first")

    monkeypatch.setattr(Scorer, "score", never)
    one_line(sema("score", *EO, "--explain", "9"), 1, "0 to 2")
    one_line(sema("explain", *EO, "--item", "9"), 1, "0 to 2")


SLOW = """
import sys, time
import sema_eo
from sema.cli.main import main
import sema.scoring.scorer as scorer
scorer.CHUNK["sentence"] = 2
plain = sema_eo.WordCount.scores
def slow(self, items):
    time.sleep(0.3)
    open("at-work", "a").write("x")
    return plain(self, items)
sema_eo.WordCount.scores = slow
sys.exit(main())
"""


def hear_ctrl_c() -> None:
    """What a shell runs in the background is deaf to Ctrl-C, and so is all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("save", [True, False])
def test_ctrl_c_says_what_is_done_and_how_to_go_on(
    outside_package: Path, tmp_path: Path, how: signal.Signals, save: bool
) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "source.txt").write_text("La kato dormas.\n" * 2000, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(outside_package)])}
    arguments = ["--lang", "eo", "-s", "source.txt", "-o", "source.txt", "--metrics", "words"]
    process = subprocess.Popen(
        [sys.executable, "slow.py", "score", *arguments, *(["--save", "run"] if save else [])],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_ctrl_c,
    )
    at_work = tmp_path / "at-work"
    while not at_work.exists() or at_work.stat().st_size < 3:
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)
    stopped = time.monotonic()
    process.send_signal(how)
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - stopped < 2
    assert process.returncode == 130
    assert err.count("\n") == 1 and " of 2000 items are done; " in err
    if save:
        assert "they are kept in run: go on with the same command and --resume" in err
    else:
        assert "nothing is kept: with --save RUN it would be, and --resume would go on" in err


def test_a_log_gets_a_line_now_and_then(sema: Sema, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "PROGRESS_SECONDS", 0)
    monkeypatch.setattr(texts, "STRETCH", 1)
    monkeypatch.setitem(sys.modules["sema.scoring.scorer"].CHUNK, "sentence", 2)
    assert re.fullmatch(r"sema: scoring: 2 of 3, about \d+ s left\n", sema("score", *EO)[2])
    lines = sema("scenes", "--lang", "eo", "source.txt")[2].splitlines()
    assert [line.partition(",")[0] for line in lines] == ["sema: scenes: 1 of 3", "sema: scenes: 2 of 3"]
    assert sema("parse", "--lang", "eo", "source.txt", "--to", "xml")[2].count("sema: parsing: ") == 2
    assert sema("align", *EO)[2].count("sema: aligning: ") == 2


def test_training_a_judge_says_how_far_it_is(sema: Sema, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setattr(messages, "PROGRESS_SECONDS", 0)
    monkeypatch.setattr("sema.judges.examples.CHUNK", 10)
    rows = [
        f"La {color} kato dormas.,{output}" for color in "abcdefghijkl" for output in ("La kato.,good", "Domo.,bad")
    ]
    (tmp_path / "ratings.csv").write_text("\n".join(["source,output,meaning", *rows]) + "\n", encoding="utf-8")
    options = ["--lang", "eo", "--aspect", "meaning", "--groups", "lengths", "--to", "judge"]
    status, _, err = sema("judge", "train", "ratings.csv", *options)
    assert status == 0
    assert "sema: reading features: 10 of 24, about " in err and "sema: reading features: 20 of 24, about " in err
    assert "sema: comparing estimators: 1 of 17, about " in err and "sema: comparing estimators: 16 of 17" in err


def test_scenes_are_printed_as_they_come(sema: Sema, monkeypatch: pytest.MonkeyPatch) -> None:
    from sema.analysis.analyser import Analyser

    events: list[str] = []
    monkeypatch.setattr(texts, "STRETCH", 2)
    monkeypatch.setattr("sema.cli.texts.to_json", lambda row: events.append(f"printed {row['item']}") or "")
    plain = Analyser.analyse
    monkeypatch.setattr(Analyser, "analyse", lambda *given: events.append("analysed") or plain(*given))
    sema("scenes", "--lang", "eo", "source.txt")
    assert events == ["analysed", "printed 0", "printed 1", "analysed", "printed 2"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_one_line(outside_package: Path, sema: Sema, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(outside_package)])}
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sema", "score", *EO], cwd=tmp_path, env=environment, stdout=full, stderr=-1
        )
    one_line((done.returncode, "", done.stderr.decode()), 1, "cannot be written: No space left on device")


# Text of others never commands the terminal

ESCAPE = "\x1b]0;title\x07\x9b31m\u202e"


def harmless(text: str) -> bool:
    return not any(char in text for char in "\x1b\x07\x9b\u202e")


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
    ],
)
def test_control_characters_are_shown_and_not_obeyed(sema: Sema, tmp_path: Path, arguments: list[str]) -> None:
    for name in ("source.txt", "output.txt", f"{ESCAPE}.txt"):
        (tmp_path / name).write_text(f"La{ESCAPE} kato dormas.\n", encoding="utf-8")
    _, out, err = sema(*arguments)
    assert harmless(out + err)
    assert "x1b" in out + err or "u001b" in out + err


def test_wrong_usage_shows_them_too(sema: Sema, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([f"no{ESCAPE}"])
    assert harmless(capsys.readouterr().err)


# Tables


def test_a_table_on_a_narrow_terminal_is_divided_and_no_number_cut(sema: Sema, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "width_of_terminal", lambda: 40)
    names = ["sema", "samsa", "sema_part", "sema_base", "samsa_abl", "words"]
    _, out, _ = sema("score", *EO, "--metrics", ",".join(names))
    table = out[: out.index("3 items")]
    assert max(map(len, table.splitlines())) <= 40
    assert table.count("output.txt") == 3
    assert [word for word in table.split() if word in names] == names
    assert table.count("100.00") == 5 and "…" not in table


# Scenes corrected by hand


def test_corrected_scene_files_are_not_written_over(sema: Sema, tmp_path: Path) -> None:
    assert sema("parse", "--lang", "eo", "source.txt", "--to", "xml")[0] == 0
    (tmp_path / "xml" / "00001.xml").write_text("corrected", encoding="utf-8")
    done = sema("parse", "--lang", "eo", "source.txt", "--to", "xml")
    one_line(done, 1, "xml: has .xml files already", "--force")
    assert (tmp_path / "xml" / "00001.xml").read_text(encoding="utf-8") == "corrected"
    assert sema("parse", "--lang", "eo", "source.txt", "--to", "xml", "--force")[0] == 0
    assert "corrected" not in (tmp_path / "xml" / "00001.xml").read_text(encoding="utf-8")


def test_a_blank_line_leaves_no_gap(sema: Sema, tmp_path: Path) -> None:
    (tmp_path / "source.txt").write_text("La kato dormas.\n\nLi iras.\n", encoding="utf-8")
    assert sema("parse", "--lang", "eo", "source.txt", "--to", "xml")[0] == 1
    status, out, err = sema("score", *EO, "--scenes", "xml", "--signature", "long")
    assert status == 1 and "source.txt:2: the source is empty" in err
    assert "scenes:file,sha256=" in out and "1 item" in out


# Ratings


def test_ratings_and_scores_join_by_the_columns_they_share(sema: Sema, tmp_path: Path) -> None:
    numbers = range(8)
    ratings = [f"s,{item},{item}\n" for item in numbers]
    (tmp_path / "ratings.csv").write_text("system,item,meaning\n" + "".join(ratings), encoding="utf-8")
    scores = [f"s,{item},{2 * item},\n" for item in reversed(numbers)]
    (tmp_path / "scores.csv").write_text("system,item,sema,error\n" + "".join(scores), encoding="utf-8")
    arguments = ["metaeval", "--ratings", "ratings.csv", "--by", "meaning", "--scores", "scores.csv", "--json"]
    (printed,) = json.loads(sema(*arguments)[1])
    (metric,) = next(split for split in printed["splits"] if split["name"] == "all")["metrics"]
    assert metric["metric"] == "sema"
    assert metric["pearson"]["value"] == pytest.approx(1)


def test_ratings_and_scores_that_disagree_are_refused(sema: Sema, tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text("system,meaning\na,1\na,2\nb,3\n", encoding="utf-8")
    arguments = ["metaeval", "--ratings", "ratings.csv", "--by", "meaning", "--scores", "scores.csv"]
    (tmp_path / "scores.csv").write_text("system,sema\na,1\nb,2\na,3\n", encoding="utf-8")
    one_line(sema(*arguments), 1, "scores.csv", "they differ in system")
    (tmp_path / "ratings.csv").write_text("system,item,meaning\na,0,1\na,1,2\nb,0,3\n", encoding="utf-8")
    (tmp_path / "scores.csv").write_text("system,item,sema\na,0,1\na,1,2\nc,0,3\n", encoding="utf-8")
    one_line(sema(*arguments), 1, "b 0 has no row in scores.csv")


# Comparisons


def test_many_systems_are_summed_up_and_shown_in_full_on_demand(
    sema: Sema, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "PROGRESS_SECONDS", 0)
    names = [f"{letter}.txt" for letter in "abcdef"]
    for number, name in enumerate(names):
        lines = ["Mi vidas domon."] * number + ["La kato dormas."] * (20 - number)
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "many.txt").write_text("La kato dormas.\n" * 20, encoding="utf-8")
    arguments = ["compare", "--lang", "eo", "-s", "many.txt", "-o", *names, "--metrics", "sema", "--samples", "20"]
    _, short, err = sema(*arguments, "--per-item", "rows.csv")
    assert "a.txt - b.txt" not in short and "all 15 differences, with their items: --full" in short
    assert "of 15" in short and short.count("\n") < 20
    assert "sema: resampling: 20 of 21, about " in err
    _, full, _ = sema(*arguments, "--full")
    assert full.count(" - ") >= 15 and "Items (numbered from 0)" in full
    assert len((tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()) == 1 + 6 * 20


def test_a_seed_is_no_negative_number(sema: Sema, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        sema("compare", *EO, "--seed", "-1")
    assert stopped.value.code == 2
    assert "-1 is not 0 or more" in capsys.readouterr().err
