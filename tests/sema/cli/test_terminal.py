"""A terminal and its user: colours, width, examples, completion, progress, quiet, and texts that control nothing."""

import os
import pty
import re
import signal
import subprocess
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

from sema import Item, MeanMetric
from sema.cli import messages, texts
from sema.metrics.registry import metric_factory
from sema.scoring.scorer import CHUNK
from tests.commands import EO, GOOD, environment, one_line, start, write
from tests.conftest import Run

COLOUR = re.compile(r"\x1b\[[\d;]*(3\d|4\d|9\d)[\d;]*m")


def on_terminal(site: Path, *arguments: str, **more: str) -> str:
    """What ``sema`` shows on a terminal of 50 columns."""
    ours = environment(site, TERM="xterm-256color", COLUMNS="50", **more)
    master, slave = pty.openpty()
    process = start(*arguments, env=ours, stdin=slave, stdout=slave, stderr=subprocess.DEVNULL)
    os.close(slave)
    shown = b""
    try:
        while part := os.read(master, 65536):
            shown += part
    except OSError:  # Linux's error if the other side is closed
        pass
    os.close(master)
    assert process.wait() == 0
    return shown.decode()


def test_a_terminal_gets_colours_and_tables_as_wide_as_it_is_without_cutting_numbers(
    sema: Run, outside_package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    output = "a_system_with_a_long_name.txt"
    write(output, GOOD)
    given = ("--lang", "eo", "-s", "source.txt", "-o", output)
    coloured = on_terminal(outside_package, "align", *given, "--pretty")
    plain = sema("align", *given, "--pretty").stdout
    assert COLOUR.search(coloured) and not COLOUR.search(plain)
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured).replace("\r\n", "\n") == plain
    names = ["sema", "samsa", "sema_part", "sema_base", "samsa_abl", "words"]
    shown = on_terminal(outside_package, "score", *given, "--metrics", ",".join(names), NO_COLOR="1")
    table = shown[: shown.index("3 items")]
    assert max(map(len, table.splitlines())) <= 50 and table.count("a_system_with_a_long_name") > 1
    assert [word for word in table.split() if word in names] == names
    assert table.count("100.00") == 5 and "…" not in table


def test_completion_in_bash(sema: Run) -> None:
    pytest.importorskip("shtab")
    script = sema("completion", "bash")
    assert script.returncode == 0, script.stderr
    write("sema.sh", script.stdout)
    write("original.txt", "")
    ask = """source sema.sh
function=$(complete -p sema | sed 's/.*-F \\([^ ]*\\).*/\\1/')
complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); $function sema "${@: -1}" ""; echo "${COMPREPLY[*]}"; }
complete_line sema sce
complete_line sema score --sou
complete_line sema score -s ori
complete_line sema rerank ori
complete_line sema forms likert --write ori"""
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True)
    expected = ["scenes", "--source-lang --source", *["original.txt"] * 3]
    assert done.stdout.splitlines() == expected, done.stderr


# Foreign text never controls the terminal

ESCAPE = "\x1b]0;title\x07\x9b31m\u202e"


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", *EO, "--item", "0", "--json"],
        ["explain", *EO, "--item", "0"],
        ["align", *EO, "--pretty"],
        ["compare", *EO, f"{ESCAPE}.txt", "--samples", "20", "--full"],
        ["scenes", "--lang", "eo", "source.txt"],
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


# Progress


def test_a_log_gets_a_line_now_and_then(sema: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for seconds in ("FIRST_SECONDS", "PROGRESS_SECONDS"):
        monkeypatch.setattr(messages, seconds, 0)
    monkeypatch.setattr(texts, "STRETCH", 1)
    monkeypatch.setitem(CHUNK, "sentence", 2)
    assert re.fullmatch(r"sema: scoring: 2 of 3, [\d.]+/s, about [\d:]+ left\n", sema("score", *EO).stderr)
    lines = sema("scenes", "--lang", "eo", "source.txt").stderr.splitlines()
    assert [line.partition(",")[0] for line in lines] == ["sema: scenes: 1 of 3", "sema: scenes: 2 of 3"]
    assert sema("parse", "--lang", "eo", "source.txt", "--to", "xml").stderr.count("sema: parsing: ") == 2
    assert sema("align", *EO).stderr.count("sema: aligning: ") == 2
    write("rated.csv", "rating,sari,bleu\n" + "".join(f"{n},{n % 7},{n % 5}\n" for n in range(40)))
    done = sema("metaeval", "--ratings", "rated.csv", "--by", "rating")
    assert re.search(r"sema: correlating: 1 of 3, [\d.]+/s, about ", done.stderr)


@pytest.mark.parametrize("save", [True, False])
def test_ctrl_c_says_what_is_done_and_how_to_go_on(sema: Run, monkeypatch: pytest.MonkeyPatch, save: bool) -> None:
    calls = count()

    def stopped(self: MeanMetric, items: Sequence[Item]) -> list[float]:
        if next(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return [1.0] * len(items)

    monkeypatch.setitem(CHUNK, "sentence", 2)
    monkeypatch.setattr(metric_factory("words"), "scores", stopped)
    write("source.txt", "La kato dormas.\n" * 2000)
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        done = sema("score", *EO[:-1], "source.txt", "--metrics", "words", *(["--save", "run"] if save else []))
    finally:
        signal.signal(signal.SIGINT, heard)
    kept = "they are kept in run: go on with the same command and --resume"
    lost = "nothing is kept: with --save RUN it would be, and --resume would go on"
    one_line(done, 130, f"sema: stopped: 6 of 2000 items are done; {kept if save else lost}")


# Loudness


def test_metaeval_prints_a_note_once_and_no_table_of_dashes(sema: Run) -> None:
    write("rated.csv", "item,rating,a,b\n0,1,2,5\n1,1,3,5\n2,1,4,5\n")
    done = sema("metaeval", "--ratings", "rated.csv", "--by", "rating", "--metrics", "a,b")
    notes = [line for line in (done.stdout + done.stderr).splitlines() if ":" in line and "[" not in line]
    assert done.returncode == 0 and len(notes) == len(set(notes)), notes
    assert len(re.findall("Spearman|Pearson|Kendall", done.stdout)) == 1, "no number: one table says why"
