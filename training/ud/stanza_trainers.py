"""Stanza's own trainers, run as it means them to be run: a command for each model."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

Options = dict[str, str | int | float | None]
"""Options of one of Stanza's trainers; None for a flag."""

SMALL_DATA: Options = {"word_cutoff": 2, "word_dropout": 0.15, "dropout": 0.33}
"""For tagger and parser: Stanza's default dropout is meant for larger treebanks."""


def run_stanza(module: str, options: Options, log_file: Path) -> None:
    """Run ``stanza.models.MODULE`` on one thread, what it prints going to the end of ``log_file``."""
    command = [sys.executable, "-m", f"stanza.models.{module}"]
    for option, value in options.items():
        command += [f"--{option}"] if value is None else [f"--{option}", str(value)]
    with log_file.open("a", encoding="utf-8") as output:
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, check=True, env=environment)
