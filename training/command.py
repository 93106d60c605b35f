"""The command lines of trainers."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path


def command_line(doc: str | None) -> argparse.ArgumentParser:
    """A parser of arguments whose help is the module's docstring as it is written."""
    return argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)


def output(doc: str | None, default: Path, what: str = "output file") -> Path:
    """The one option of a command that writes a file or a folder, by default where it ships."""
    parser = command_line(doc)
    parser.add_argument("--to", type=Path, default=default, help=what)
    given: Path = parser.parse_args().to
    return given


def begin(threads: int = 1, file: Path | None = None) -> None:
    """Let PyTorch use so many threads, and log to standard error and to a file if one is given."""
    import torch

    torch.set_num_threads(threads)
    handlers: list[logging.Handler] = [logging.StreamHandler()]
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(file))
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", handlers=handlers)
