"""The sources' Scenes from the files of ``--scenes``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sema.analysis.texts import Readable, around_errors
from sema.errors import InputError, SemaError
from sema.files.blocks import Blocks
from sema.files.scene_formats import SceneFile, read_scenes, scene_files
from sema.model.text import Text
from sema.options import Settings

if TYPE_CHECKING:
    from sema.analysis.source import SourceAnalysis
    from sema.analysis.text_analyser import TextAnalyser


def open_scenes(
    folder: str, sources: Sequence[Readable], settings: Settings, reader: TextAnalyser
) -> Sequence[SourceAnalysis | SemaError]:
    """The sources' Scenes from their files, read lazily; ``reader`` segments the sources themselves."""
    from sema.analysis.placing import place_scenes

    def placed(text: Text | SemaError, file: SceneFile | None) -> SourceAnalysis | SemaError:
        if isinstance(text, SemaError):
            return text
        if file is None:
            return InputError("has no scene file; parse it, or take the item out of every file")
        try:
            return place_scenes(reader.parts.segmenter, read_scenes(*file), text, str(file[0]))
        except SemaError as error:
            return error

    def block(texts: Sequence[Readable], files: Sequence[SceneFile | None]) -> list[SourceAnalysis | SemaError]:
        return list(map(placed, around_errors(texts, reader.segment), files))

    return Blocks(block, sources, scene_files(folder, len(sources), settings))
