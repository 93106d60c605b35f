"""Chinese dependency trees with the labels of LTP and Baidu (HED, SBV, VOB …) as trees of Universal Dependencies.

LTP's scheme (Harbin Institute of Technology) has 15 labels, those of Baidu's parsers are variants and extensions of it.
All of them make prepositions and particles heads of what they mark (在 <POB 巴黎), where UD makes them its dependents;
so the two change places first. Then every label becomes a relation, by itself or by the dependent's part of speech.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sema_ud.trees import ROOT, DependencyTree

_MARKED = frozenset({"POB", "DE", "DI", "DEI", "SUO", "BA", "BEI", "SIM"})
"""Labels of words headed by the function word that marks them."""
_LOCALIZERS = frozenset({"nd", "f"})
"""Tags of 上, 内, 后 …, which LTP makes heads of the noun that they place (贸易区 内)."""
_LTP_TAGS = frozenset({"wp", "nd", "nh", "ni", "nl"})
"""Tags that Baidu's sets lack: if one occurs, ``nt`` is a time and not an organisation."""
_TIME = re.compile(
    r".*[年月日号时点分秒天周晚晨午夜代期]|今|昨|明|[今昨明去前后][天年日晚]|当时|目前|现在|近日|此前|如今"
)

_UPOS: Mapping[str, str] = MappingProxyType({
    "a": "ADJ", "ad": "ADV", "an": "NOUN", "b": "ADJ", "c": "CCONJ", "d": "ADV", "e": "INTJ", "h": "PART", "k": "PART",
    "m": "NUM", "mq": "NUM", "nh": "PROPN", "ni": "PROPN", "nr": "PROPN", "ns": "PROPN", "nz": "PROPN", "o": "INTJ",
    "p": "ADP", "q": "NOUN", "r": "PRON", "u": "PART", "v": "VERB", "vd": "VERB", "vn": "NOUN", "w": "PUNCT",
    "wp": "PUNCT", "x": "X", "xc": "PART", "PER": "PROPN", "LOC": "PROPN", "ORG": "PROPN", "TIME": "NOUN",
})  # fmt: skip
"""Parts of speech by the tags of LTP and of Baidu's LAC; any other tag is a noun's (n, nt, s, t, i, j, l …)."""

_PLAIN: Mapping[str, str] = MappingProxyType({
    "HED": "root", "IOB": "iobj", "DOB": "obj", "FOB": "obj", "TOP": "dislocated", "COO": "conj", "VV": "conj",
    "IS": "parataxis", "IC": "parataxis", "DC": "parataxis", "CS": "advcl", "APP": "appos", "QUN": "nummod",
    "ADJ": "advmod", "TMP": "obl:tmod", "LOC": "obl", "F": "case", "MT": "aux", "VNV": "compound", "YGC": "flat",
    "CNJ": "mark", "WP": "punct",
})  # fmt: skip
"""Relations of labels that do not depend on the words."""


@dataclass
class _Tree:
    """A tree under conversion; ``heads`` are indexes, :data:`~sema_ud.trees.ROOT` for the root."""

    words: Sequence[str]
    tags: list[str]
    heads: list[int]
    labels: list[str]

    def below(self, word: int) -> list[int]:
        return [child for child, head in enumerate(self.heads) if head == word]

    def change_places(self, marker: int, marked: int, label: str) -> None:
        """Swap ``marked`` with its head, which becomes its marker."""
        for child in self.below(marker):
            if child != marked:
                self.heads[child] = marked
        self.heads[marked], self.labels[marked] = self.heads[marker], self.labels[marker]
        self.heads[marker], self.labels[marker] = marked, label

    def is_verb(self, word: int) -> bool:
        return self.tags[word] in ("v", "vd")

    def is_time(self, word: int) -> bool:
        tag = self.tags[word]
        if tag == "nt":
            return not _LTP_TAGS.isdisjoint(self.tags) or bool(_TIME.fullmatch(self.words[word]))
        return tag in ("t", "TIME")

    def is_clause(self, word: int) -> bool:
        """Whether a word is a predicate: a verb, or any word with a subject or an object."""
        return self.is_verb(word) or any(self.labels[child] in ("SBV", "VOB", "FOB") for child in self.below(word))


