"""A dependency tree that can be edited in place, read from CoNLL-U."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sema_ud.conllu import read_sentences
from sema_ud.trees import DependencyTree


@dataclass
class Node:
    """One word: ``head`` is an index into the sentence, -1 for the root."""

    form: str
    upos: str
    xpos: str
    head: int
    deprel: str
    space_after: bool = False


@dataclass
class Tree:
    """A sentence as a list of nodes; the position in the list is the word's index."""

    nodes: list[Node] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.nodes)

    def __getitem__(self, index: int) -> Node:
        return self.nodes[index]

    @property
    def root(self) -> int:
        """The index of the root."""
        return next(index for index, node in enumerate(self.nodes) if node.head < 0)

    def children(self, index: int) -> list[int]:
        """The dependents of a word, in text order."""
        return [child for child, node in enumerate(self.nodes) if node.head == index]

    def descendants(self, index: int) -> set[int]:
        """The word and everything below it."""
        found: set[int] = set()
        stack = [index]
        while stack:
            node = stack.pop()
            if node not in found:
                found.add(node)
                stack.extend(self.children(node))
        return found

    @property
    def text(self) -> str:
        """The sentence as running text."""
        return "".join(node.form + (" " if node.space_after else "") for node in self.nodes).strip()

    def dependencies(self) -> DependencyTree:
        """The tree as a :class:`DependencyTree`, without features."""
        rows = [(node.form, node.upos, node.head, node.deprel) for node in self.nodes]
        words, upos, heads, relations = zip(*rows, strict=True)
        return DependencyTree(words, upos, heads, relations)


def read(path: Path) -> list[Tree]:
    """The trees of a CoNLL-U file; multiword tokens and empty nodes are left out."""
    trees = []
    for sentence in read_sentences(path, version_1=True):
        tree = sentence.tree
        columns = (tree.words, tree.upos, sentence.xpos, tree.heads, tree.relations, sentence.spaces)
        trees.append(Tree([Node(*row) for row in zip(*columns, strict=True)]))
    return trees
