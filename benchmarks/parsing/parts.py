"""Test parts of treebanks as passages of raw text with gold trees, and the tools that parse them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sema_ud.conllu import Sentence, read_sentences
from sema_ud.trees import TreeProvider

from benchmarks.parsing.scores import Item, Place
from sema.datasets.folder import data_folder
from sema.model.text import Segmenter
from training.trees.treebanks import HELD_OUT, contracted, files_of

CHUNK = 10
"""Sentences of a passage, unless a paragraph ends earlier."""
CHINESE = ("ud", "zh_gsdsimp", "zh_gsdsimp-ud-test.conllu")
SPACED = 0.02
"""A script has spaces if at least this share of its words has a space after it."""


@dataclass(frozen=True)
class Part:
    """The test part of a treebank, or the tenth of a learned part that was held out for choosing."""

    treebank: str
    file: Path
    held_out: bool = False

    @property
    def code(self) -> str:
        """The language."""
        return self.treebank.partition("_")[0]

    @property
    def name(self) -> str:
        """The treebank; a held-out part, on which the parser's settings were chosen, is marked."""
        return f"{self.treebank}, held out" if self.held_out else self.treebank

    def sentences(self) -> list[Sentence]:
        """The sentences of the part in the order of the file."""
        return list(read_sentences(self.file))[:: HELD_OUT if self.held_out else 1]


@dataclass(frozen=True)
class Passage:
    """Raw text with gold trees: over words as they are written, and over the words of multiword tokens (official)."""

    raw: str
    gold: Item
    official: Item


def parts() -> list[Part]:
    """All test parts by language; for a language without one, the held-out part of its parallel sentences."""
    tests = [Part(treebank(file), file) for file in [*files_of("test"), data_folder(*CHINESE)]]
    tested = {part.code for part in tests}
    held_out = [Part(treebank(file), file, held_out=True) for file in files_of("learn")]
    return sorted([*tests, *(part for part in held_out if part.code not in tested)], key=lambda part: part.treebank)


def treebank(file: Path) -> str:
    """The name of a file's treebank."""
    return file.name.partition("-")[0]


def passages(sentences: Sequence[Sentence]) -> list[Passage]:
    """Sentences as raw text: a new passage with each paragraph, and after ten sentences."""
    within = [token.space for sentence in sentences for token in sentence.surface[:-1]]
    joint = " " if sum(within) >= SPACED * len(within) else ""
    chunks: list[list[Sentence]] = []
    for sentence in sentences:
        if not chunks or sentence.starts_paragraph or len(chunks[-1]) == CHUNK:
            chunks.append([])
        chunks[-1].append(sentence)
    return [_passage(chunk, joint) for chunk in chunks]


def _passage(sentences: Sequence[Sentence], joint: str) -> Passage:
    raw = ""
    trees = [contracted(sentence).tree for sentence in sentences]
    written: list[list[Place]] = []
    split: list[list[Place]] = []
    for sentence, tree in zip(sentences, trees, strict=True):
        start = len(raw) + len(joint) if raw else 0
        raw = f"{raw}{joint}{sentence.text}" if raw else sentence.text
        written.append([])
        end = start
        for word in tree.words:
            begin = raw.index(word, end)
            end = begin + len(word)
            written[-1].append((begin, end))
        split.append([])
        offsets = iter(sentence.offsets)
        for token in sentence.surface:
            for part in range(token.words):
                begin, end = (start + place for place in next(offsets))
                split[-1].append((begin, end) if token.words == 1 else (begin, end, part))
    return Passage(raw, Item(trees, written), Item([sentence.tree for sentence in sentences], split))


def tools(code: str) -> tuple[Segmenter, TreeProvider]:
    """A language's segmenter and parser, with one thread each."""
    from sema_ud.parser import UniversalParser
    from sema_ud.segmenter import UniversalSegmenter

    if code == "zh":
        from sema_chinese.segmentation.segmenter import ChineseSegmenter, to_model_characters

        return ChineseSegmenter(threads=1), UniversalParser(code, threads=1, spelling=to_model_characters)
    return UniversalSegmenter(code, threads=1), UniversalParser(code, threads=1)
