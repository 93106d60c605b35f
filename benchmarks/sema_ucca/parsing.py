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

from sema_ucca.conventions import CONVENTIONS, PAPERS, UCCA2
from sema_ucca.encoder import UccaEncoder
from sema_ucca.parser import OUTPUTS, UccaParser
from sema_ucca.ucca_xml import read_passage, write_passage
from ucca import convert, evaluation, textutil

from benchmarks.overlap import overlap, scene_participants, scene_relations
from benchmarks.records import CommandLine, Figures, best_time, run
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
        return [document(cut) for p in passages for cut in convert.split_passage(p, textutil.break2sentences(p))]
    if name == "wiki":
        return wiki_documents(most)
    wanted = part_ids(name)
    documents: dict[str, bytes] = {}
    for stem in list(dict.fromkeys(identifier.rpartition("-")[0] for identifier in wanted))[:most]:
        passage = convert.file2passage(str(folder / "english-ewt" / "xml" / f"{stem}.xml"))
        named = [(identifier, end) for identifier, (start, end) in passage_sentences(stem) if start < end]
        ids, ends = [identifier for identifier, _ in named], [end for _, end in named]
        for cut in convert.split_passage(passage, ends, ids=ids):
            documents[cut.ID] = document(cut)
    return [documents[identifier] for identifier in wanted if identifier in documents]


def wiki_documents(most: int | None) -> list[bytes]:
    """The sentences of Wikipedia's dev part, or of its first ``most`` passages."""
    folder = data_folder("ucca", "english-wiki")
    documents = []
    for number in json.loads((folder / "split.json").read_text(encoding="utf-8"))["dev"][:most]:
        file = folder / "xml" / f"ucca_passage{number}.xml"
        ends = [end for _, end in annotated_sentences(read_passage(file))]
        ids = [f"{number}{place:03d}" for place in range(len(ends))]
        documents += [document(cut) for cut in convert.split_passage(convert.file2passage(str(file)), ends, ids=ids)]
    return documents


def document(passage: Any) -> bytes:
    """A toolkit passage as XML."""
    return ElementTree.tostring(convert.to_standard(passage))


def passage(xml: bytes) -> Any:
    """A fresh toolkit passage, since the evaluator changes its arguments."""
    return convert.from_standard(ElementTree.fromstring(xml))


def evaluator_scores(parsed: Sequence[SceneGraph], gold: Sequence[bytes]) -> Any:
    """UCCA's evaluator over all sentences."""
    return evaluation.Scores.aggregate(
        evaluation.evaluate(passage(write_passage(graph)), passage(xml))
        for graph, xml in zip(parsed, gold, strict=True)
    )


def scene_f1(parsed: Sequence[SceneGraph], gold: Sequence[SceneGraph]) -> tuple[float, float]:
    """F1 of Scenes and of Participants, in percent."""
    mine, true = [graph.scenes() for graph in parsed], [graph.scenes() for graph in gold]
    scenes, parts = (overlap(map(view, mine), map(view, true)) for view in (scene_relations, scene_participants))
    return 100 * scenes.f1, 100 * parts.f1


DIGITS = dict.fromkeys(
    [
        *(f"{kind} {edges} {figure}" for kind in ("labelled", "unlabelled") for edges in ("primary", "remote")
          for figure in ("P", "R", "F1")),
        *("Scenes F1", "Participants F1", "number of Scenes right, %"),
    ],
    2,
)  # fmt: skip
AIMS = {
    ("wiki", "labelled primary F1"): 80.5,
    ("wiki", "Scenes F1"): 80,
    ("test", "labelled primary F1"): 81.5,
    ("test", "Scenes F1"): 82,
    ("20k", "labelled primary F1"): 75.5,
    ("20k", "Scenes F1"): 70,
}
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
    net = parser.encoder.network
    words = [[i for i, token in enumerate(tokens) if not is_punctuation(token)] for tokens in sentences]
    pieced = [net.tokenizer.sentence(tokens) for tokens in sentences]
    inputs = [net.inputs(group, pieced, words) for group in net.batches(pieced, words)]

    outputs = [f"{output}.{PAPERS}" for output in OUTPUTS]

    def bare() -> None:
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(lambda batch: net.run(batch, outputs), reversed(inputs)))

    whole, alone = (best_time(work) for work in (lambda: parser.extract(sentences), bare))
    one, both = (best_time(lambda names=names: parser.trees_by(sentences, names)) for names in ((PAPERS,), CONVENTIONS))
    digits = {"sentences/s": 0, "the network, %": 0, "two conventions, times one": 2}
    table = Figures("parsing.speed", "threads", digits=digits, aims={"sentences/s": 1000}, data="UCCA EWT test")
    figures = (len(sentences) / whole, 100 * alone / whole, both / one)
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
