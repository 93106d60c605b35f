"""What is fuzzed: functions of bytes that must end quietly, whatever the bytes are.

An :class:`~sema.errors.SemaError` is quiet. A crash is any other exception, more than :data:`SECONDS` for an input, a
score that is not finite, or a file that is taken although it says something else than what was read.
"""

from __future__ import annotations

import json
import math
import random
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from sema.errors import SemaError

SECONDS = 5.0
Target = Callable[[bytes], None]
TARGETS: dict[str, Target] = {}
SEEDS: dict[str, list[bytes]] = {}


class Crash(Exception):
    """What must not happen."""


def target(*seeds: str | bytes) -> Callable[[Target], Target]:
    """Register a target with the small inputs that changes start from."""

    def register(function: Target) -> Target:
        TARGETS[function.__name__] = function
        SEEDS[function.__name__] = [seed.encode() if isinstance(seed, str) else seed for seed in seeds]
        return function

    return register


def run(name: str, data: bytes) -> None:
    """One execution.

    Raises:
        Crash: see the module; the cause is what was raised.
    """
    start = time.process_time()
    try:
        TARGETS[name](data)
    except SemaError as error:
        if "\n" in str(error):
            raise Crash(f"{name}: an error of more than one line: {error!s}") from error
    except Crash:
        raise
    except Exception as error:
        raise Crash(f"{name}: {type(error).__name__}: {error}") from error
    spent = time.process_time() - start
    if spent > SECONDS:
        raise Crash(f"{name}: took {spent:.1f} s")


@lru_cache(maxsize=1)
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="sema-fuzz-"))


def _file(data: bytes, suffix: str) -> Path:
    path = _folder() / f"input{suffix}"
    path.write_bytes(data)
    return path


def _read_column(data: bytes, suffix: str) -> None:
    from sema.cli.common import readable
    from sema.files.texts import open_column, read_column

    path = str(_file(data, suffix))
    column = read_column(path, "source")
    once = list(readable(column, "source", False))
    if len(once) != len(column.lines):
        raise Crash("texts without a line")
    again = open_column(path, "source").values
    for index in reversed(range(0, len(again), 100)):  # a block at a time and backwards, they are the same
        if repr(again[index]) != repr(column.values[index]):
            raise Crash(f"item {index} depends on how it is read")


@target("La kato dormas.\nMi vidas.\n", b"\xef\xbb\xbfa\r\nb\r\n", "a\x0bb\x85c\n")
def texts(data: bytes) -> None:
    """Plain texts."""
    _read_column(data, ".txt")


@target('{"source": "La kato.", "n": 1}\n{"source": ["A.", "B."]}\n', '"a"\n"b"\n', '{"scores": {"a": 1e999}}\n')
def jsonl(data: bytes) -> None:
    """JSON lines."""
    _read_column(data, ".jsonl")


@target('source,output\n"a, ""b""",c\n\nd,e\n', "source\na\r\rb\n", "a;b\n1;2\n")
def csv_table(data: bytes) -> None:
    """CSV."""
    _read_column(data, ".csv")


@target("source\toutput\na\tb\n", 'source\n"a\nb"\n')
def tsv_table(data: bytes) -> None:
    """TSV."""
    _read_column(data, ".tsv")


@lru_cache(maxsize=1)
def _parquet() -> bytes:
    import io

    import pyarrow
    from pyarrow import parquet

    out = io.BytesIO()
    table = pyarrow.table({"source": ["La kato.", None, "b"], "n": [1, 2, 3], "list": [["a"], [], None]})
    parquet.write_table(table, out)
    return out.getvalue()


@target(_parquet())
def parquet(data: bytes) -> None:
    """Parquet."""
    _read_column(data, ".parquet")


_UCCA = """<root annotationID="0" passageID="1"><attributes/><layer layerID="0"><attributes/>
<node ID="0.1" type="Word"><attributes paragraph="1" paragraph_position="1" text="John"/></node>
<node ID="0.2" type="Word"><attributes paragraph="1" paragraph_position="2" text="ran"/></node></layer>
<layer layerID="1"><attributes/><node ID="1.1" type="FN"><attributes/>
<edge toID="1.2" type="H"><attributes/></edge></node>
<node ID="1.2" type="FN"><attributes/><edge toID="1.3" type="A"><attributes/></edge>
<edge toID="1.4" type="P"><attributes/></edge></node>
<node ID="1.3" type="FN"><attributes/><edge toID="0.1" type="Terminal"><attributes/></edge></node>
<node ID="1.4" type="FN"><attributes/><edge toID="0.2" type="Terminal"><attributes/></edge></node></layer></root>"""
_ENTITIES = '<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;&b;">]><root>&d;</root>'


@target(_UCCA, _ENTITIES, "<root><passageID/><units><unit id='0'/></units><LRelation/></root>")
def ucca_xml(data: bytes) -> None:
    """UCCA XML, the standard and the site's."""
    from sema_ucca.formats import ucca_xml as made

    from sema.files.scene_formats import read_scenes

    for graph in read_scenes(_file(data, ".xml"), made()):
        graph.scenes()


_CONLLU = """# text = John ran home
1	John	John	PROPN	NNP	_	2	nsubj	_	_
2	ran	run	VERB	VBD	_	0	root	_	_
3	home	home	ADV	RB	_	2	advmod	_	_

"""


