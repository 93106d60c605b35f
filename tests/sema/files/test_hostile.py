"""Every reader of a user's file answers endless numbers and huge cells with a one-line error of ours."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sema_rerank.simplifiers import read_weights
from sema_simplifier.rules import RuleTable
from sema_tsar.runs import read_gold, read_runs
from sema_ucca.ucca_xml import read_passage
from sema_ud.conllu import read_trees

from sema.errors import InputError, ResourceError
from sema.files.formats import open_table
from sema.files.links import open_links
from sema.files.tsar import numbered_rows
from sema.metrics.bertscore import read_baseline

DIGITS = "9" * 5_000
CELL = "x" * 140_000
NESTED = "[" * 100_000
TOKEN = {"id": 1, "text": "a", "index_in_task": float("inf")}


def baseline(path: Path) -> None:
    read_baseline(path, 9)


def links(path: Path) -> None:
    for found in open_links(str(path)):
        if isinstance(found, InputError):
            raise found


def rows(path: Path) -> None:
    for _, row in open_table(str(path)):
        if isinstance(row, InputError):
            raise row


def conllu(*cells: str) -> str:
    return "\t".join([*cells, *"_" * (10 - len(cells))]) + "\n"


READERS: list[tuple[Callable[[Path], object], str, str]] = [
    (links, "a.txt", f"{DIGITS}-0"),
    (links, "a.txt", "٣-٤"),
    (links, "a.jsonl", f'{{"source": ["a"], "sentences": [{{"tokens": ["a"], "links": [[{DIGITS}, 0, "exact"]]}}]}}'),
    (links, "a.jsonl", '{"source": ["a"], "sentences": [{"tokens": ["a"], "links": [[%s, 0, "exact"]]}]}' % ("9" * 99)),
    (links, "a.jsonl", '{"a":' + NESTED),
    (rows, "a.jsonl", DIGITS),
    (rows, "a.jsonl", NESTED),
    (read_weights, "a.json", f'{{"weights": {{"a": {DIGITS}}}}}'),
    (read_weights, "a.json", NESTED),
    (baseline, "a.tsv", f"LAYER,P,R,F\n{CELL},1,1,1\n"),
    (baseline, "a.tsv", f"LAYER,P,R,F\n{DIGITS},1,1,1\n"),
    (read_trees, "a.conllu", conllu(DIGITS, "a")),
    (read_trees, "a.conllu", conllu("1", "a", "_", "NOUN", "_", "_", DIGITS, "root")),
    (read_trees, "a.conllu", conllu(f"1-{DIGITS}", "a")),
    (read_passage, "a.json", json.dumps({"tokens": [TOKEN], "annotation_units": []})),
    (read_passage, "a.json", NESTED),
    (RuleTable.load, "a.json.gz", NESTED),
    (RuleTable.load, "a.json.gz", DIGITS),
]


@pytest.mark.parametrize(("read", "name", "content"), READERS)
def test_readers_answer_with_one_line(read: Callable[[Path], object], name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / name
    data = content.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with pytest.raises((InputError, ResourceError)) as caught:
        read(path)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400 + len(str(path))


def test_a_cell_of_any_length_is_read_from_a_packed_table(tmp_path: Path) -> None:
    path = tmp_path / "all.tsv.gz"
    path.write_bytes(gzip.compress(f'text_id\tsimplified\n1\t"{CELL}\n\n'.encode()))
    assert [(line, row["simplified"]) for line, row in numbered_rows(str(path))] == [(2, f'"{CELL}')]
    assert read_runs([str(path)])[0].outputs == {"1": f'"{CELL}'}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x1f\x8b\x08broken", "cannot be unpacked"),
        (gzip.compress(b"text_id\tsimplified\n1\t\xff\n"), r"all\.tsv\.gz:2: is not UTF-8"),
        (gzip.compress(b"text_id\tsimplified\n1\n"), r"all\.tsv\.gz:2: has 1 cell but the first line names 2"),
    ],
)
def test_a_packed_table_that_cannot_be_read_is_named(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "all.tsv.gz"
    path.write_bytes(content)
    for read in (lambda name: read_runs([name]), read_gold):
        with pytest.raises(InputError, match=said):
            read(str(path))


def test_a_packed_table_unpacks_to_no_more_than_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sema.files.packed.MOST", 1 << 20)
    path = tmp_path / "all.tsv.gz"
    path.write_bytes(gzip.compress(b"text_id\tsimplified\n" + b"1\t" + b"a" * (2 << 20)))
    with pytest.raises(InputError, match="unpacks to more than"):
        read_gold(str(path))
