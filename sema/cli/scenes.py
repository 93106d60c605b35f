"""``sema scenes``, ``sema align`` and ``sema parse``: what was found in texts, as JSON, pictures or files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import ProgressCallback, RawText
from sema.cli.arguments import FILE, SCENES, Page, flag, language, read, source, written
from sema.cli.commands import command, make_analyser, make_parts, settings_of
from sema.cli.messages import progress_bar, report_errors
from sema.cli.texts import open_scenes, place_error, print_json, read_sources, readable, results, write_text
from sema.errors import InputError, SemaError, UsageError
from sema.files.blocks import Mapped
from sema.files.ids import in_order_of
from sema.files.scene_formats import format_factories, formats_in, writable_format
from sema.files.texts import Column, read_column, with_items
from sema.model.links import Alignment
from sema.model.scene_graph import SceneGraph
from sema.model.text import visible

PICTURES = (
    written("--svg", "DIR", "draw: an SVG per item goes into this folder"),
    written("--html", "FILE", "draw all items on one page", kind=Page),
)


@command(*language(aligns=False), FILE, *PICTURES)
def scenes(arguments: argparse.Namespace) -> int:
    """Print the Scenes of each text, one JSON object a line
    Token indexes count the tokens of the whole item from 0; a broken item has an "error" in place of its Scenes.

    examples:
      sema scenes --lang en original.txt
      sema scenes --lang en original.txt --html scenes.html
      echo "John got home and gave Mary a call." | sema scenes --lang en -"""
    analyser = make_analyser(arguments)
    column, texts = read_sources(arguments.file, arguments.tokenized)

    def analyse(texts: Sequence[RawText]) -> list[SourceAnalysis | SemaError]:
        return analyser.sources.analyse(analyser.sources.segment(texts))

    def picture(analysis: SourceAnalysis) -> tuple[str, str]:
        return analysis.text.raw, SceneGraph.join(analysis.graphs).to_svg()

    analyses = partial(results, {"text": texts}, analyse, analyser.parts.language)
    return _show(arguments, column, "scenes", "Scenes", analyses, picture)


@command(
    *language(),
    source(),
    read("-o --output", "OUTPUT", "one system's outputs", required=True),
    SCENES,
    flag("--pretty", "show the links in colour by kind instead of JSON"),
    *PICTURES,
)
def align(arguments: argparse.Namespace) -> int:
    """Print the links between each source and the sentences of its output
    One JSON object per item; a link is [source index, output index in its sentence, kind].

    examples:
      sema align --lang en -s original.txt -o system.txt
      sema align --lang en -s original.txt -o system.txt --pretty
      sema align --lang en -s original.txt -o system.txt --svg pictures/
      sema align --lang zh -s original.txt -o system.txt --scenes trees/"""
    from sema.analysis.analyser import Analyser
    from sema.display.terminal import print_links

    settings = settings_of(arguments)
    formats = format_factories(formats_in(arguments.scenes)) if arguments.scenes else {}  # in place of the extractors
    analyser = Analyser(make_parts(arguments, settings, formats, extractors=not arguments.scenes))
    originals = with_items(read_column(arguments.source, "source"))
    (outputs,) = in_order_of(originals, [read_column(arguments.output, "output")])
    columns = {"source": originals, "output": outputs}
    texts = {role: readable(column, role, arguments.tokenized) for role, column in columns.items()}
    if arguments.scenes:
        given = open_scenes(arguments.scenes, texts["source"], settings, analyser.sources)
        texts["source"] = Mapped(lambda one: one.text if hasattr(one, "text") else one, given)  # an error stays one

    def aligned(sources: Sequence[RawText], outputs: Sequence[RawText]) -> list[Alignment]:
        pairs = list(zip(analyser.sources.segment(sources), analyser.outputs.segment(outputs), strict=True))
        links = zip(pairs, analyser.align(pairs), strict=True)
        return [Alignment(source.words, output.sentence_words, linked) for (source, output), linked in links]

    def picture(alignment: Alignment) -> tuple[str, str]:
        output = " ".join(word for words in alignment.sentences for word in words)
        return f"{' '.join(alignment.source)} / {output}", alignment.to_svg()

    alignments = partial(results, texts, aligned, analyser.parts.language)
    show = print_links if arguments.pretty else print_json
    return _show(arguments, originals, "aligning", "Word links", alignments, picture, show)


@command(
    *language(aligns=False), FILE, written("--to", "DIR", "folder for the files; made if it is missing", required=True)
)
def parse(arguments: argparse.Namespace) -> int:
    """Parse texts and write one UCCA standard XML file per item
    The files (00000.xml, 00001.xml ...) can be edited in UCCA's tools and given back with `sema score --scenes DIR`.

    example:
      sema parse --lang en original.txt --to ucca_xml/"""
    scene_format = writable_format("ucca")
    assert scene_format.write is not None
    column, texts = read_sources(arguments.file, arguments.tokenized)
    folder, suffix = Path(arguments.to), scene_format.suffix
    if any(file.suffix.lower() == suffix for file in _folder(folder).iterdir()):
        raise InputError(f"has {suffix} files already, perhaps corrected ones; name another folder", file=folder)
    analyser = make_analyser(arguments)

    def graphs(texts: Sequence[RawText]) -> list[list[SceneGraph] | SemaError]:
        return analyser.sources.graphs(analyser.sources.segment(texts))

    errors = []
    with progress_bar("parsing", stopped=f"their files are in {folder}") as progress:
        for index, parsed in results({"text": texts}, graphs, analyser.parts.language, progress):
            try:
                if isinstance(parsed, SemaError):
                    raise parsed
                if not parsed:
                    raise InputError("the text has no words; give it one, or take the item out")
                scene_format.write(parsed, folder / f"{index:05d}{suffix}")
            except SemaError as error:
                if isinstance(error.__cause__, OSError):  # the folder is at fault, not the item
                    raise
                errors.append(place_error(error, column, index))
    status = report_errors(errors)
    print(f"{len(texts) - len(errors)} files in {visible(str(folder))}")
    return status


def _folder(folder: Path) -> Path:
    """The folder, made if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made a folder: {error.strerror}; name another", file=folder) from error
    return folder


def _show(
    arguments: argparse.Namespace,
    column: Column,
    doing: str,
    title: str,
    results: Callable[[ProgressCallback], Iterator[tuple[int, Any]]],
    picture: Callable[[Any], tuple[str, str]],
    show: Callable[[dict[str, Any]], None] = print_json,
) -> int:
    """Show each item's result as a row or, if that was asked for, as a picture, on a page with a ``title``.

    ``column`` is the file of the sources; ``picture`` gives the words and the SVG of a result.
    """
    if arguments.svg and arguments.svg.endswith(".svg"):
        raise UsageError("is not a folder's name; name one, which gets a file per item", file=arguments.svg)
    svg = arguments.svg and _folder(Path(arguments.svg))
    errors: list[str] = []
    drawn = []
    with progress_bar(doing, stopped="what is printed is complete", prints=True) as progress:
        for index, result in results(progress):
            broken = isinstance(result, SemaError)
            if broken:
                errors.append(place_error(result, column, index))
            if not (svg or arguments.html):
                show({"item": index, **({"error": errors[-1]} if broken else result.to_dict())})
            elif not broken:
                words, drawing = picture(result)
                if svg:
                    write_text(svg / f"{index:05d}.svg", drawing)
                drawn.append((index, words, drawing))
    if arguments.html:
        from sema.display.pictures.pages import pictures_page

        write_text(arguments.html, pictures_page(title, drawn))
    return report_errors(errors)
