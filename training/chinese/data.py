"""Training and development files for Stanza's trainers, from the treebanks under ``SEMA_DATA``."""

from __future__ import annotations

import json
import logging
import random
from pathlib import Path

from sema.datasets.folder import data_folder
from training.chinese import conventions
from training.ud import treebank
from training.ud.treebank import Tree

log = logging.getLogger(__name__)

SEED = 20
HELD_OUT = 100
"""Sentences of gsdsimp dev kept for early stopping; the rest is trained on, with the weight below."""
DEV_WEIGHT = 3
"""How often the trained part of gsdsimp dev, the only trees in today's own conventions, is repeated."""


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


def load() -> tuple[list[Tree], list[Tree], list[Tree]]:
    """(trees with XPOS, trees without, held-out trees), all in simplified characters."""
    ud = data_folder("ud")
    old = treebank.read(ud / "zh_gsd" / "zh_gsd-ud1.3-train.conllu")
    kept = []
    for tree in old:
        conventions.to_current(tree)
        if conventions.check(tree):
            kept.append(tree)
    _spaces(kept)
    log.info("UD 1.3 train part: %d of %d trees kept", len(kept), len(old))
    dev = treebank.read(ud / "zh_gsdsimp" / "zh_gsdsimp-ud-dev.conllu")
    random.Random(SEED).shuffle(dev)
    held_out, trained = dev[:HELD_OUT], dev[HELD_OUT:]
    pud = treebank.read(ud / "zh_pud" / "zh_pud-001-500.conllu")
    untagged = [
        tree for name in ("hk", "cfl") for tree in treebank.read(ud / f"zh_{name}" / f"zh_{name}-ud-test.conllu")
    ]
    conventions.harmonise([*pud, *untagged], kept)
    for trees in (kept, pud, untagged):
        simplify(trees)
    return kept + pud + trained * DEV_WEIGHT, untagged, held_out


def prepare(folder: Path) -> None:
    """Write the files that Stanza's trainers read to ``folder``.

    ``tagged`` and ``untagged`` (for the tagger: with XPOS and without) and ``dev`` are CoNLL-U; the tokenizer takes
    text and label files, which hold each sentence once.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tagged, untagged, dev = load()
    random.Random(SEED).shuffle(tagged)
    treebank.write(folder / "tagged.conllu", tagged, "tagged")
    treebank.write(folder / "untagged.conllu", untagged, "untagged")
    treebank.write(folder / "dev.conllu", dev, "dev")
    _tokenizer_files(folder, "train", [*{id(tree): tree for tree in tagged}.values(), *untagged])
    _tokenizer_files(folder, "dev", dev)
    (folder / "mwt.json").write_text(json.dumps([]), encoding="utf-8")


def _tokenizer_files(folder: Path, name: str, trees: list[Tree]) -> None:
    """Text and character labels (0 inside, 1 end of word, 2 end of sentence), one paragraph for each sentence."""
    text, labels = [], []
    for tree in trees:
        line = ""
        marks = ""
        for index, node in enumerate(tree.nodes):
            last = index == len(tree) - 1
            line += node.form
            marks += "0" * (len(node.form) - 1) + ("2" if last else "1")
            if node.space_after and not last:
                line += " "
                marks += "0"
        text.append(line)
        labels.append(marks)
    (folder / f"{name}.txt").write_text("\n\n".join(text) + "\n\n", encoding="utf-8")
    (folder / f"{name}.labels").write_text("\n\n".join(labels) + "\n\n", encoding="utf-8")
