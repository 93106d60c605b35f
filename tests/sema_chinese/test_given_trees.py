import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sema.cli.main import main
from tests.sema_ud.conll import BAIDU, written

TAUGHT = BAIDU.replace("汉语 nz 5 ATT", "汉语 nz 4 FOB").replace("教学 vn 5 ATT", "教学 v 5 ATT")
"""The paper's sentence with a verb for *teaching*, as LTP tags it: a second clause."""
OUTPUT = "全法汉语教学研讨会举行。"

Sema = Callable[..., tuple[int, str, str]]


@pytest.fixture
def sema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Sema:
    """Runs a command in a folder with the paper's sentence, its tree in ``trees``, and an output without the place."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trees").mkdir()
    written(tmp_path / "trees", TAUGHT, "0.conll")
    Path("source.txt").write_text("2004年3月26日全法汉语教学研讨会在巴黎国际大学生城举行。\n", encoding="utf-8")
    Path("output.txt").write_text(OUTPUT + "\n", encoding="utf-8")

    def run(command: str, *arguments: str) -> tuple[int, str, str]:
        status = main([command, "--lang", "zh", "-s", "source.txt", "-o", "output.txt", *arguments])
        return status, *capsys.readouterr()

    return run


def value(done: tuple[int, str, str]) -> float:
    assert done[0] == 0, done[2]
    score: float = json.loads(done[1])["systems"][0]["scores"]["sema"]
    return score


def test_the_commands_of_the_documents_give_75_on_the_papers_sentence(
    sema: Sema, capsys: pytest.CaptureFixture[str]
) -> None:
    """As they are printed: the names in capitals are files."""
    text = (Path(__file__).parents[2] / "docs" / "VARIANTS.md").read_text(encoding="utf-8")
    block = text.partition("### The Chinese system of SEMA's paper")[2].partition("```text\n")[2].partition("```")[0]
    for old, new in (("source.txt", "SOURCE"), ("output.txt", "OUTPUT"), ("trees", "TREES")):
        Path(old).rename(new)
    for line in block.splitlines():
        command, _, target = line.partition(" > ")
        assert main(command.split()[1:]) == 0
        printed = capsys.readouterr().out
        if target:
            Path(target).write_text(printed, encoding="utf-8")
    assert printed.splitlines()[1].split() == ["OUTPUT", "75.00"]


@pytest.mark.parametrize("name", ["ud.heads", "conll.heads", "heads"])
def test_an_option_of_the_extractor_reaches_given_trees(sema: Sema, name: str) -> None:
    """One of two Participants is lost; with a Scene for each clause the one of *teaching* adds 100."""
    printed = ("--metrics", "sema", "--scenes", "trees", "--json")
    assert value(sema("score", "--set", f"{name}=root", *printed)) == 75.0
    assert value(sema("score", *printed)) == 87.5


@pytest.mark.parametrize(
    ("command", "scenes", "option"),
    [
        ("score", "trees", "conllu.heads=root"),
        ("score", "trees", "ud.threads=1"),
        ("score", "xml", "ud.heads=root"),
        ("align", "xml", "ud.heads=root"),
    ],
)
def test_an_option_that_no_given_scenes_have_is_refused(sema: Sema, command: str, scenes: str, option: str) -> None:
    if scenes == "xml":
        assert main(["parse", "--lang", "zh", "source.txt", "--to", "xml"]) == 0
    metrics = ("--metrics", "sema") if command == "score" else ()
    status, _, said = sema(command, *metrics, "--scenes", scenes, "--set", option)
    assert status == 2 and option.partition("=")[0] in said
