"""Reading CoNLL-U: a file is one passage, each of its sentences a dependency tree.

Multiword tokens give their words the offsets of the whole surface token; empty nodes and the DEPS column (enhanced
dependencies) are passed over. Format: https://universaldependencies.org/format.html
"""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from conllu import parse as parse_conllu
from conllu.exceptions import ParseException

from sema.errors import InputError
from sema.model.text import Text, Token
from sema_ud.trees import DependencyTree, fault_of

Block = tuple[int, str]


def read_trees(path: str | PathLike[str]) -> list[DependencyTree]:
    """The sentences of a CoNLL-U file; ``InputError`` with file and line if it is not one."""
    return [tree for tree, _ in _sentences(path)]


def read_passage(path: str | PathLike[str]) -> tuple[Text, list[DependencyTree]]:
    """A CoNLL-U file as one passage: its text, segmented as annotated, and a tree a sentence.

    The raw text is that of the ``# text`` comments, joined by single spaces; where a sentence has none, or one that
    does not match its words, it is the words, spaced as ``SpaceAfter`` says.
    """
    raw = ""
    tokens: list[Token] = []
    spans: list[tuple[int, int]] = []
    trees: list[DependencyTree] = []
    for tree, sentence in _sentences(path):
        start = len(raw) + 1 if raw else 0
        text, offsets = _surface(sentence)
        raw = f"{raw} {text}" if raw else text
        first = len(tokens)
        tokens.extend(
            Token(word, start + begin, start + end) for word, (begin, end) in zip(tree.words, offsets, strict=True)
        )
        spans.append((first, len(tokens)))
        trees.append(tree)
    return Text(raw, tuple(tokens), tuple(spans)), trees


def _blocks(text: str) -> Iterator[Block]:
    """The sentences of a file, each with the number of its first line."""
    lines: list[str] = []
    first = 1
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if line.strip():
            if not lines:
                first = number
            lines.append(line)
        elif lines:
            yield first, "\n".join(lines)
            lines = []
    if lines:
        yield first, "\n".join(lines)


def _sentences(path: str | PathLike[str]) -> Iterator[tuple[DependencyTree, Any]]:
    try:
        content = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=path) from None
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 (byte {error.start}); save it as UTF-8", file=path) from None
    found = False
    for first, block in _blocks(content):
        lines = block.split("\n")
        if all(line.startswith("#") for line in lines):
            continue
        _check_lines(path, first, lines)
        try:
            sentence = parse_conllu(block + "\n\n")[0]
        except (ParseException, ValueError, IndexError) as error:
            raise InputError(f"is not CoNLL-U: {error}", file=path, line=first) from None
        found = True
        yield _tree(path, first, lines, sentence), sentence
    if not found:
        raise InputError("holds no sentence; CoNLL-U has a word a line, in ten columns separated by tabs", file=path)


def _check_lines(path: str | PathLike[str], first: int, lines: list[str]) -> None:
    for number, line in enumerate(lines, first):
        if line.startswith("#"):
            continue
        columns = line.count("\t") + 1
        if columns != 10:
            hint = "separate the columns by tabs" if columns == 1 else "give '_' for an empty one"
            raise InputError(f"has {columns} columns where CoNLL-U has 10; {hint}", file=path, line=number)


def _tree(path: str | PathLike[str], first: int, lines: list[str], sentence: Any) -> DependencyTree:
    numbers = [first + offset for offset, line in enumerate(lines) if not line.startswith("#")]
    words: list[Any] = []
    for token, number in zip(sentence, numbers, strict=True):
        identifier = token["id"]
        if isinstance(identifier, tuple):  # a multiword token or an empty node
            continue
        if identifier != len(words) + 1:
            raise InputError(f"word {identifier} stands where word {len(words) + 1} is due", file=path, line=number)
        if not isinstance(token["head"], int):
            raise InputError(f"word {identifier} has no head; parse the file first", file=path, line=number)
        words.append(token)
    heads = tuple(token["head"] - 1 for token in words)
    fault = fault_of(heads)
    if fault:
        raise InputError(f"is not a tree: {fault}", file=path, line=first)
    return DependencyTree(
        tuple(token["form"] for token in words),
        tuple(token["upos"] or "X" for token in words),
        heads,
        tuple(token["deprel"] or "dep" for token in words),
        tuple("|".join(f"{name}={value}" for name, value in (token["feats"] or {}).items()) for token in words),
    )


def _surface(sentence: Any) -> tuple[str, list[tuple[int, int]]]:
    """The sentence's text and each word's characters in it."""
    pieces: list[tuple[str, int, bool]] = []  # surface form, how many words it stands for, a space after it
    covered = 0
    for token in sentence:
        identifier = token["id"]
        space = (token["misc"] or {}).get("SpaceAfter") != "No"
        if isinstance(identifier, tuple):
            if identifier[1] == "-":
                covered = identifier[2]
                pieces.append((token["form"], identifier[2] - identifier[0] + 1, space))
        elif identifier > covered:
            pieces.append((token["form"], 1, space))
    given = sentence.metadata.get("text")
    for text in (given, None):
        found = _locate(pieces, text)
        if found is not None:
            return found
    raise AssertionError("unreachable: the words' own text always matches them")


def _locate(pieces: list[tuple[str, int, bool]], text: str | None) -> tuple[str, list[tuple[int, int]]] | None:
    if text is None:
        text = "".join(form + (" " if space else "") for form, _, space in pieces).rstrip()
    offsets: list[tuple[int, int]] = []
    position = 0
    for form, count, _ in pieces:
        begin = text.find(form, position)
        if begin < 0 or text[position:begin].strip():
            return None
        position = begin + len(form)
        offsets.extend([(begin, position)] * count)
    return text, offsets
