"""Writes a small WordNet in the WNDB format, byte offsets and all, for readers that seek by them."""

from __future__ import annotations

from pathlib import Path

import pytest

NAMES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

# key: (part of speech, words, hypernyms by key); the order of a word's synsets is the order of its senses
SYNSETS: dict[str, tuple[str, list[str], list[str]]] = {
    "entity": ("n", ["entity"], []),
    "matter": ("n", ["matter"], ["entity"]),
    "substance": ("n", ["substance"], ["matter"]),
    "food": ("n", ["food"], ["substance"]),
    "beverage": ("n", ["beverage", "drink"], ["food"]),
    "alcohol": ("n", ["alcohol"], ["beverage"]),
    "brew": ("n", ["brew"], ["alcohol"]),
    "beer": ("n", ["beer"], ["brew"]),
    "stout": ("n", ["stout"], ["beer"]),
    "Guinness": ("n", ["Guinness"], ["stout"]),
    "leaf": ("n", ["leaf"], ["substance"]),
    "move": ("v", ["move"], []),
    "leave": ("v", ["leave", "go_away"], ["move"]),
    "drink-v": ("v", ["drink", "imbibe"], ["move"]),
    "big": ("a", ["big", "large"], []),
    "quickly": ("r", ["quickly", "rapidly"], []),
}
INSTANCES = {"Guinness"}
EXCEPTIONS = {"n": ["leaves leaf"], "v": ["left leave", "drank drink"], "a": [], "r": []}
COUNTS = ["beer%1:13:00:: 1 9", "drink%2:34:00:: 1 5"]
HEADER = "  1 This is WordNet 3.0 Copyright by nobody: a test's own words.  \n"


@pytest.fixture
def tiny_wordnet(tmp_path: Path) -> Path:
    """The folder ``corpora/wordnet`` below the test's own."""
    folder = tmp_path / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    offsets: dict[str, int] = {}
    for letter, name in NAMES.items():
        position = len(HEADER)
        for key, (pos, _, _) in SYNSETS.items():
            if pos == letter:
                offsets[key] = position
                position += len(_line(key, {}))
        (folder / f"{name}.exc").write_text("".join(f"{line}\n" for line in EXCEPTIONS[letter]))
    for letter, name in NAMES.items():
        mine = [key for key, (pos, _, _) in SYNSETS.items() if pos == letter]
        (folder / f"data.{name}").write_text(HEADER + "".join(_line(key, offsets) for key in mine))
        senses: dict[str, list[int]] = {}
        for key in mine:
            for word in SYNSETS[key][1]:
                senses.setdefault(word.lower(), []).append(offsets[key])
        rows = [
            f"{word} {letter} {len(found)} 0 {len(found)} 0 " + " ".join(f"{offset:08d}" for offset in found) + "  \n"
            for word, found in sorted(senses.items())
        ]
        (folder / f"index.{name}").write_text(HEADER + "".join(rows))
    (folder / "cntlist.rev").write_text("".join(f"{line}\n" for line in COUNTS))
    (folder / "lexnames").write_text("00\tadj.all\t3\n")
    (folder / "index.sense").write_text("")
    return folder


def _line(key: str, offsets: dict[str, int]) -> str:
    letter, words, above = SYNSETS[key]
    symbol = "@i" if key in INSTANCES else "@"
    spelled = " ".join(f"{word} 0" for word in words)
    pointers = "".join(f" {symbol} {offsets.get(target, 0):08d} {SYNSETS[target][0]} 0000" for target in above)
    frames = " 01 + 08 00" if letter == "v" else ""
    offset = offsets.get(key, 0)
    return f"{offset:08d} 00 {letter} {len(words):02x} {spelled} {len(above):03d}{pointers}{frames} | no gloss  \n"
