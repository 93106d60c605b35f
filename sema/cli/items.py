"""Analysed items of source and output files, for commands that read features off them."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sema.cli.common import MANY_FILES, TokenizedPassages, place_error, readable
from sema.errors import SemaError

if TYPE_CHECKING:
    from sema.analysis.texts import ProgressCallback, Readable
    from sema.files.texts import Column
    from sema.model.item import Item, Need
    from sema.model.language import Parts

CHUNK = {"sentence": 256, "passage": 16}
"""Items analysed at a time."""


def add_pair_arguments(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Source, outputs and level."""
    parser.add_argument("-s", "--source", required=required, metavar="SOURCE", help="the original texts")
    outputs = "a system's outputs; repeat for more"
    parser.add_argument("-o", "--output", **MANY_FILES, required=required, metavar="OUTPUT", help=outputs)
    parser.add_argument("--level", choices=("sentence", "passage"), default="sentence", help="what an item is")


@dataclass(frozen=True)
class Found:
    """One item of one system's file: analysed, or with what is wrong with it."""

    system: str
    index: int
    item: Item | None
    error: str | None = None


class PairFiles:
    """The files that the arguments name, read and checked; analysed when it is iterated, system by system.

    Raises:
        InputError: a file that cannot be read, or files of different lengths.
    """

    def __init__(self, arguments: argparse.Namespace) -> None:
        from sema.files.texts import read_column, same_length

        self._source = read_column(arguments.source, "source")
        self._outputs = [read_column(path, "output") for paths in arguments.output for path in paths]
        same_length([self._source, *self._outputs])
        self._tokenized: bool = arguments.tokenized
        self._level: str = arguments.level

    @property
    def systems(self) -> list[str]:
        """The systems' names."""
        return [column.name for column in self._outputs]

    def __len__(self) -> int:
        return len(self._source.values) * len(self._outputs)

    def items(self, parts: Parts, needs: Collection[Need], progress: ProgressCallback) -> Iterator[Found]:
        """Every item of every system in order; one that cannot be analysed has an error."""
        from sema.analysis.analyser import Analyser
        from sema.scoring.letters import LetterCheck

        analyser, letters = Analyser(parts, needs), LetterCheck(parts.language)
        sources = self._texts(self._source, "source", parts)
        for place, column in enumerate(self._outputs):
            outputs = self._texts(column, "output", parts)
            for start in range(0, len(sources), CHUNK[self._level]):
                end = start + CHUNK[self._level]
                checked = {"source": sources[start:end], f"output of {column.name!r}": outputs[start:end]}
                letters.check(start, checked)
                analysed = analyser.items(sources[start:end], outputs[start:end], segment=self._level == "passage")
                for index, found in enumerate(analysed, start):
                    if isinstance(found, SemaError):
                        yield Found(column.name, index, None, place_error(found, self._source, index))
                    else:
                        yield Found(column.name, index, found)
                progress(place * len(sources) + min(end, len(sources)), len(self))

    def _texts(self, column: Column, role: str, parts: Parts) -> Sequence[Readable]:
        if self._tokenized and self._level == "passage":
            return TokenizedPassages(column, role, parts.segmenter)
        return readable(column, role, self._tokenized)
