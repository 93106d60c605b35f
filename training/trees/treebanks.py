"""The treebanks of Universal Dependencies that the parser learns from, their words as they are written.

A token that stands for several words (French *du*, Hebrew *בבית*) is kept whole: it has the head, relation and part of
speech of the word that governs the others, or hangs highest (:func:`contracted`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sema_ud.conllu import Sentence, read_sentences
from sema_ud.trees import ROOT, DependencyTree

from sema.datasets.folder import data_folder
from training.chinese.data import load as load_chinese

HELD_OUT = 10
"""Every so-manieth sentence is kept for choosing."""
RELATIVE = "PronType=Rel"
"""The one feature that Scenes depend on."""
_NAME = re.compile(r"([a-z]+_[a-z]+)-(.+)\.conllu(\.gz)?")


@dataclass(frozen=True)
class Example:
    """A sentence: its tree over its words as they are written, and whether a space follows each."""

    treebank: str
    tree: DependencyTree
    spaces: tuple[bool, ...]


def contracted(sentence: Sentence) -> Example:
    """A sentence of a file with its surface tokens as words; the treebank is not named."""
    tree = sentence.tree
    group_of = [number for number, token in enumerate(sentence.surface) for _ in range(token.words)]
    governors = governing(sentence)
    heads = [tree.heads[governor] for governor in governors]
    features = tree.features or ("",) * len(tree)
    merged = DependencyTree(
        tuple(token.form for token in sentence.surface),
        tuple(tree.upos[governor] for governor in governors),
        tuple(ROOT if head == ROOT else group_of[head] for head in heads),
        tuple(tree.relations[governor] for governor in governors),
        tuple(features[governor] for governor in governors),
    )
    return Example("", merged, tuple(token.space for token in sentence.surface))


def governing(sentence: Sentence) -> list[int]:
    """For each surface token the word that governs its others: the highest in the tree, of equals the one on which
    most words outside the token depend."""
    tree = sentence.tree
    depths = [_depth(tree.heads, word) for word in range(len(tree))]
    governors = []
    at = 0
    for token in sentence.surface:
        parts = range(at, at + token.words)
        at += token.words
        outside = {part: sum(head == part and child not in parts for child, head in enumerate(tree.heads))
                   for part in parts}  # fmt: skip
        governors.append(min(parts, key=lambda part: (depths[part], -outside[part], part)))
    return governors


def _depth(heads: Sequence[int], word: int) -> int:
    steps = 0
    while heads[word] != ROOT:
        word = heads[word]
        steps += 1
    return steps


def examples(file: Path) -> Iterator[Example]:
    """The sentences of a file of a treebank, whose name begins with that of the treebank."""
    named = _NAME.fullmatch(file.name)
    name = named[1] if named else file.name
    for sentence in read_sentences(file):
        one = contracted(sentence)
        yield Example(name, one.tree, one.spaces)


def files_of(part: str) -> list[Path]:
    """The files of the many languages: ``learn`` (train, dev and the first halves of PUD) or ``test``."""
    found = sorted(data_folder("ud", "multi").glob("*.conllu.gz"))
    return [file for file in found if file.name.endswith("-test.conllu.gz") == (part == "test")]


def learning() -> tuple[list[Example], list[Example]]:
    """What is learned from, and what is held out for choosing."""
    learned: list[Example] = []
    held_out: list[Example] = []
    english = [data_folder("ud", "en_ewt", f"en_ewt-ud-{part}.conllu") for part in ("train", "dev")]
    for file in [*files_of("learn"), *english]:
        for number, one in enumerate(examples(file)):
            named = Example("en_ewt", one.tree, one.spaces) if file in english else one
            (learned if number % HELD_OUT else held_out).append(named)
    for chinese, kept in zip(load_chinese(), (learned, held_out), strict=True):
        kept += [Example(name, tree.dependencies(), tuple(node.space_after for node in tree.nodes))
                 for name, tree in chinese]  # fmt: skip
    return learned, held_out