def to_ud(tree: DependencyTree, tags: Sequence[str]) -> DependencyTree:
    """Convert a tree with the labels of LTP or Baidu to UD 2; ``tags`` are the words' original parts of speech."""
    given = _Tree(tree.words, list(tags), list(tree.heads), list(tree.relations))
    # A marked word takes over its marker's label: one less each time.
    while marked := [word for word, label in enumerate(given.labels) if label in _MARKED and given.heads[word] != ROOT]:
        word = marked[0]
        marker = given.heads[word]
        label = "case" if given.labels[word] == "POB" or given.tags[marker] == "p" else "mark"
        given.change_places(marker, word, label)
    for word, tag in enumerate(tags):
        nouns = [child for child in given.below(word) if given.labels[child] == "ATT" and child < word]
        if tag in _LOCALIZERS and nouns and given.labels[word] not in ("F", "case", "HED"):
            given.change_places(word, nouns[-1], "case")
    relations = [_relation(given, word) for word in range(len(tree.words))]
    upos = tuple(_UPOS.get(tag, "NOUN") for tag in tags)
    return DependencyTree(tree.words, upos, tuple(given.heads), tuple(relations), ("",) * len(tags))


def _relation(tree: _Tree, word: int) -> str:
    label = tree.labels[word]
    if tree.heads[word] == ROOT:
        return "root"
    if label in ("case", "mark"):
        return label
    if label in _PLAIN:
        return _PLAIN[label]
    return _BY_WORD[label](tree, word)


def _adverbial(tree: _Tree, word: int) -> str:
    """ADV and CMP: an adverb, a time, a place or another argument with its preposition, or a clause."""
    if any(tree.labels[child] == "case" for child in tree.below(word)):
        return "obl"
    if tree.is_time(word):
        return "obl:tmod"
    if tree.labels[word] == "CMP":
        return "compound" if tree.is_verb(word) else "advmod"
    if tree.is_verb(word) and tree.is_clause(word) and any(tree.labels[c] in ("SBV", "VOB") for c in tree.below(word)):
        return "advcl"
    return "obl" if tree.tags[word][:1] == "n" or tree.tags[word] in ("s", "LOC", "ORG", "PER") else "advmod"


def _attribute(tree: _Tree, word: int) -> str:
    tag = tree.tags[word]
    if tag in ("m", "q", "mq"):
        return "nummod"
    if tree.is_clause(word):
        return "acl"
    return "amod" if tag in ("a", "b") else "nmod"


def _object(tree: _Tree, word: int) -> str:
    """VOB: an object, a clause, or the clause of a causative verb (支持 上海 探索)."""
    if not tree.is_clause(word):
        return "obj"
    return "xcomp" if any(tree.labels[child] == "DBL" for child in tree.below(tree.heads[word])) else "ccomp"


_BY_WORD: Mapping[str, Callable[[_Tree, int], str]] = MappingProxyType({
    "SBV": lambda tree, word: "csubj" if tree.is_verb(word) else "nsubj",
    "VOB": _object,
    "DBL": lambda tree, word: "xcomp" if tree.is_verb(word) else "obj",
    "ATT": _attribute,
    "ADV": _adverbial,
    "CMP": _adverbial,
    "LAD": lambda tree, word: "cc" if tree.tags[word] == "c" else "mark",
    "RAD": lambda tree, word: "mark" if tree.is_clause(tree.heads[word]) else "case",
})  # fmt: skip
"""Relations of labels that depend on the words."""

LABELS = frozenset({*_PLAIN, *_BY_WORD, *_MARKED})
