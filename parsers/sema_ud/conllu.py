"""Reading CoNLL-U: each sentence of a file is a dependency tree.

Trees with the labels of LTP or Baidu (:mod:`sema_ud.ltp`) are converted to UD.

Multiword tokens give their words the offsets of the whole surface token; empty nodes and the DEPS column (enhanced
dependencies) are ignored. Format: https://universaldependencies.org/format.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import NamedTuple

from sema.errors import InputError
from sema.runtime.contents import text_content
from sema.runtime.forks import cached_property
from sema_ud import ltp
from sema_ud.trees import DependencyTree, fault_of

FORM, LEMMA, UPOS, XPOS, FEATURES, HEAD, RELATION, MISC = 1, 2, 3, 4, 5, 6, 7, 9
"""Columns, counted from 0."""
_RELATIONS = """
    acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl
    fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative
    xcomp
"""
RELATIONS = frozenset(_RELATIONS.split())
"""The relations of Universal Dependencies 2, without subtypes."""
VERSION_1 = {
    "dobj": "obj",
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "auxpass": "aux:pass",
    "mwe": "fixed",
    "name": "flat",
    "foreign": "flat:foreign",
    "neg": "advmod",
    "remnant": "orphan",
}
"""The relations that Universal Dependencies 1 named differently."""
SHOWN = 40
"""Most characters of a wrong cell that its error quotes."""
_NUMBER = re.compile("([0-9]{1,9})(?:([-.])([0-9]{1,9}))?")


class Surface(NamedTuple):
    """A surface token: its form, its number of words, whether a space follows."""

    form: str
    words: int
    space: bool


@dataclass(frozen=True)
class Sentence:
    """One sentence of a file: its tree, lemmas, surface tokens and comments."""

    tree: DependencyTree
    lemmas: tuple[str, ...]
    """The words' lemmas, empty where the file has none."""
    surface: tuple[Surface, ...]
    comments: Mapping[str, str]
    """The values of the comments by name (``sent_id``, ``text``); empty where there is none."""

    @property
    def identifier(self) -> str:
        """The ``# sent_id``; empty if there is none."""
        return self.comments.get("sent_id", "")

    @property
    def starts_paragraph(self) -> bool:
        """Whether a paragraph or a document begins with this sentence."""
        return any(name.split()[:1] in (["newpar"], ["newdoc"]) for name in self.comments)

    @property
    def space_after(self) -> bool:
        """Whether a space follows the sentence."""
        return self.surface[-1].space

    @property
    def spaces(self) -> list[bool]:
        """For each word whether a space follows it; inside a multiword token none does."""
        return [token.space and word == token.words - 1 for token in self.surface for word in range(token.words)]

    @property
    def text(self) -> str:
        """The sentence's characters: the ``# text`` if it matches the words, else the words by ``SpaceAfter``."""
        return self._located[0]

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """Each word's characters in :attr:`text` (half-open)."""
        return self._located[1]

    @cached_property
    def _located(self) -> tuple[str, list[tuple[int, int]]]:
        written = "".join(token.form + (" " if token.space else "") for token in self.surface).rstrip()
        found = _locate(self.surface, self.comments.get("text") or written) or _locate(self.surface, written)
        assert found is not None, "the words' own text always matches them"
        return found


def read_sentences(path: str | PathLike[str]) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file; ``InputError`` with file and line if it is not one."""
    found = False
    for first, lines in _blocks(path):
        rows = [(number, line) for number, line in enumerate(lines, first) if not line.startswith("#")]
        if rows:
            found = True
            yield _sentence(path, [line[1:] for line in lines if line.startswith("#")], rows)
    if not found:
        message = "holds no sentence; CoNLL-U has one word for each line, in ten columns separated by tabs"
        raise InputError(message, file=path)


def read_trees(path: str | PathLike[str]) -> list[DependencyTree]:
    """The trees of a CoNLL-U file; ``InputError`` with file and line if it is not one."""
    return [sentence.tree for sentence in read_sentences(path)]


def _blocks(path: str | PathLike[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines of each sentence of a file, with the number of the first."""
    lines: list[str] = []
    for number, line in enumerate((*text_content(path).split("\n"), ""), 1):
        line = line.rstrip("\r")
        if line.strip():
            lines.append(line)
        elif lines:
            yield number - len(lines), lines
            lines = []


