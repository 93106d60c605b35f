"""Sentences that are too long for one pass: cut in parts, whose trees are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sema_ud.trees import ROOT, DependencyTree

MOST = 200
"""Most words of a part: memory grows with their square."""
LEAST = 40
"""A part that is cut at a mark has more words than this."""
FULL_STOPS = frozenset("，,；;：:。.！!？?、…")


@dataclass(frozen=True)
class Parse:
    """One sentence's columns, as CoNLL-U has them: heads count from 1 and are 0 for the root."""

    upos: tuple[str, ...]
    features: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]


def cut(words: Sequence[str], sizes: Sequence[int] | None = None, most: int = 0) -> list[list[str]]:
    """Parts of at most :data:`MOST` words, cut after the last mark that leaves more than :data:`LEAST` words.

    With ``sizes``, the number of pieces of each word, a part of several words also has at most ``most`` pieces.
    """
    parts = []
    start = 0
    while start < len(words):
        end = min(len(words), start + MOST)
        if sizes is not None:
            while end > start + 1 and sum(sizes[start:end]) > most:
                end -= 1
        if end < len(words):
            places = range(end, start + min(LEAST, end - start), -1)
            end = next((at for at in places if words[at - 1] in FULL_STOPS), end)
        parts.append(list(words[start:end]))
        start = end
    return parts


def joined(parts: Sequence[Sequence[str]], parses: Sequence[Parse]) -> DependencyTree:
    """One tree from the parts of a sentence; the roots of later parts depend on the first root as ``parataxis``."""
    words: list[str] = []
    upos: list[str] = []
    heads: list[int] = []
    relations: list[str] = []
    features: list[str] = []
    root = ROOT
    for part, parse in zip(parts, parses, strict=True):
        offset = len(words)
        for head, relation in zip(parse.heads, parse.relations, strict=True):
            if head:
                heads.append(offset + head - 1)
                relations.append(relation or "dep")
            else:
                heads.append(root)
                relations.append("root" if root == ROOT else "parataxis")
        upos.extend(tag or "X" for tag in parse.upos)
        features.extend(parse.features)
        words.extend(part)
        if root == ROOT:
            root = heads.index(ROOT)
    return DependencyTree(tuple(words), tuple(upos), tuple(heads), tuple(relations), tuple(features))
