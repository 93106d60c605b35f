"""``sema parse``: write scene graphs as UCCA standard XML."""

from __future__ import annotations

import argparse
from pathlib import Path

from sema.cli.common import add_language_arguments, make_analyser, place_error, progress_bar, read_sources, stretches
from sema.cli.messages import report_errors
from sema.display.visible import visible
from sema.errors import InputError, SemaError

HELP = """Parse texts and write one UCCA standard XML file per item
The files (00000.xml, 00001.xml ...) can be edited in UCCA's tools and given back with `sema score --scenes DIR`.

example:
  sema parse --lang en original.txt --to ucca_xml/"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema parse``."""
    add_language_arguments(parser, aligns=False)
    parser.add_argument("file", metavar="FILE", help="texts, one a line (or a table); - for standard input")
    parser.add_argument("--to", required=True, metavar="DIR", help="folder for the files; made if it is missing")
    parser.add_argument("--force", action="store_true", help="write over scene files that are in the folder already")


def run(arguments: argparse.Namespace) -> int:
    """Write one file per item; a broken item leaves its number out."""
    from sema.files.replacing import refuse_inputs
    from sema.files.scene_formats import writable_format

    scene_format = writable_format("ucca")
    assert scene_format.write is not None
    column, texts = read_sources(arguments.file, arguments.tokenized)
    folder = _folder(Path(arguments.to), scene_format.suffix, force=arguments.force)
    files = [folder / f"{index:05d}{scene_format.suffix}" for index in range(len(texts))]
    refuse_inputs(files, [arguments.file])
    analyser = make_analyser(arguments)
    errors = []
    with progress_bar("parsing", stopped=f"their files are in {folder}") as progress:
        for part in stretches(texts, analyser, progress):
            parsed = iter(analyser.graphs([text for _, text in part if not isinstance(text, SemaError)]))
            for index, text in part:
                graphs = text if isinstance(text, SemaError) else next(parsed)
                try:
                    if isinstance(graphs, SemaError):
                        raise graphs
                    if not graphs:
                        raise InputError("the text has no words; give it one, or take the item out")
                    scene_format.write(graphs, files[index])
                except SemaError as error:
                    if isinstance(error.__cause__, OSError):  # the folder is at fault, not the item
                        raise
                    errors.append(place_error(error, column, index))
    report_errors(errors)
    print(f"{len(texts) - len(errors)} files in {visible(str(folder))}")
    return 1 if errors else 0


def _folder(folder: Path, suffix: str, *, force: bool) -> Path:
    """The folder, made if it is missing.

    Raises:
        InputError: it cannot be made, or has scene files, which may have been corrected by hand.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not force and any(file.suffix.lower() == suffix for file in folder.iterdir()):
            raise InputError(
                f"has {suffix} files already, perhaps corrected ones; name another folder, or --force to write over "
                "them",
                file=folder,
            )
    except OSError as error:
        raise InputError(f"cannot be made a folder: {error.strerror}; name another", file=folder) from error
    return folder
