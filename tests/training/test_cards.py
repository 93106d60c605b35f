"""The commands that cards name can be run, and every module with a command of its own is named by a card."""

from __future__ import annotations

import importlib
import re

import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")

from tests.conftest import ROOT

CARDS = [path for folder in ("apps", "lexicons", "parsers") for path in (ROOT / folder).rglob("*CARD.md")]
COMMAND = re.compile(r"python -m (training[\w.]*\w)")
COMMANDS = sorted({name for path in CARDS for name in COMMAND.findall(path.read_text(encoding="utf-8"))})
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_a_card_says_what_it_does(command: str, capsys) -> None:
    package = ROOT.joinpath(*command.split(".")).is_dir()
    module = importlib.import_module(f"{command}.__main__" if package else command)
    with pytest.raises(SystemExit) as ended:
        module.main(["--help"])
    assert ended.value.code == 0 and "--help" in capsys.readouterr().out


def test_every_command_is_named_by_a_card() -> None:
    commands = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
        for path in (ROOT / "training").rglob("*.py")
        if '\nif __name__ == "__main__":' in path.read_text(encoding="utf-8")
    }
    assert len(COMMANDS) > 15
    assert {one for one in commands if one not in COMMANDS and f"python -m {one} " not in GUIDE} == set()
