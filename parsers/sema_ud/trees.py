"""Dependency trees: words, parts of speech, heads, relations; long sentences in parts, whose trees are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

ROOT = -1
"""The head of a sentence's root."""
MOST = 200
"""Most words of a part of a sentence: a sentence is parsed in one pass, whose memory grows with their square."""
LEAST = 40
"""A part that is cut at a mark has more words than this."""
FULL_STOPS = frozenset("，,；;：:。.！!？?、…")


@dataclass(frozen=True)
class DependencyTree:
    """One sentence's basic UD tree.

    The four sequences are parallel; ``heads`` are word indexes, ``ROOT`` for the root. ``features`` are UD's, as the
    CoNLL-U column writes them (``PronType=Rel|Case=Nom``), empty where unknown.
    """

    words: tuple[str, ...]
    upos: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    features: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        size = len(self.words)
        columns = (self.upos, self.heads, self.relations, self.features or self.words)
        if any(len(column) != size for column in columns):
            raise ValueError("a dependency tree's columns must be of one length")
        fault = fault_of(self.heads)
        if fault:
            raise ValueError(fault)

    def __len__(self) -> int:
        return len(self.words)

    def has_feature(self, index: int, feature: str) -> bool:
        """Whether a word carries a feature, given as ``Name=Value``, alone or with others (``PronType=Dem,Rel``)."""
        return bool(self.features) and has_value(self.features[index], feature)


def has_value(features: str, feature: str) -> bool:
    """Whether a features column has one, given as ``Name=Value``, alone or among others (``PronType=Dem,Rel``)."""
    name, _, value = feature.partition("=")
    found = (one.partition("=") for one in features.split("|"))
    return any(known == name and value in values.split(",") for known, _, values in found)


def fault_of(heads: Sequence[int]) -> str | None:
    """Why ``heads`` is not a tree, as a message; None if it is one."""
    for index, head in enumerate(heads):
        if not ROOT <= head < len(heads):
            return f"word {index + 1} has head {head + 1}, which the sentence lacks"
    roots = [index + 1 for index, head in enumerate(heads) if head == ROOT]
    if heads and len(roots) != 1:
        return "the sentence has no root" if not roots else f"words {roots[0]} and {roots[1]} are both roots"
    safe: set[int] = {ROOT}
    for start in range(len(heads)):
        path = []
        node = start
        while node not in safe:
            path.append(node)
            node = heads[node]
            if node in path:
                return f"word {node + 1} is its own ancestor"
        safe.update(path)
    return None


@runtime_checkable
class TreeProvider(Protocol):
    """Parses tokenized sentences into dependency trees."""

    signature: str
    """Name, version and the models' hash, for the result's signature."""

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """One tree for each sentence, with the sentence's own words, index for index."""
        ...


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
