"""Accuracy and speed of the English parser.

    python -m benchmarks.sema_ucca.parsing [--sets wiki dev test 20k] [--speed]

Gold tokens, sentence by sentence; F1 by UCCA's own evaluator (package ``ucca``). Wikipedia's dev part is parsed by the
papers' convention and cut where its annotation ends sentences; EWT and 20K are parsed by UCCA 2.0 and cut where UD's
sentences end, 20K where UCCA's toolkit ends sentences. 20K is for the final report only; no decision may depend on it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from xml.etree import ElementTree

from sema_ucca.encoder import UccaEncoder
from sema_ucca.parser import CONVENTIONS, OUTPUTS, PAPERS, UCCA2, UccaParser
from sema_ucca.ucca_xml import read_passage, write_passage
from ucca import convert, evaluation, textutil

from benchmarks.overlap import overlap
from benchmarks.records import CommandLine, Figures, best_time, cells, run
from sema.datasets.folder import data_folder
from sema.model.scene_graph import SceneGraph
from sema.model.text import is_punctuation
from training.ucca.corpus import annotated_sentences, part_ids, passage_sentences

THREADS = 2
SETS = {"wiki": PAPERS, "dev": UCCA2, "test": UCCA2, "20k": UCCA2}
"""The sets, and the convention that each is annotated in."""


def load(name: str, most: int | None = None) -> list[bytes]:
    """The gold sentences of a set, or of its first ``most`` passages, as XML documents, cut by UCCA's toolkit."""
    folder = data_folder("ucca")
    if name == "20k":
        files = sorted((folder / "english-20k" / "xml").glob("*.xml"))[:most]
        passages = [convert.file2passage(str(file)) for file in files]
        return [xml for one in passages for xml in documents(one, textutil.break2sentences(one)).values()]
    found: dict[str, bytes] = {}
    if name == "wiki":
        split = json.loads((folder / "english-wiki" / "split.json").read_text(encoding="utf-8"))
        for number in split["dev"][:most]:
            file = folder / "english-wiki" / "xml" / f"ucca_passage{number}.xml"
            ends = [end for _, end in annotated_sentences(read_passage(file))]
            ids = [f"{number}{place:03d}" for place in range(len(ends))]
            found |= documents(convert.file2passage(str(file)), ends, ids=ids)
        return list(found.values())
    wanted = part_ids(name)
    for stem in list(dict.fromkeys(identifier.rpartition("-")[0] for identifier in wanted))[:most]:
        named = {identifier: end for identifier, (start, end) in passage_sentences(stem) if start < end}
        passage = convert.file2passage(str(folder / "english-ewt" / "xml" / f"{stem}.xml"))
        found |= documents(passage, list(named.values()), ids=list(named))
    return [found[identifier] for identifier in wanted if identifier in found]


def documents(passage: Any, *where: Any, **ids: Any) -> dict[str, bytes]:
    """The parts of a toolkit passage as XML by their names, cut by UCCA's toolkit."""
    parts = convert.split_passage(passage, *where, **ids)
    return {part.ID: ElementTree.tostring(convert.to_standard(part)) for part in parts}


def evaluator_scores(parsed: Sequence[SceneGraph], gold: Sequence[bytes]) -> Any:
    """UCCA's evaluator over all sentences, each read anew, since it changes its arguments."""

    def passage(xml: bytes) -> Any:
        return convert.from_standard(ElementTree.fromstring(xml))

    return evaluation.Scores.aggregate(
        evaluation.evaluate(passage(write_passage(graph)), passage(xml))
        for graph, xml in zip(parsed, gold, strict=True)
    )


def scene_f1(parsed: Sequence[SceneGraph], gold: Sequence[SceneGraph]) -> tuple[float, float]:
    """F1 of Scenes, by the minimal centers of the main relation, and of Participants, by theirs and their Scene."""
    mine, true = ([graph.scenes() for graph in graphs] for graphs in (parsed, gold))
    relations = ([[scene.main_relation for scene in own] for own in side] for side in (mine, true))
    participants = (
        [[(scene.main_relation, centers) for scene in own for centers in scene.participants if centers] for own in side]
        for side in (mine, true)
    )
    return 100 * overlap(*relations).f1, 100 * overlap(*participants).f1


