"""A real terminal: colours only where they are wanted, its width, examples, completion, progress."""

import io
import os
import pty
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from sema.cli import messages
from sema.display import terminal
from tests.commands import environment, one_line, start
from tests.conftest import Run

COLOUR = re.compile(r"\x1b\[[\d;]*(3\d|4\d|9\d)[\d;]*m")
TEXT = "La kato dormas.\nLa hundo manĝas pomon kaj mi vidas la domon.\n"


def on_terminal(folder: Path, site: Path, *arguments: str, **more: str) -> str:
    """What ``sema`` shows on a terminal, of 50 columns unless ``COLUMNS`` says otherwise."""
    ours = environment(site, **{"TERM": "xterm-256color", "COLUMNS": "50", **more})
    master, slave = pty.openpty()
    silent = subprocess.DEVNULL
    process = start(*arguments, cwd=folder, env=ours, stdin=slave, stdout=slave, stderr=silent)
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


def test_colours_and_width(
    tmp_path: Path, outside_package: Path, command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("source.txt", "a_system_with_a_long_name.txt"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    texts = ("--lang", "eo", "-s", "source.txt", "-o", "a_system_with_a_long_name.txt")
    coloured = on_terminal(tmp_path, outside_package, "align", *texts, "--pretty")
    assert COLOUR.search(coloured)
    plain = command("align", *texts, "--pretty", site=outside_package).stdout
    assert not COLOUR.search(plain)
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured).replace("\r\n", "\n") == plain
    names = "sema,samsa,sema_part,sema_base,samsa_abl"
    shown = on_terminal(tmp_path, outside_package, "score", *texts, "--metrics", names, NO_COLOR="1")
    table = shown[: shown.index("2 items")].splitlines()
    assert max(map(len, table)) <= 50 and shown.count("a_system_with_a_long_name") > 1


def test_wrong_usage_shows_an_example(command: Run) -> None:
    for given in ((), ("score",)):
        one_line(command(*given), 2, "for example: sema score --lang en -s original.txt -o system.txt; see")


def test_completion_in_bash(command: Run, tmp_path: Path, outside_package: Path) -> None:
    pytest.importorskip("shtab")
    script = command("completion", "bash", site=outside_package)
    assert script.returncode == 0, script.stderr
    (tmp_path / "sema.sh").write_text(script.stdout, encoding="utf-8")
    (tmp_path / "original.txt").write_text("", encoding="utf-8")
    ask = """source sema.sh
function=$(complete -p sema | sed 's/.*-F \\([^ ]*\\).*/\\1/')
complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); $function sema "${@: -1}" ""; echo "${COMPREPLY[*]}"; }
complete_line sema sce
complete_line sema score --sou
complete_line sema score --lang e
complete_line sema score --metrics samsa_
complete_line sema score -s ori"""
    done = subprocess.run(["bash", "-c", ask], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["scenes", "--source-lang --source", "en eo", "samsa_abl", "original.txt"], (
        done.stderr
    )


def test_time_left_in_words() -> None:
    assert [messages._in_words(seconds) for seconds in (4.2, 200, 9000)] == ["4 s", "3 min", "2 h 30 min"]


def test_metaeval_says_how_far_it_is(command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "FIRST_SECONDS", 0)
    rows = "".join(f"{number},{number % 7},{number % 5}\n" for number in range(40))
    (tmp_path / "rated.csv").write_text("rating,sari,bleu\n" + rows, encoding="utf-8")
    done = command("metaeval", "--ratings", "rated.csv", "--by", "rating")
    assert re.search(r"sema: correlating: 1 of 3, [\d.]+/s, about ", done.stderr)


def test_the_first_estimate_comes_after_five_seconds_and_counts_no_loading(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loading took 4 s here; then ten items take a second."""
    times = iter([0.0, 4.0, 5.0, 6.0, 20.0, 21.0])
    monkeypatch.setattr(messages, "monotonic", lambda: next(times))
    show = messages._progress_lines("scoring")
    for done in (10, 20, 30, 170, 180):
        show(done, 1000)
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "sema: scoring: 20 of 1000, 10.0/s, about 2 min left",
        "sema: scoring: 170 of 1000, 10.0/s, about 83 s left",
    ]


def test_the_bar_shows_count_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    times = iter([0.0, 2.0])
    monkeypatch.setattr(messages, "monotonic", lambda: next(times))
    with messages.progress_bar("making the report") as progress:
        progress(5, 20)
    bar = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", shown.getvalue())
    assert re.search(r"making the report .*  ?5/20 2\.5/s -?[\d:]", bar), bar


def test_compare_breaks_no_number_on_80_columns(
    command: Run, tmp_path: Path, outside_package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["a_system_with_a_rather_long_name.txt", "another_system_with_a_long_name.txt", "third.txt"]
    texts = [TEXT, TEXT.replace("pomon", "panon"), TEXT.replace("La kato", "Kato")]
    for name, text in zip([*names, "source.txt"], [*texts, TEXT], strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    given = ["--lang", "eo", "-s", "source.txt", "-o", *names, "--metrics", "sema,samsa,sema_part", "--samples", "20"]
    wide = command("compare", *given, site=outside_package).stdout
    monkeypatch.setattr(terminal, "width_of_terminal", lambda: 80)
    shown = command("compare", *given, site=outside_package).stdout
    assert max(map(len, shown.splitlines())) <= 80 < max(map(len, wide.splitlines()))
    numbers = re.findall(r"-?\d+\.\d+", wide)
    assert numbers and Counter(re.findall(r"-?\d+\.\d+", shown)) == Counter(numbers)


def test_languages_are_blocks(command: Run) -> None:
    blocks = command("languages").stdout.split("\n\n")
    english = next(block for block in blocks if block.startswith("en  English"))
    assert "\n  levels     CEFR\n" in english and "-\n" not in english
    assert max(len(line) for block in blocks for line in block.splitlines()) <= 100
