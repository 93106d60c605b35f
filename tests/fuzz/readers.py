"""Targets for every reader: files of texts, of Scenes, of runs and of ratings, folders and options.

Longer inputs to start from lie in ``corpus``, the first ones of each file.
"""

import io
import math
import shutil
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from sema.errors import InputError, SemaError
from sema.model.scene_graph import SceneGraph
from tests.fuzz.harness import Crash, Seed, file, folder, register, target


def _read_column(suffix: str, data: bytes) -> None:
    from sema.cli.texts import readable
    from sema.files.texts import open_column, read_column

    path = str(file(data, suffix))
    column = read_column(path, "source")
    once = list(readable(column, "source", False))
    if len(once) != len(column.lines):
        raise Crash("texts without a line")
    again = open_column(path, "source").values
    for index in reversed(range(0, len(again), 100)):  # read backwards, a block at a time, the values must be the same
        if repr(again[index]) != repr(column.values[index]):
            raise Crash(f"item {index} depends on how it is read")


def _parquet() -> list[bytes]:
    import pyarrow
    from pyarrow import parquet

    out = io.BytesIO()
    table = pyarrow.table({"source": ["La kato.", None, "b"], "n": [1, 2, 3], "list": [["a"], [], None]})
    parquet.write_table(table, out)
    return [out.getvalue()]


def _workbook() -> list[bytes]:
    import openpyxl

    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in (["id", "source"], [1, "La kato."], [2.5, None], [None, None], ["=1+1", "b"]):
        book.active.append(row)
    book.save(out)
    return [out.getvalue()]


def _document() -> list[bytes]:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        text = "<w:p><w:r><w:t>La kato.</w:t><w:br/></w:r></w:p><w:p/>"
        archive.writestr("word/document.xml", f'<w:document xmlns:w="w"><w:body>{text}</w:body></w:document>')
    return [out.getvalue()]


_objects = '{"source": "La kato.", "n": 1}\n{"source": ["A.", "B."]}\n'
COLUMNS: dict[str, tuple[str, *tuple[Seed, ...]]] = {
    "texts": (".txt", "La kato dormas.\nMi vidas.\n", b"\xef\xbb\xbfa\r\nb\r\n", "a\x0bb\x85c\n"),
    "jsonl": (".jsonl", _objects, '"a"\n"b"\n', '{"scores": {"a": 1e999}}\n'),
    "csv_table": (".csv", 'source,output\n"a, ""b""",c\n\nd,e\n', "source\na\r\rb\n", "a;b\n1;2\n"),
    "tsv_table": (".tsv", "source\toutput\na\tb\n", 'source\n"a\nb"\n'),
    "parquet": (".parquet", _parquet),
    "xlsx_table": (".xlsx", _workbook),
    "docx_texts": (".docx", _document),
}
"""Files of texts: their suffix and seeds."""
for name, (suffix, *own) in COLUMNS.items():
    register(name, partial(_read_column, suffix), *own)


def _scenes(path: Path) -> list[SceneGraph]:
    """A file's graphs, whose Scenes must speak of its own words alone."""
    from sema.files.scene_formats import read_scenes

    graphs = read_scenes(path, _formats()[path.suffix])
    for graph in graphs:
        for scene in graph.scenes():
            centers = [scene.main_relation, *scene.participants]
            used = [*scene.leaves, *(token for part in centers for center in part for token in center)]
            if not all(0 <= token < len(graph.tokens) for token in used):
                raise Crash("a Scene of words that the text does not have")
    return graphs


@lru_cache(maxsize=1)
def _formats() -> Any:
    from sema.files.scene_formats import installed_formats

    return installed_formats()


@target()
def ucca_xml(data: bytes) -> None:
    """UCCA standard XML."""
    (graph,) = _scenes(file(data, ".xml"))
    try:
        document = ElementTree.fromstring(data)
    except ElementTree.ParseError:  # undeclared namespaces, which our reader does not look at
        return
    words = [word.get("text", "") for word in document.iterfind("layer[@layerID='0']/node/attributes")]
    if document.find("units") is None and sorted(words) != sorted(graph.tokens):
        raise Crash("words were lost")


