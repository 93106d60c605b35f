"""The treebanks of Chinese in today's conventions of UD Chinese GSD, in simplified characters (:func:`load`).

Every rule is derived from the difference between the label counts of the UD 1.3 train part and of today's GSD dev part;
the sentences differ, but the guidelines for the words do not.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise

from sema_ud.trees import fault_of

from sema.datasets.folder import data_folder
from training.trees import editable
from training.trees.editable import Tree, attach_punctuation

UPOS_BY_XPOS = {"CC": "CCONJ", "AS": "AUX", "UH": "PART", "MD": "AUX"}
RELATIONS = {
    "dobj": "obj", "nsubjpass": "nsubj:pass", "csubjpass": "csubj:pass", "auxpass": "aux:pass", "neg": "advmod",
    "mwe": "fixed", "name": "flat:name", "foreign": "flat:foreign", "case:dec": "case", "case:aspect": "aux",
    "case:suff": "compound", "case:pref": "case", "mark:prt": "mark", "compound:vv": "mark", "compound:dir": "mark",
    "compound:vo": "obj", "case:loc": "case", "obl:tmod": "nmod:tmod", "discourse:sp": "discourse",
    "flat": "flat:name", "advmod:df": "advmod", "obj:periph": "dislocated",
}  # fmt: skip
FULL_WIDTH = {",": "，", ".": "。", "(": "（", ")": "）", "?": "？", "!": "！", ":": "：", ";": "；"}
NAME_DOTS = {"·", "‧", "・"}
SURNAMES = set(
    "王李張劉陳楊黃趙吳周徐孫馬朱胡郭何林高羅鄭梁謝宋唐許韓馮鄧曹彭曾蕭田董袁潘于蔣蔡余杜葉程蘇魏呂丁任沈姚盧姜崔鍾譚陸汪范"
    "石廖賈夏韋付方白鄒孟熊秦邱江尹薛閻段雷侯龍史陶黎賀顧毛郝龔邵萬錢嚴覃武戴莫孔向湯霍"
)
CONTENT = {"NOUN", "PROPN", "NUM", "PRON", "X", "SYM"}


def to_current(tree: Tree) -> None:
    """Rewrite a UD 1.3 tree of Chinese GSD, in place, to today's conventions of the treebank."""
    _words(tree)
    _causatives(tree)
    for node in tree:
        node.deprel = RELATIONS.get(node.deprel, node.deprel)
    _first_clause_heads(tree)
    _function_words(tree)
    _names(tree)
    _nominals(tree)
    _classifiers(tree)
    _appositions(tree)
    _conjunctions(tree)
    attach_punctuation(tree)


def harmonise(trees: Iterable[Tree], reference: Iterable[Tree]) -> None:
    """Bring other treebanks of Chinese (HK, CFL, PUD) closer to GSD, whose trees are the ``reference``, in place."""
    marks = _clause_marks(reference)
    for tree in trees:
        for index, node in enumerate(tree):
            node.deprel = RELATIONS.get(node.deprel, node.deprel)
            if node.deprel == "acl" and any(tree[child].form in {"的", "之"} for child in tree.children(index)):
                node.deprel = "acl:relcl"
        for index, node in enumerate(tree):
            if node.form in {"的", "之"} and node.deprel == "mark:rel":
                node.upos = "SCONJ"
            elif node.upos == "ADV" and node.form in marks and node.deprel == "advmod":
                node.upos, node.deprel = "SCONJ", "mark"
            elif node.deprel == "compound" and node.upos in CONTENT and tree[node.head].xpos != "SFN":
                node.deprel = "nmod"
            elif node.deprel == "dep" and tree[node.head].upos in {"VERB", "ADJ", "NOUN"}:
                node.deprel = "parataxis" if node.head < index else "advcl"
        attach_punctuation(tree)


