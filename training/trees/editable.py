"""A dependency tree that can be edited in place, read from CoNLL-U; punctuation by UD version 2's rules.

A comma belongs to the subordinate unit it sets off, a pair of quotes or brackets to what it encloses, a sentence's
last mark to the root. One word in seven is punctuation, so that a parser trained on mixed conventions loses here first.
"""

from __future__ import annotations

from dataclasses import dataclass
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


class Tree(list[Node]):
    """A sentence; a word's index is its position."""

    @property
    def root(self) -> int:
        """The index of the root."""
        return next(index for index, node in enumerate(self) if node.head < 0)

    def children(self, index: int) -> list[int]:
        """The dependents of a word, in text order."""
        return [child for child, node in enumerate(self) if node.head == index]

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

    def dependencies(self) -> DependencyTree:
        """The tree as a :class:`DependencyTree`, without features."""
        rows = [(node.form, node.upos, node.head, node.deprel) for node in self]
        return DependencyTree(*zip(*rows, strict=True))


def read(path: Path) -> list[Tree]:
    """The trees of a CoNLL-U file; multiword tokens and empty nodes are left out."""
    trees = []
    for sentence in read_sentences(path, version_1=True):
        tree = sentence.tree
        columns = (tree.words, tree.upos, sentence.xpos, tree.heads, tree.relations, sentence.spaces)
        trees.append(Tree(map(Node, *columns)))
    return trees


PAIRS = dict(zip("（(《〈「『“‘【〔", "）)》〉」』”’】〕", strict=True))
JOINING = set("、·‧・/")
FINAL = set("。！？.!?…")


def attach_punctuation(tree: Tree) -> None:
    """Give every PUNCT word the head that UD version 2's guidelines give it."""
    marks = [index for index, node in enumerate(tree) if node.upos == "PUNCT" and node.head >= 0]
    words = [index for index, node in enumerate(tree) if node.upos != "PUNCT"]
    if not words:
        return
    for mark in marks:  # a word must not hang on punctuation
        for child in tree.children(mark):
            tree[child].head = tree[mark].head
    spans = _spans(tree, set(marks))
    done = _attach_pairs(tree, spans)
    for mark in marks:
        if mark in done:
            continue
        left = max((word for word in words if word < mark), default=None)
        right = min((word for word in words if word > mark), default=None)
        tree[mark].head = _between(tree, spans, mark, left, right)


def _spans(tree: Tree, marks: set[int]) -> dict[int, tuple[int, int]]:
    """First and last word of the subtree under each word, punctuation left out."""
    below = {index: tree.descendants(index) - marks for index in range(len(tree)) if index not in marks}
    return {index: (min(words), max(words)) for index, words in below.items()}


def _between(tree: Tree, spans: dict[int, tuple[int, int]], mark: int, left: int | None, right: int | None) -> int:
    """The head of a mark between two words: the unit that ends or begins there and depends on the other side."""
    if right is None or left is None:
        return tree.root
    on_left = _widest(tree, spans, left, side=1)
    on_right = _widest(tree, spans, right, side=0)
    before, after = tree[on_left].head > mark, 0 <= tree[on_right].head < mark
    if after and (tree[mark].form in JOINING or not before):
        return on_right
    if before:
        return on_left
    return tree.root if tree[mark].form in FINAL else on_left


def _widest(tree: Tree, spans: dict[int, tuple[int, int]], word: int, side: int) -> int:
    """The highest word over ``word`` whose subtree still ends (side 1) or begins (side 0) with it."""
    top = word
    while tree[top].head in spans and spans[tree[top].head][side] == word:
        top = tree[top].head
    return top


def _attach_pairs(tree: Tree, spans: dict[int, tuple[int, int]]) -> set[int]:
    done: set[int] = set()
    stack: list[int] = []
    for index, node in enumerate(tree):
        if node.upos != "PUNCT":
            continue
        if node.form in PAIRS:
            stack.append(index)
        elif stack and node.form == PAIRS[tree[stack[-1]].form]:
            first = stack.pop()
            heads = [word for word in range(first + 1, index) if word in spans and not first < tree[word].head < index]
            if heads:
                for mark in (first, index):
                    tree[mark].head = heads[0]
                    done.add(mark)
    return done
