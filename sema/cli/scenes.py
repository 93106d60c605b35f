"""``sema scenes``, ``sema align`` and ``sema parse``: what was found in texts, as JSON, pictures or files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sema.cli.commands import FILE, argument, command, flag, language, make_analyser, source
from sema.cli.messages import progress_bar, report_errors
from sema.cli.texts import place_error, print_json, read_sources, readable, results, write_text
from sema.display.visible import visible
from sema.errors import InputError, SemaError, UsageError

if TYPE_CHECKING:
    from sema.analysis.source import SourceAnalysis
    from sema.analysis.texts import RawText, Readable
    from sema.files.texts import Column
    from sema.model.language import Language
    from sema.model.links import Alignment
    from sema.model.scene_graph import SceneGraph

PICTURES = (
    argument("--svg", metavar="PATH", help="draw: a folder gets an SVG per item; FILE.svg the only item's"),
    argument("--html", metavar="FILE", help="draw all items on one page"),
)


@command(*language(aligns=False), FILE, *PICTURES)
def scenes(arguments: argparse.Namespace) -> int:
    """Print the Scenes of each text, one JSON object a line
    Token indexes count the tokens of the whole item from 0; a broken item has an "error" in place of its Scenes.

    examples:
      sema scenes --lang en original.txt
      sema scenes --lang en original.txt --html scenes.html
      echo "John got home and gave Mary a call." | sema scenes --lang en -"""
    from sema.model.scene_graph import SceneGraph

    analyser = make_analyser(arguments)
    column, texts = read_sources(arguments.file, arguments.tokenized)

    def analyse(texts: Sequence[RawText]) -> list[SourceAnalysis | SemaError]:
        return analyser.analyse(analyser.segment(texts))

    def picture(found: SourceAnalysis) -> tuple[str, str]:
        return found.text.raw, SceneGraph.join(found.graphs).to_svg()

    pictures = Pictures(arguments, len(texts), "Scenes", picture)
    return _show("scenes", {"text": texts}, column, analyse, analyser.parts.language, pictures, print_json)


@command(
    *language(),
    source(),
    argument("-o", "--output", required=True, metavar="OUTPUT", help="one system's outputs"),
    flag("--pretty", "show the links in colour by kind instead of JSON"),
    *PICTURES,
)
def align(arguments: argparse.Namespace) -> int:
    """Print the links between each source and the sentences of its output
    One JSON object per item; a link is [source index, output index in its sentence, kind].

    examples:
      sema align --lang en -s original.txt -o system.txt
      sema align --lang en -s original.txt -o system.txt --pretty
      sema align --lang en -s original.txt -o system.txt --svg pictures/"""
    from sema.display.terminal import print_links
    from sema.files.texts import read_column, same_length
    from sema.model.links import Alignment

    analyser = make_analyser(arguments)
    columns = {"source": read_column(arguments.source, "source"), "output": read_column(arguments.output, "output")}
    same_length(list(columns.values()))
    texts = {role: readable(column, role, arguments.tokenized) for role, column in columns.items()}

    def aligned(sources: Sequence[RawText], outputs: Sequence[RawText]) -> list[Alignment]:
        segmented = analyser.segment([*sources, *outputs])
        pairs = list(zip(segmented[: len(sources)], segmented[len(sources) :], strict=True))
        links = zip(pairs, analyser.align(pairs), strict=True)
        return [Alignment(source.words, output.sentence_words, found) for (source, output), found in links]

    def picture(found: Alignment) -> tuple[str, str]:
        output = " ".join(word for words in found.sentences for word in words)
        return f"{' '.join(found.source)} / {output}", found.to_svg()

    pictures = Pictures(arguments, len(texts["source"]), "Word links", picture)
    show = print_links if arguments.pretty else print_json
    return _show("aligning", texts, columns["source"], aligned, analyser.parts.language, pictures, show)


@command(
    *language(aligns=False),
    FILE,
    argument("--to", required=True, metavar="DIR", help="folder for the files; made if it is missing"),
    flag("--force", "write over scene files that are in the folder already"),
)
def parse(arguments: argparse.Namespace) -> int:
    """Parse texts and write one UCCA standard XML file per item
    The files (00000.xml, 00001.xml ...) can be edited in UCCA's tools and given back with `sema score --scenes DIR`.

    example:
      sema parse --lang en original.txt --to ucca_xml/"""
    from sema.files.replacing import refuse_inputs
    from sema.files.scene_formats import writable_format

    scene_format = writable_format("ucca")
    assert scene_format.write is not None
    column, texts = read_sources(arguments.file, arguments.tokenized)
    folder = _folder(Path(arguments.to), scene_format.suffix, force=arguments.force)
    files = [folder / f"{index:05d}{scene_format.suffix}" for index in range(len(texts))]
    refuse_inputs(files, [arguments.file])
    analyser = make_analyser(arguments)

    def graphs(texts: Sequence[RawText]) -> list[list[SceneGraph] | SemaError]:
        return analyser.graphs(analyser.segment(texts))

    errors = []
    with progress_bar("parsing", stopped=f"their files are in {folder}") as progress:
        for index, found in results({"text": texts}, graphs, analyser.parts.language, progress):
            try:
                if isinstance(found, SemaError):
                    raise found
                if not found:
                    raise InputError("the text has no words; give it one, or take the item out")
                scene_format.write(found, files[index])
            except SemaError as error:
                if isinstance(error.__cause__, OSError):  # the folder is at fault, not the item
                    raise
                errors.append(place_error(error, column, index))
    status = report_errors(errors)
    print(f"{len(texts) - len(errors)} files in {visible(str(folder))}")
    return status


def _folder(folder: Path, suffix: str, *, force: bool) -> Path:
    """The folder, made if it is missing; it must not have scene files, which may have been corrected by hand."""
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


def _show(
    doing: str,
    texts: Mapping[str, Sequence[Readable]],
    column: Column,
    work: Callable[..., Iterable[Any]],
    language: Language,
    pictures: Pictures,
    show: Callable[[dict[str, Any]], None],
) -> int:
    """Show what ``work`` makes of each item's texts, as a row or as a picture; ``column`` is the file of sources."""
    errors: list[str] = []
    with progress_bar(doing, stopped="what is printed is complete", prints=True) as progress:
        for index, found in results(texts, work, language, progress):
            if isinstance(found, SemaError):
                errors.append(place_error(found, column, index))
            if not pictures.wanted:
                show({"item": index, **({"error": errors[-1]} if isinstance(found, SemaError) else found.to_dict())})
            elif not isinstance(found, SemaError):
                pictures.add(index, found)
    pictures.finish()
    return report_errors(errors)


