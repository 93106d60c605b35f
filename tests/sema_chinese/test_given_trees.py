import shlex
from pathlib import Path

import pytest

from tests.commands import printed, write
from tests.conftest import ROOT, Run

BAIDU = (ROOT / "tests" / "data" / "chinese" / "baidu.conll").read_text("utf-8")

TAUGHT = BAIDU.replace("nz\tnz\t_\t5\tATT", "nz\tnz\t_\t4\tFOB").replace("vn\tvn\t_\t5\tATT", "v\tv\t_\t5\tATT")
"""The paper's sentence with a verb for *teaching*, as LTP tags it: a second clause."""
OUTPUT = "全法汉语教学研讨会举行。"

FILES = ("--lang", "zh", "-s", "source.txt", "-o", "output.txt")


@pytest.fixture(autouse=True)
def texts(command: Run, tmp_path: Path) -> None:
    """The folder of commands with the paper's sentence, its tree in ``trees``, and an output without the place."""
    (tmp_path / "trees").mkdir()
    write("trees/0.conll", TAUGHT)
    write("source.txt", "2004年3月26日全法汉语教学研讨会在巴黎国际大学生城举行。\n")
    write("output.txt", "全法汉语教学研讨会举行。\n")


def test_the_commands_of_the_documents_give_75_on_the_papers_sentence(command: Run) -> None:
    """As they are printed: the names in capitals are files."""
    text = (ROOT / "docs" / "VARIANTS.md").read_text(encoding="utf-8")
    block = text.partition("### The Chinese system of SEMA's paper")[2].partition("```text\n")[2].partition("```")[0]
    for old, new in (("source.txt", "SOURCE"), ("output.txt", "OUTPUT"), ("trees", "TREES")):
        Path(old).rename(new)
    for line in block.splitlines():
        words, _, target = line.partition(" > ")
        done = command(*shlex.split(words)[1:])
        assert done.returncode == 0, done.stderr
        if target:
            write(target, done.stdout)
    assert done.stdout.splitlines()[1].split() == ["OUTPUT", "75.00"]


@pytest.mark.parametrize("name", ["ud.heads", "conll.heads", "heads"])
def test_an_option_of_the_extractor_reaches_given_trees(command: Run, name: str) -> None:
    """One of two Participants is lost; with a Scene for each clause the one of *teaching* adds 100."""
    arguments = ("score", *FILES, "--metrics", "sema", "--scenes", "trees", "--json")
    for more, expected in (("--set", f"{name}=root"), 75), ((), 87.5):
        assert printed(command(*arguments, *more))["systems"][0]["scores"]["sema"] == expected


@pytest.mark.parametrize(
    ("name", "scenes", "option"),
    [
        ("score", "trees", "conllu.heads=root"),
        ("score", "trees", "ud.threads=1"),
        ("score", "xml", "ud.heads=root"),
        ("align", "xml", "ud.heads=root"),
    ],
)
def test_an_option_that_no_given_scenes_have_is_refused(command: Run, name: str, scenes: str, option: str) -> None:
    if scenes == "xml":
        assert command("parse", "--lang", "zh", "source.txt", "--to", "xml").returncode == 0
    metrics = ("--metrics", "sema") if name == "score" else ()
    done = command(name, *FILES, *metrics, "--scenes", scenes, "--set", option)
    assert done.returncode == 2 and option.partition("=")[0] in done.stderr