DIGITS = dict.fromkeys(
    [
        *(f"{kind} {edges} {figure}" for kind in ("labelled", "unlabelled") for edges in ("primary", "remote")
          for figure in ("P", "R", "F1")),
        *("Scenes F1", "Participants F1", "number of Scenes right, %"),
    ],
    2,
)  # fmt: skip
AIMS = cells({"wiki": (80.5, 80), "test": (81.5, 82), "20k": (75.5, 70)}, ("labelled primary F1", "Scenes F1"))
PEERS = {("20k", "labelled primary F1"): 77.6}
PEER_SOURCE = "SemEval 2019 Task 1, trained on harmonised Wikipedia too"


def quality(parser: UccaParser, name: str, most: int | None = None) -> tuple[dict[str, float], int]:
    """The figures of one set, or of its first ``most`` passages, in percent, and its number of sentences."""
    gold = load(name, most)
    graphs = [read_passage(xml) for xml in gold]
    parsed = parser.extract([graph.tokens for graph in graphs])
    scores = evaluator_scores(parsed, gold)
    figures: list[float] = []
    for kind in ("labeled", "unlabeled"):
        for edges in ("primary", "remote"):
            figure = scores[kind][edges]
            figures += (100 * value for value in (figure.p, figure.r, figure.f1))
    figures += scene_f1(parsed, graphs)
    counts = [len(one.scene_units()) == len(other.scene_units()) for one, other in zip(parsed, graphs, strict=True)]
    figures.append(100 * sum(counts) / len(counts))
    return dict(zip(DIGITS, figures, strict=True)), len(graphs)


def speed(parser: UccaParser, most: int | None = None) -> None:
    """Print sentences a second on EWT test, and the share of the bare network (best of five)."""
    sentences = [read_passage(xml).tokens for xml in load("test", most)]
    net, outputs = parser.encoder.network, [f"{output}.{PAPERS}" for output in OUTPUTS]
    cut = parser.encoder.cut(sentences)
    words = [[i for i, token in enumerate(tokens) if not is_punctuation(token)] for tokens in cut.parts]
    inputs = [batch for _, batch in parser.encoder.batches(cut, words, range(len(words)))]

    def bare() -> None:
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(lambda batch: net.run(batch, outputs), reversed(inputs)))

    whole, alone = (best_time(work) for work in (lambda: parser.extract(sentences), bare))
    digits = {"sentences/s": 0, "the network, %": 0}
    table = Figures("parsing.speed", "threads", digits=digits, aims={"sentences/s": 1000}, data="UCCA EWT test")
    figures = (len(sentences) / whole, 100 * alone / whole)
    table.row(str(THREADS), dict(zip(digits, figures, strict=True)), n=len(sentences))


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--sets", nargs="*", default=["wiki", "dev", "test"], choices=tuple(SETS))
    parser.add_argument("--speed", action="store_true")
    arguments = parser.parse(argv)
    if arguments.smoke:
        arguments.sets, arguments.speed = ["dev"], True
    most = 2 if arguments.smoke else None
    encoder = UccaEncoder(threads=THREADS)
    parsers = {name: UccaParser(convention=name, encoder=encoder) for name in CONVENTIONS}
    print(", ".join(parser.signature for parser in parsers.values()))
    table = Figures("parsing.figures", "set", digits=DIGITS, aims=AIMS, peers=PEERS, peer_source=PEER_SOURCE)
    for name in arguments.sets:
        figures, count = quality(parsers[SETS[name]], name, most)
        table.row(name, figures, n=count)
    if arguments.speed:
        speed(parsers[PAPERS], most)


if __name__ == "__main__":
    run(main)