def _clause_marks(trees: Iterable[Tree]) -> set[str]:
    """The adverbs that GSD mostly calls SCONJ and mark (也, 但, 並 …)."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for tree in trees:
        for node in tree:
            if node.upos in {"ADV", "SCONJ"}:
                counts[node.form][node.upos] += 1
    return {word for word, tags in counts.items() if tags["SCONJ"] > tags["ADV"]}


def _words(tree: Tree) -> None:
    for index, node in enumerate(tree):
        if node.upos == "PUNCT":
            previous = tree[index - 1].form if index else ""
            following = tree[index + 1].form if index + 1 < len(tree) else ""
            if not (previous.isascii() and following.isascii() and previous.isalnum() and following.isalnum()):
                node.form = FULL_WIDTH.get(node.form, node.form)
        node.upos = UPOS_BY_XPOS.get(node.xpos, "CCONJ" if node.upos == "CONJ" else node.upos)
        if node.xpos == "RB" and node.deprel == "mark":
            node.upos = "SCONJ"
        elif node.deprel in {"cop", "auxpass"}:
            node.upos = "AUX"
        elif node.xpos == "DEC" and node.deprel == "acl:relcl":
            node.upos, node.deprel = "SCONJ", "mark:rel"
        elif node.xpos == "DEV" and node.deprel == "mark":
            node.upos, node.deprel = "SCONJ", "mark:adv"


def _causatives(tree: Tree) -> None:
    """將 and 把: now a preposition of the patient that follows, no longer an auxiliary of the verb."""
    for index, node in enumerate(tree):
        if node.deprel != "aux:caus":
            continue
        node.upos = "ADP"
        after = [child for child in tree.children(node.head) if index < child < node.head]
        patients = [child for child in after if tree[child].deprel in {"dobj", "nmod", "nsubj", "iobj"}]
        if patients:
            tree[patients[0]].deprel = "obl:patient"
            node.head, node.deprel = patients[0], "case"
        else:
            node.deprel = "advmod"


def _first_clause_heads(tree: Tree) -> None:
    """Coordinate clauses: UD 1.3 made them ``dep`` of the last one; now they are ``parataxis`` of the first."""
    for last in range(len(tree)):
        before = [child for child in tree.children(last) if child < last and tree[child].deprel == "dep"]
        clauses = [child for child in before if tree[child].upos not in {"PUNCT", "PART", "ADP"}]
        if not clauses:
            continue
        first, *others = clauses
        tree[first].head, tree[first].deprel = tree[last].head, tree[last].deprel
        for clause in [*others, last]:
            tree[clause].head, tree[clause].deprel = first, "parataxis"
        for child in tree.children(last):
            if child < first:
                tree[child].head = first
    for index, node in enumerate(tree):
        if node.deprel == "dep":
            node.deprel = "parataxis" if 0 <= node.head < index else "nmod"


def _is_predicate(tree: Tree, index: int) -> bool:
    if index < 0:
        return False
    node = tree[index]
    if node.upos in {"VERB", "AUX"} or node.deprel in {"root", "parataxis", "ccomp", "advcl", "acl:relcl", "xcomp"}:
        return True
    return any(tree[child].deprel in {"cop", "nsubj", "csubj"} for child in tree.children(index))


def _function_words(tree: Tree) -> None:
    for index, node in enumerate(tree):
        if node.xpos == "IN" and node.deprel in {"acl", "det", "nmod"}:
            node.deprel = "case"
        elif node.deprel == "acl" and node.upos in {"VERB", "ADJ", "AUX"} and _is_predicate(tree, node.head):
            node.deprel = "advcl"
        elif node.deprel == "nsubj" and any(
            tree[child].deprel == "aux:pass" and child < index < node.head for child in tree.children(node.head)
        ):
            node.deprel = "obl:agent"


def _names(tree: Tree) -> None:
    """A person's name is headed by its first word; a title before it takes the name as its apposition."""
    for index, node in enumerate(tree):
        if node.xpos != "NNP" or node.deprel != "nmod" or node.head <= index or tree[node.head].xpos != "NNP":
            continue
        dotted = node.head == index + 2 and tree[index + 1].form in NAME_DOTS
        given = tree[node.head]
        surname = node.head == index + 1 and node.form in SURNAMES and len(given.form) <= 2
        if not dotted and not surname:
            continue
        last = node.head
        node.head, node.deprel = given.head, given.deprel
        given.head, given.deprel = index, "flat:name"
        for child in tree.children(last):
            if child == index or (dotted and child == index + 1):
                continue
            tree[child].head = index
            if tree[child].deprel == "nmod" and tree[child].xpos == "NNP" and child > index:
                tree[child].deprel = "flat:name"
        title = index - 1
        if title >= 0 and tree[title].xpos in {"NN", "SFN"} and tree[title].head == index:
            tree[title].head, tree[title].deprel = node.head, node.deprel
            for child in tree.children(index):
                if child != title and tree[child].deprel not in {"flat:name", "punct"}:
                    tree[child].head = title
            node.head, node.deprel = title, "appos"


