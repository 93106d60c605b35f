"""How well and how fast the English parser parses: ``python benchmarks/sema_ucca/parsing.py [--sets dev test 20k]``.

Gold tokens, sentence by sentence; F1 by UCCA's own evaluator (package ``ucca``). EWT is cut where UD's sentences end,
20K where UCCA's toolkit ends sentences. 20K is for the last report only: nothing may be decided on it.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from xml.etree import ElementTree

from sema_ucca.encoder import UccaEncoder
from sema_ucca.parser import UccaParser
from sema_ucca.training.corpus import part_ids, passage_sentences
from sema_ucca.ucca_xml import read_passage, write_passage
from ucca import convert, evaluation, textutil

from sema.datasets.folder import data_folder
from sema.model.scene_graph import SceneGraph
from sema.model.text import is_punctuation


def load(name: str) -> list[bytes]:
    """The gold sentences of a set as XML documents, cut by UCCA's toolkit."""
    folder = data_folder("ucca")
    if name == "20k":
        passages = [convert.file2passage(str(file)) for file in sorted((folder / "english-20k" / "xml").glob("*.xml"))]
        return [document(cut) for p in passages for cut in convert.split_passage(p, textutil.break2sentences(p))]
    wanted = part_ids(name)
    found: dict[str, bytes] = {}
    for stem in dict.fromkeys(identifier.rpartition("-")[0] for identifier in wanted):
        passage = convert.file2passage(str(folder / "english-ewt" / "xml" / f"{stem}.xml"))
        named = [(identifier, end) for identifier, (start, end) in passage_sentences(stem) if start < end]
        ids, ends = [identifier for identifier, _ in named], [end for _, end in named]
        for cut in convert.split_passage(passage, ends, ids=ids):
            found[cut.ID] = document(cut)
    return [found[identifier] for identifier in wanted if identifier in found]


def document(passage: Any) -> bytes:
    """A toolkit passage as XML."""
    return ElementTree.tostring(convert.to_standard(passage))


def passage(xml: bytes) -> Any:
    """A fresh toolkit passage (the evaluator changes what it is given)."""
    return convert.from_standard(ElementTree.fromstring(xml))


def evaluator_scores(found: Sequence[SceneGraph], gold: Sequence[bytes]) -> Any:
    """UCCA's evaluator over all sentences."""
    return evaluation.Scores.aggregate(
        evaluation.evaluate(passage(write_passage(graph, implicit=False)), passage(xml))
        for graph, xml in zip(found, gold, strict=True)
    )


def relations(graph: SceneGraph) -> Counter[Any]:
    """The Scenes of a graph by the minimal centers of their main relation."""
    return Counter(scene.main_relation for scene in graph.scenes())


def participants(graph: SceneGraph) -> Counter[Any]:
    """The Participants of a graph, remote ones too, by their minimal centers and those of the main relation."""
    return Counter(
        (scene.main_relation, centers) for scene in graph.scenes() for centers in scene.participants if centers
    )


def f1(pairs: Sequence[tuple[Counter[Any], Counter[Any]]]) -> float:
    """F1 in percent."""
    both = sum((one & other).total() for one, other in pairs)
    return 200 * both / max(1, sum(one.total() + other.total() for one, other in pairs))


def quality(parser: UccaParser, name: str) -> None:
    """Print the figures of one set."""
    gold = load(name)
    graphs = [read_passage(xml) for xml in gold]
    found = parser.extract([graph.tokens for graph in graphs])
    scores = evaluator_scores(found, gold)
    for kind in ("labeled", "unlabeled"):
        for edges in ("primary", "remote"):
            figure = scores[kind][edges]
            p, r, both = (100 * value for value in (figure.p, figure.r, figure.f1))
            print(f"{name:5} {kind:9} {edges:7}  P {p:5.1f}  R {r:5.1f}  F1 {both:5.2f}")
    pairs = list(zip(found, graphs, strict=True))
    scenes = f1([(relations(one), relations(other)) for one, other in pairs])
    parts = f1([(participants(one), participants(other)) for one, other in pairs])
    counts = [len(one.scene_units()) == len(other.scene_units()) for one, other in pairs]
    right = 100 * sum(counts) / len(counts)
    print(
        f"{name:5} Scenes F1 {scenes:.2f}  Participants F1 {parts:.2f}  number of Scenes right {right:.1f} %"
        f"  ({len(pairs)} sentences)"
    )


def speed(parser: UccaParser, threads: int) -> None:
    """Print sentences a second on EWT test, and the share of the bare network (best of five)."""
    from sema_ucca.network import network

    sentences = [read_passage(xml).tokens for xml in load("test")]
    net = network(parser._folder, parser._precision)
    words = [[i for i, token in enumerate(tokens) if not is_punctuation(token)] for tokens in sentences]
    pieced = [net.tokenizer.sentence(tokens) for tokens in sentences]
    inputs = [net.inputs(group, pieced, words) for group in net.batches(pieced, words)]

    def bare() -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda batch: net.run(batch, ("margins", "best", "left", "right")), reversed(inputs)))

    whole, alone = (best_time(work) for work in (lambda: parser.extract(sentences), bare))
    print(f"speed {len(sentences) / whole:.0f} sentences/s with {threads} threads (graphs and remote edges included); "
          f"the network takes {100 * alone / whole:.0f} %")  # fmt: skip


def best_time(work: Any) -> float:
    """Seconds of the fastest of five runs."""
    times = []
    for _ in range(5):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Print what was asked for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sets", nargs="*", default=["dev", "test"], choices=("dev", "test", "20k"))
    options.add_argument("--weights", help="another folder of weights")
    options.add_argument("--precision", default="int8", choices=("int8", "fp32"))
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--speed", action="store_true")
    given = options.parse_args()
    parser = UccaParser(encoder=UccaEncoder(threads=given.threads, precision=given.precision, weights=given.weights))
    print(parser.signature)
    for name in given.sets:
        quality(parser, name)
    if given.speed:
        speed(parser, given.threads)


if __name__ == "__main__":
    main()
