"""The treebanks of Chinese in today's conventions of UD Chinese GSD, in simplified characters."""

from __future__ import annotations

import logging
import random

from sema.datasets.folder import data_folder
from training.chinese import conventions
from training.trees import editable
from training.trees.editable import Tree

log = logging.getLogger(__name__)

SEED = 20
HELD_OUT = 100
"""Sentences of gsdsimp dev kept for early stopping; the rest is trained on, with the weight below."""
DEV_WEIGHT = 3
"""How often the trained part of gsdsimp dev, the only trees in today's own conventions, is repeated; it counts
as a treebank of its own, so that mapped labels need not agree with it."""


def simplify(trees: list[Tree]) -> None:
    """Convert word forms to simplified characters, in place; a word keeps its length.

    The Taiwanese table also knows 著 as the particle 着, as gsdsimp writes it.
    """
    from opencc import OpenCC

    converter = OpenCC("tw2s")
    for tree in trees:
        whole = "".join(node.form for node in tree.nodes)
        converted = converter.convert(whole)
        position = 0
        for node in tree.nodes:
            length = len(node.form)
            if len(converted) == len(whole):
                node.form = converted[position : position + length]
            else:
                node.form = converter.convert(node.form)
            node.form = node.form.replace("「", "“").replace("」", "”")
            position += length


def _spaces(trees: list[Tree]) -> None:
    """UD 1.3 does not mark spaces: there is one between Latin words, none between Chinese ones."""
    for tree in trees:
        for node, following in zip(tree.nodes, tree.nodes[1:], strict=False):
            latin = node.form[-1:].isascii() and following.form[:1].isascii()
            node.space_after = latin and node.form[-1:].isalnum() and following.form[:1].isalnum()
        tree.nodes[-1].space_after = False


def load() -> tuple[list[tuple[str, Tree]], list[tuple[str, Tree]]]:
    """The trees to train on and the held-out trees, each with the name of its treebank."""
    ud = data_folder("ud")
    old = editable.read(ud / "zh_gsd" / "zh_gsd-ud1.3-train.conllu")
    kept = []
    for tree in old:
        conventions.to_current(tree)
        if conventions.check(tree):
            kept.append(tree)
    _spaces(kept)
    log.info("UD 1.3 train part: %d of %d trees kept", len(kept), len(old))
    dev = editable.read(ud / "zh_gsdsimp" / "zh_gsdsimp-ud-dev.conllu")
    random.Random(SEED).shuffle(dev)
    others = {
        "zh_pud": editable.read(ud / "zh_pud" / "zh_pud-001-500.conllu"),
        "zh_hk": editable.read(ud / "zh_hk" / "zh_hk-ud-test.conllu"),
        "zh_cfl": editable.read(ud / "zh_cfl" / "zh_cfl-ud-test.conllu"),
    }
    conventions.harmonise([tree for trees in others.values() for tree in trees], kept)
    for trees in (kept, *others.values()):
        simplify(trees)
    learned = [("zh_gsd", tree) for tree in kept] + [("zh_gsdsimp", tree) for tree in dev[HELD_OUT:] * DEV_WEIGHT]
    learned += [(name, tree) for name, trees in others.items() for tree in trees]
    return learned, [("zh_gsdsimp", tree) for tree in dev[:HELD_OUT]]
