import json
import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from sema import Scorer
from sema.scoring import scorer as scorer_module
from tests.commands import files
from tests.esperanto import WordCount, esperanto

pytestmark = [pytest.mark.stress, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")]
KILLS = int(os.environ.get("SEMA_KILLS", "100"))
SOURCES = [f"La {'bela ' * (number % 3)}kato dormas. Mi vidas {number} domojn." for number in range(40)] + [""]
OUTPUTS = {"ours": [text.replace("bela ", "") for text in SOURCES], "copy": SOURCES}
REFERENCES = [[text or "Mi."] for text in SOURCES]


def score(folder: Path) -> None:
    scorer = Scorer(esperanto(), ["sari", "samsa", WordCount()])
    scorer.write(folder, SOURCES, OUTPUTS, REFERENCES, resume=True)


def start(folder: Path) -> int:
    """A process that scores into the folder and ends without a word."""
    number = os.fork()
    if not number:
        try:
            score(folder)
        finally:
            os._exit(0)
    return number


def test_a_run_killed_at_any_moment_goes_on_to_the_same_bytes(
    tmp_path: Path, chance: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(scorer_module.CHUNK, "sentence", 3)
    score(tmp_path / "whole")
    whole = files(tmp_path / "whole")
    began = time.monotonic()
    os.waitpid(start(tmp_path / "timed"), 0)
    usual = time.monotonic() - began
    folder, kills = tmp_path / "run", 0
    while kills < KILLS:
        child = start(folder)
        time.sleep(chance.uniform(0, 0.8 * usual))
        os.kill(child, signal.SIGKILL)
        kills += os.WIFSIGNALED(os.waitpid(child, 0)[1])
        if (folder / "run.json").exists() and json.loads((folder / "run.json").read_bytes())["finished"]:
            score(folder)
            assert files(folder) == whole
            shutil.rmtree(folder)
    score(folder)
    assert files(folder) == whole