def _nominals(tree: Tree) -> None:
    for index, node in enumerate(tree):
        if node.deprel == "det" and node.upos in {"NOUN", "PROPN", "PART", "NUM", "X"}:
            node.deprel = "nmod"
        elif node.deprel == "advmod" and node.upos in {"NOUN", "PROPN", "PART"} and node.head > index:
            node.deprel = "obl"
        upos = tree[node.head].upos
        if node.deprel == "nmod" and (upos in {"VERB", "AUX"} or (upos == "ADJ" and _is_predicate(tree, node.head))):
            node.deprel = "obl"


def _classifiers(tree: Tree) -> None:
    """一 個 人: the numeral now depends on the noun, the classifier on the numeral."""
    for index, node in enumerate(tree):
        if node.xpos != "NNB" or node.deprel != "nmod" or node.head <= index:
            continue
        if node.form == "年" and tree[node.head].xpos != "NNB":
            continue  # a year on its own is an attribute
        if tree[node.head].upos not in {"NOUN", "PROPN", "PART", "X"}:
            continue
        children = tree.children(index)
        counts = [child for child in children if child < index and tree[child].deprel in {"nummod", "det"}]
        if not counts or any(tree[child].deprel in {"case", "acl"} for child in children):
            continue
        count = counts[-1]
        noun = node.head
        for child in children:
            if tree[child].upos != "PUNCT":
                tree[child].head = noun
        node.head, node.deprel = count, "clf"


def _appositions(tree: Tree) -> None:
    """An apposition now follows its head."""
    for first, node in enumerate(tree):
        if node.deprel == "appos" and node.head > first:
            second = node.head
            node.head, node.deprel = tree[second].head, tree[second].deprel
            tree[second].head, tree[second].deprel = first, "appos"


def _conjunctions(tree: Tree) -> None:
    """A conjunction depends on the conjunct that follows it."""
    for index, node in enumerate(tree):
        if node.deprel != "cc" or node.head > index:
            continue
        following = [child for child in tree.children(node.head) if child > index and tree[child].deprel == "conj"]
        if following:
            node.head = following[0]


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
        whole = "".join(node.form for node in tree)
        converted = converter.convert(whole)
        position = 0
        for node in tree:
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
        for node, following in pairwise(tree):
            beside = node.form[-1:], following.form[:1]
            node.space_after = all(char.isascii() and char.isalnum() for char in beside)
        tree[-1].space_after = False


def load() -> tuple[list[tuple[str, Tree]], list[tuple[str, Tree]]]:
    """The trees to train on and the held-out trees, each with the name of its treebank."""

    def read(treebank: str, part: str) -> list[Tree]:
        return editable.read(data_folder("ud", treebank, f"{treebank}-{part}.conllu"))

    kept = read("zh_gsd", "ud1.3-train")
    for tree in kept:
        to_current(tree)
    kept = [tree for tree in kept if fault_of([node.head for node in tree]) is None]  # the rules may leave no tree
    _spaces(kept)
    dev = read("zh_gsdsimp", "ud-dev")
    random.Random(SEED).shuffle(dev)
    parts = {"zh_pud": "001-500", "zh_hk": "ud-test", "zh_cfl": "ud-test"}
    others = {name: read(name, part) for name, part in parts.items()}
    harmonise([tree for trees in others.values() for tree in trees], kept)
    for trees in (kept, *others.values()):
        simplify(trees)
    learned = [("zh_gsd", tree) for tree in kept] + [("zh_gsdsimp", tree) for tree in dev[HELD_OUT:] * DEV_WEIGHT]
    learned += [(name, tree) for name, trees in others.items() for tree in trees]
    return learned, [("zh_gsdsimp", tree) for tree in dev[:HELD_OUT]]