@target(_CONLLU, "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t0\troot\t_\t_\n\n")
def conllu(data: bytes) -> None:
    """CoNLL-U."""
    from sema_ud.formats import conllu as made

    from sema.files.scene_formats import read_scenes

    for graph in read_scenes(_file(data, ".conllu"), made()):
        graph.scenes()


@lru_cache(maxsize=1)
def _run_files() -> dict[str, bytes]:
    from sema.scoring.runs import score_to
    from sema.scoring.scorer import Scorer
    from tests.esperanto import esperanto

    folder = _folder() / "whole"
    score_to(
        folder, Scorer(esperanto(), ["sema", "fkgl"]), ["La kato dormas.", ""], {"a": ["Mi.", "Vi."], "b": ["", "x"]}
    )
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@target(json.dumps({"format": 2, "finished": True, "items": 1}), '{"item": 0, "scores": {}}\n', '{"end": 1}\n', b"")
def run_folder(data: bytes) -> None:
    """A run one of whose files is something else."""
    from sema.evaluation.comparison import compare
    from sema.scoring.runs import Run

    folder = _folder() / "run"
    folder.mkdir(exist_ok=True)
    names = sorted(_run_files())
    chosen = names[data[0] % len(names)] if data else names[0]
    for name, content in _run_files().items():
        (folder / name).write_bytes(data[1:] if name == chosen else content)
    run = Run(folder)
    for step in (
        lambda: run.summary.to_dict(),
        lambda: list(run.all_texts()),
        lambda: (run.texts(0), run.scores(0), run.evidence(0)),
        lambda: compare(run.report(), samples=10),
    ):
        try:
            step()
        except SemaError:
            continue


@target("item,rater,meaning\n1,a,3\n1,b,4\n2,a,1\n2,b,nan\n", "id,r1,r2\n1,2,3\n2,inf,1\n")
def ratings(data: bytes) -> None:
    """Ratings, for agreement and for meta-evaluation."""
    from sema.evaluation.rated_items import RatedItems
    from sema.evaluation.ratings import RatingsTable

    path = str(_file(data, ".csv"))
    with suppress(SemaError):
        RatingsTable.read(path, [])
    items = RatedItems.read(path)
    for column in items.number_columns([]):
        items.numbers(column)


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
    Scorer(esperanto(), ["sari", "bleu", "sema"], options=Settings(values))


def _score(scorer: object, data: bytes) -> None:
    from sema.scoring.scorer import Scorer

    assert isinstance(scorer, Scorer)
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    source, _, output = text.partition("|")
    report = scorer.score([source[:2000]], [output[:2000]], [[output[:200] or "a"]], collect_errors=True)
    (system,) = report.systems
    for item in system.items:
        for name, value in item.scores.items():
            low, high = report.metric(name).range
            if not math.isfinite(value) or not low - 1e-6 <= value <= high + 1e-6:
                raise Crash(f"{name} is {value}")
    report.to_dict()
    json.dumps(report.evidence(0))


@lru_cache(maxsize=2)
def _scorer(lang: str, level: str) -> object:
    from sema.scoring.scorer import Scorer
    from tests.esperanto import esperanto

    names = ["sema", "samsa", "meaning", "sari", "bleu", "ld_source"] if level == "sentence" else ["sema", "meaning"]
    return Scorer(esperanto() if lang == "eo" else lang, names, level=level)  # type: ignore[arg-type]


@target("La kato dormas. Mi vidas domon.|La kato dormas.", "a|b", "\u202e. . .|\u0301\u0301")
def esperanto_scores(data: bytes) -> None:
    """From text to score by a language that parses in no time: the engine, the alignment and the metrics."""
    _score(_scorer("eo", "sentence" if len(data) % 2 else "passage"), data)


@target("John got home and gave Mary a call.|John got home. He called Mary.", "3,000 cats|Cats.", "(((|)))")
def english(data: bytes) -> None:
    """From text to score in English."""
    _score(_scorer("en", "sentence"), data)


@target("他昨天在北京看见了一只猫。|他看见了猫。", "。|，", "a猫1|猫")
def chinese(data: bytes) -> None:
    """From text to score in Chinese."""
    _score(_scorer("zh", "sentence"), data)


PIECES = [
    *(bytes([code]) for code in b"\"'\n\r\t,;|{}[]<>&\0\xff\xc3"),
    *(b"\xed\xa0\x80", b"-1", b"1e999", b"NaN", b"9" * 400, b"1.1", b"0.1", b"null", b"  ", b"\xe2\x80\xae"),
    *(b"\x1b[2J", b"(" * 50, b"[" * 2000, b"a" * 3000, b"a " * 500, "\u0301".encode(), "猫".encode(), b". "),
]


def changed(seeds: list[bytes], chance: random.Random) -> bytes:
    """A seed changed here and there: bytes turned, pieces put in, cut out, repeated, and mixed with another seed's."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        place = chance.randrange(len(data) + 1)
        end = min(len(data), place + chance.choice((1, 2, 8, 40)))
        match chance.randrange(6):
            case 0 if place < len(data):
                data[place] = chance.randrange(256)
            case 1:
                data[place:place] = chance.choice(PIECES)
            case 2:
                del data[place:end]
            case 3:
                data[place:place] = data[place:end] * chance.choice((1, 3, 50))
            case 4:
                other = chance.choice(seeds)
                start = chance.randrange(len(other) + 1)
                data[place:end] = other[start : start + chance.choice((4, 40, 400))]
            case _:
                data[place:end] = chance.choice(PIECES)
    return bytes(data[:100_000])
