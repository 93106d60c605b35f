"""The treebanks of Universal Dependencies that the parser learns from, their words as they are written.

A token that stands for several words (French *du*, Hebrew *בבית*) is kept whole: it has the head, relation and part of
speech of the word among them that is highest in the tree (:func:`contracted`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from sema_ud.atoms import atoms
from sema_ud.conllu import Sentence, Surface, read_sentences
from sema_ud.trees import ROOT, DependencyTree

from sema.datasets.folder import data_folder

HELD_OUT = 10
"""One sentence in so many is held out for choosing."""
RELATIVE = "PronType=Rel"
"""The one feature that Scenes depend on."""
CHINESE = Path(__file__).with_name("chinese.conllu.gz")
"""Chinese GSD's training part of UD 1.3, and HK, CFL and PUD, in simplified characters and today's conventions of GSD:
``training/chinese/conventions.py`` of commit 7f4660d1 made them."""
CHINESE_HELD_OUT, CHINESE_COPIES = 100, 3
"""Sentences of GSDSimp dev that are held out; how often the others, the only ones annotated today, are repeated."""
_NAME = re.compile(r"([a-z]+_[a-z]+)-(.+)\.conllu(\.gz)?")


@dataclass(frozen=True)
class Example:
    """A sentence: its tree over its words as they are written, and whether a space follows each."""

    treebank: str
    tree: DependencyTree
    spaces: tuple[bool, ...]


def contracted(sentence: Sentence, treebank: str = "") -> Example:
    """A sentence of a file with its words as they are written, none with a space in it.

    Words that nothing separates (Arabic *ل|أوباما*, which treebanks may write without a multiword token) are one.
    """
    tree = sentence.tree
    written = written_words(sentence.surface)
    group_of = [number for number, token in enumerate(written) for _ in range(token.words)]
    features = tree.features or ("",) * len(tree)
    rows = [
        (token.form, tree.upos[word], ROOT if tree.heads[word] == ROOT else group_of[tree.heads[word]],
         tree.relations[word], features[word])
        for token, word in zip(written, governing(tree, written), strict=True)
    ]  # fmt: skip
    return Example(treebank, *_without_spaces(rows, [token.space for token in written]))


def written_words(surface: Sequence[Surface]) -> list[Surface]:
    """The tokens; those that share an atom are joined."""
    text = "".join(token.form + (" " if token.space else "") for token in surface)
    starts = {atom.start for atom in atoms(text)}
    found: list[Surface] = []
    at = 0
    for token in surface:
        if at in starts or not found:
            found.append(token)
        else:
            before = found.pop()
            found.append(Surface(before.form + token.form, before.words + token.words, token.space))
        at += len(token.form) + token.space
    return found


def governing(tree: DependencyTree, written: Sequence[Surface]) -> list[int]:
    """For each written word, the tree's word in it that governs the others: the highest in the tree or, among equals,
    the one on which most words outside depend."""
    depths = [_depth(tree.heads, word) for word in range(len(tree))]
    governors = []
    at = 0
    for token in written:
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


def _without_spaces(
    words: Sequence[tuple[str, str, int, str, str]], spaces: Sequence[bool]
) -> tuple[DependencyTree, tuple[bool, ...]]:
    """The tree with words divided at their spaces (Vietnamese *thành phố*, French *10 000*): the other parts depend on
    the first by ``goeswith``."""
    parts = [word[0].split() or [word[0]] for word in words]
    firsts = list(accumulate(map(len, parts), initial=0))
    rows = []
    space_after: list[bool] = []
    for index, ((first, *others), (_, upos, head, relation, features)) in enumerate(zip(parts, words, strict=True)):
        rows.append((first, upos, ROOT if head == ROOT else firsts[head], relation, features))
        rows += [(part, upos, firsts[index], "goeswith", "") for part in others]
        space_after += [*[True] * len(others), spaces[index]]
    return DependencyTree(*zip(*rows, strict=True)), tuple(space_after)


def examples(file: Path) -> Iterator[Example]:
    """The sentences of a file of a treebank, whose name begins with that of the treebank."""
    named = _NAME.fullmatch(file.name)
    name = named[1] if named else file.name
    yield from (contracted(sentence, name) for sentence in read_sentences(file))


def files_of(part: str) -> list[Path]:
    """The files of ``ud/multi``: ``learn`` (train, dev and the first halves of PUD) or ``test``."""
    found = sorted(data_folder("ud", "multi").glob("*.conllu.gz"))
    return [file for file in found if file.name.endswith("-test.conllu.gz") == (part == "test")]


def learning() -> tuple[list[Example], list[Example]]:
    """The sentences to train on, and those held out for choosing."""
    learned: list[Example] = []
    held_out: list[Example] = []
    english = [data_folder("ud", "en_ewt", f"en_ewt-ud-{part}.conllu") for part in ("train", "dev")]
    for file in [*files_of("learn"), *english]:
        for number, one in enumerate(examples(file)):
            (learned if number % HELD_OUT else held_out).append(one)
    learned += map(_chinese, read_sentences(CHINESE))
    dev = [_chinese(one) for one in read_sentences(data_folder("ud", "zh_gsdsimp", "zh_gsdsimp-ud-dev.conllu"))]
    random.Random(20).shuffle(dev)
    return learned + dev[CHINESE_HELD_OUT:] * CHINESE_COPIES, held_out + dev[:CHINESE_HELD_OUT]


def _chinese(sentence: Sentence) -> Example:
    """A sentence with its words as they are, without features; its name begins with that of its treebank."""
    name = sentence.identifier.rpartition("-")[0]
    tree = replace(sentence.tree, features=())
    return Example(name if name.startswith("zh_") else "zh_gsdsimp", tree, tuple(sentence.spaces))
