"""Public sets that several benchmarks read, from the folder that the environment variable SEMA_DATA names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from sema_ud.conllu import Sentence, read_sentences

from sema.datasets.folder import data_folder
from sema.errors import ResourceError
from training.data.tables import read_lines


def read_references() -> dict[str, tuple[list[str], list[list[str]]]]:
    """Source lines and columns of reference lines of every set; ``all``: ASSET's sources with all references."""
    files = {
        "asset": _with_first_references("asset/asset.test", 10),
        "turk": turkcorpus("test", 8),
        "hsplit": tuple(simplification(f"hsplit/hsplit.tok.{name}") for name in ("src", 1, 2, 3, 4)),
    }
    sets = {name: (sources, references) for name, (sources, *references) in files.items()}
    sets["all"] = (sets["asset"][0], [column for _, columns in sets.values() for column in columns])
    return sets


def simplification(name: str) -> list[str]:
    """The lines of a file below ``simplification``, by its path there."""
    return read_lines("simplification", *name.split("/"))


def first_lines(name: str, count: int | None) -> list[str]:
    """The first lines of a file below ``simplification``, or all; empty lines are added if the file ends too early."""
    lines = data_folder("simplification", *name.split("/")).read_text(encoding="utf-8").split("\n")
    size = count or len(lines) - (lines[-1] == "")
    return [*lines[:size], *[""] * (size - len(lines))]


def pud(code: str) -> list[Sentence]:
    """The sentences of the first half of a language's parallel treebank."""
    name = ("zh_pud", "zh_pud-001-500.conllu") if code == "zh" else ("multi", f"{code}_pud-001-500.conllu.gz")
    return list(read_sentences(data_folder("ud", *name)))


def turkcorpus(part: str, references: int = 1) -> tuple[list[str], ...]:
    """TurkCorpus' originals of ``tune`` or ``test``, and its first references, a column each."""
    return _with_first_references(f"turkcorpus/{part}.truecase.detok", references)


def mcts(references: int = 5) -> tuple[list[str], ...]:
    """The originals of MCTS dev, and its first references, a column each."""
    return _with_first_references("mcts/dataset/mcts.dev", references)


def _with_first_references(files: str, references: int) -> tuple[list[str], ...]:
    return tuple(simplification(f"{files}.{name}") for name in columns(references))


def columns(references: int) -> list[str]:
    """How the files of originals and of their first references end."""
    return ["orig", *(f"simp.{number}" for number in range(references))]


def _known_pairs(lang: str) -> list[tuple[str, str]]:
    """TurkCorpus' tune originals with their first references, followed by WikiSplit's; Chinese: those of MCTS dev."""
    if lang == "zh":
        return list(zip(*mcts(1), strict=True))
    splits = (simplification(f"wikisplit/wikisplit.valid.untok.{name}") for name in ("orig", "split"))
    columns = zip(turkcorpus("tune"), splits, strict=True)
    return list(zip(*([line.replace("<::::>", "") for line in (*own, *more)] for own, more in columns), strict=True))


def endless_pairs(lang: str = "en") -> Iterator[tuple[str, str]]:
    """Pairs without end; repeated ones contain the number of their round, so that no cache holds them."""
    known = _known_pairs(lang)
    yield from known
    for number in count(2):
        yield from ((f"Report {number} says that {source}", f"Report {number}: {output}") for source, output in known)


def numbered_pairs(number: int, first: int) -> tuple[list[str], ...]:
    """A number of TurkCorpus' pairs; their texts contain the numbers from ``first`` on."""
    sources, outputs = turkcorpus("tune")
    places = [(place % len(sources), place) for place in range(first, first + number)]
    return tuple([f"Report {place} says that {texts[line]}" for line, place in places] for texts in (sources, outputs))


def passages(lang: str, size: int) -> tuple[str, str]:
    """An original and an output of a given number of bytes, joined from pairs.

    Raises:
        ResourceError: the sets have fewer bytes.
    """
    joined = [" ".join(lines).encode() for lines in zip(*_known_pairs(lang), strict=True)]
    if (known := min(map(len, joined))) < size:
        raise ResourceError(f"the texts in {lang} have {known // 1000} kB, not {size // 1000}: ask for less")
    source, output = (text[:size].decode(errors="ignore") for text in joined)
    return source, output