class Pictures:
    """The pictures that were asked for, if any: an SVG file for each item, or a page of all.

    Args:
        arguments: of a command with :data:`PICTURES`.
        items: how many items there are.
        title: of the page.
        picture: gives the words and the SVG of a result.

    Raises:
        InputError: one SVG file is named for several items, or there is no folder to write to.
    """

    def __init__(
        self, arguments: argparse.Namespace, items: int, title: str, picture: Callable[[Any], tuple[str, str]]
    ) -> None:
        self._svg, self._html = (path and Path(path) for path in (arguments.svg, arguments.html))
        self._title, self._picture = title, picture
        self._drawn: list[tuple[int, str, str]] = []
        self.wanted = bool(self._svg or self._html)
        if self._svg and self._svg.suffix == ".svg" and items != 1:
            raise UsageError(f"cannot hold {items} items; name a folder, which gets a file per item", file=self._svg)
        for path in filter(None, (self._svg, self._html)):
            if not path.parent.is_dir():
                raise InputError(f"cannot be written: there is no folder {str(path.parent)!r}", file=path)

    def add(self, number: int, result: Any) -> None:
        """Write an item's picture, or keep it for the page."""
        words, svg = self._picture(result)
        if self._svg:
            path = self._svg
            if path.suffix != ".svg":
                try:
                    path.mkdir(exist_ok=True)
                except OSError as error:
                    raise InputError(f"is no folder that can be written: {error.strerror}", file=path) from error
                path /= f"{number:05d}.svg"
            write_text(path, svg)
        if self._html:
            self._drawn.append((number, words, svg))

    def finish(self) -> None:
        """Write the page, if one was asked for."""
        if self._html:
            from sema.display.pictures.pages import pictures_page

            write_text(self._html, pictures_page(self._title, self._drawn))