@target("1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t0\troot\t_\t_\n\n")
def conllu(data: bytes) -> None:
    """CoNLL-U."""
    path = file(data, ".conllu")
    graphs = _scenes(path)
    lines = data.decode("utf-8-sig").split("\n")  # a carriage return alone ends no line
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    words = [row[1] for row in rows if row[0].isdecimal()]
    if [word for graph in graphs for word in graph.tokens] != words:
        raise Crash("words were lost")


@target(b"1\0<root/>")
def scene_folder(data: bytes) -> None:
    """A folder of Scenes: how many items, the names of its files, and what one of them holds."""
    from sema.files.scene_formats import scene_files

    names, _, content = data.partition(b"\0")
    path = folder() / "scenes"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    count = names[0] % 8 if names else 0
    for index in range(count):
        own = names[index + 1 : index + 2].decode("latin-1")
        name = own if own.isalnum() else f"{index:02}"
        (path / f"{name}.{'xml' if content.lstrip().startswith(b'<') else 'conllu'}").write_bytes(content)
    entries = scene_files(path, count)
    if len(entries) != count:
        raise Crash("as many files as items are not what comes back")
    for entry in entries[:1]:
        if entry is not None:
            _scenes(entry[0])


@lru_cache(maxsize=1)
def run_files() -> dict[str, bytes]:
    from sema.scoring.scorer import Scorer
    from tests.esperanto import esperanto

    whole, systems = folder() / "whole", {"a": ["Mi.", "Vi."], "b": ["", "x"]}
    Scorer(esperanto(), ["sema", "ld_source"]).write(whole, ["La kato dormas.", ""], systems)
    return {path.name: path.read_bytes() for path in whole.iterdir()}


def _run_seeds() -> list[bytes]:
    """The files of a whole run, each with the byte that says which it is."""
    return [bytes([place]) + run_files()[name] for place, name in enumerate(sorted(run_files()))]


@target(_run_seeds, b'\x01{"format": 5, "finished": true, "items": 1}', b'\x00{"chunk": 0, "start": 0}\n')
def run_folder(data: bytes) -> None:
    """A run one of whose files is something else."""
    from sema.evaluation.comparison import compare
    from sema.scoring.runs import Run

    path = folder() / "run"
    path.mkdir(exist_ok=True)
    names = sorted(run_files())
    chosen = names[data[0] % len(names)] if data else names[0]
    for name, content in run_files().items():
        (path / name).write_bytes(data[1:] if name == chosen else content)
    run = Run(path)
    for step in (
        lambda: run.summary.to_dict(),
        lambda: list(run.all_texts()),
        lambda: (run.texts(0), run.item(0), run.evidence(0)),
        lambda: compare(run.report(), samples=10),
    ):
        with suppress(SemaError):
            step()


def _finite(values: Sequence[float], what: str) -> None:
    if any(math.isinf(value) for value in values):
        raise Crash(f"{what} holds an infinite number")


@target("item,rater,meaning\n1,a,3\n1,b,4\n2,a,1\n2,b,nan\n", "id,r1,r2\n1,2,3\n2,inf,1\n")
def ratings(data: bytes) -> None:
    """Ratings, for agreement and for meta-evaluation."""
    from sema_raters.ratings import RatingsTable

    from sema.evaluation.ratings import RatedItems

    path = str(file(data, ".csv"))
    with suppress(InputError):
        for name, column in RatingsTable.read(path, []).columns.items():
            _finite(column.values.ravel().tolist(), name)
    items = RatedItems.read(path)
    for name in items.number_columns([]):
        _finite(items.numbers(name), name)


@target("sari.lowercase=yes", "bleu.smoothing=exp", "ud.heads=root", "threads=2", "meteor.alpha=1e400", "a.b=c")
def options(data: bytes) -> None:
    """Options of components as the command line takes them."""
    from sema.options import Settings
    from sema.scoring.scorer import Scorer
    from tests.esperanto import esperanto

    values: dict[str, object] = {}
    for line in data.decode("utf-8", "replace").splitlines()[:5]:
        name, _, value = line.partition("=")
        values[name.strip()] = value.strip()
    settings = Settings(values)
    scorer = Scorer(esperanto(), ["sari", "bleu", "meteor", "sema"], options=settings)
    for metric in scorer.metrics:
        _finite([value for value in vars(metric).values() if isinstance(value, float)], metric.name)