def _sentence(path: str | PathLike[str], comments: Sequence[str], rows: Sequence[tuple[int, str]]) -> Sentence:
    words: list[list[str]] = []
    heads: list[int] = []
    surface: list[Surface] = []
    covered = 0
    for number, line in rows:
        columns = line.split("\t")
        if len(columns) != 10:
            hint = "separate the columns by tabs" if len(columns) == 1 else "give '_' for an empty one"
            raise InputError(f"has {len(columns)} columns where CoNLL-U has 10; {hint}", file=path, line=number)
        start, sign, end = _identifier(path, number, columns[0])
        space = "SpaceAfter=No" not in columns[MISC].split("|")
        if sign == "-":
            covered = end
            surface.append(Surface(columns[FORM], end - start + 1, space))
        elif not sign:
            if start != len(words) + 1:
                raise InputError(f"word {start} stands where word {len(words) + 1} is due", file=path, line=number)
            words.append(columns)
            heads.append(_head(path, number, start, columns[HEAD]))
            if start > covered:
                surface.append(Surface(columns[FORM], 1, space))
    if sum(token.words for token in surface) != len(words):
        message = "is not CoNLL-U: a multiword token covers words that are not there"
        raise InputError(message, file=path, line=rows[0][0])
    lines = [number for number, row in rows if row.split("\t")[0].isdecimal()]
    foreign = _is_ltp(path, lines, [word[RELATION] for word in words])
    fault = fault_of(heads)
    if fault:
        raise InputError(f"is not a tree: {fault}", file=path, line=rows[0][0])
    tree = DependencyTree(
        tuple(word[FORM] for word in words),
        tuple(word[UPOS] or "X" for word in words),
        tuple(heads),
        tuple(word[RELATION] or "dep" for word in words),
        tuple("" if word[FEATURES] == "_" else word[FEATURES] for word in words),
    )
    if foreign:
        tree = ltp.to_ud(tree, [word[UPOS] if word[XPOS] in ("", "_") else word[XPOS] for word in words])
    lemmas = tuple("" if word[LEMMA] == "_" != word[FORM] else word[LEMMA] for word in words)
    named = (comment.partition("=") for comment in comments)
    return Sentence(tree, lemmas, tuple(surface), {name.strip(): value.strip() for name, _, value in named})


def _identifier(path: str | PathLike[str], line: int, column: str) -> tuple[int, str, int]:
    """``5`` -> (5, "", 5); ``3-4`` -> (3, "-", 4), a multiword token; ``5.1`` -> (5, ".", 1), an empty node."""
    match = _NUMBER.fullmatch(column)
    if match is None:
        raise InputError(f"is not CoNLL-U: {column[:SHOWN]!r} is not a word's number", file=path, line=line)
    return int(match[1]), match[2] or "", int(match[3] or match[1])


def _head(path: str | PathLike[str], line: int, word: int, column: str) -> int:
    """The head's index, -1 for the root."""
    if column == "_":
        raise InputError(f"word {word} has no head; parse the file first", file=path, line=line)
    if not re.fullmatch("[0-9]{1,9}", column):
        raise InputError(f"is not CoNLL-U: the head of word {word} is {column[:SHOWN]!r}", file=path, line=line)
    return int(column) - 1


def _is_ltp(path: str | PathLike[str], lines: Sequence[int], relations: Sequence[str]) -> bool:
    """Whether the sentence has the labels of LTP or Baidu, and not UD's; ``lines`` are its words' line numbers."""
    foreign = [place for place, name in enumerate(relations) if name != "_" and name.partition(":")[0] not in RELATIONS]
    if not foreign or ltp.LABELS.issuperset(relations):
        return bool(foreign)
    place = foreign[0]
    first = relations[place]
    if now := VERSION_1.get(first.partition(":")[0]):
        message = f"{first!r} is a label of UD 1 (now {now}); convert the tree to UD 2"
    elif first in ltp.LABELS:
        place = next(place for place, name in enumerate(relations) if name not in ltp.LABELS)
        message = f"{relations[place][:40]!r} is none of the labels of LTP and Baidu, as {first!r} is; use one set"
    else:
        message = f"{first[:40]!r} is not a relation of UD 2 or a label of LTP and Baidu; correct it"
    raise InputError(message, file=path, line=lines[place])


def _locate(surface: Sequence[Surface], text: str) -> tuple[str, list[tuple[int, int]]] | None:
    offsets: list[tuple[int, int]] = []
    position = 0
    for form, count, _ in surface:
        begin = text.find(form, position)
        if begin < 0 or text[position:begin].strip():
            return None
        position = begin + len(form)
        offsets.extend([(begin, position)] * count)
    return text, offsets
