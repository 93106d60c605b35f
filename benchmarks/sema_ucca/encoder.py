"""Ways to run the English network, compared in one run: batches, graphs, threads, 8-bit attention.

    python -m benchmarks.sema_ucca.encoder [--sentences 1000]

What ``sema`` and ``samsa`` ask of it for originals, spans and units' states: TurkCorpus' tune originals, in chunks as
they are scored. Medians of five rounds, each in another order, without the charts that follow. ``padding`` is the share
of the pieces that only fill batches up; ``spans otherwise`` the share of the spans' best labels (null among them) that
another way of computing changes.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from statistics import median
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper
from sema_ucca.conventions import PAPERS
from sema_ucca.network import STATES, WEIGHTS, Network
from sema_ucca.parser import OUTPUTS
from sema_ucca.pieces import all_spans
from sema_ucca.pruning import pruned

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import turkcorpus
from sema.languages import find_language
from sema.model.text import is_punctuation
from sema.runtime.onnx import onnx_runtime
from sema.scoring.scorer import CHUNK

SENTENCES, ROUNDS = 1000, 5
CORES = 2
WANTED = [f"{output}.{PAPERS}" for output in OUTPUTS]
FILE = WEIGHTS / "model.int8.onnx"
COLUMNS = ("sentences/s", "times as it runs", "ms of processor time", "padding, %", "spans otherwise, %")
Inputs = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Way:
    """How the sentences are computed.

    Attributes:
        batches: how they become batches: by ``length``, in their ``order``, each ``alone``.
        level: ONNX Runtime's optimizations of the graph.
        attention: whether products of attention are done in 8 bits, too.
        threads: threads within a batch.
        beside: batches computed beside each other, in threads or, if ``processes``, in processes.
    """

    batches: str = "length"
    level: str = "ORT_ENABLE_ALL"
    attention: bool = False
    threads: int = 1
    beside: int = CORES
    processes: bool = False


WAYS = {
    "as it runs: by length, a batch on each core": Way(),
    "batches in the order of the sentences": Way("order"),
    "each sentence alone, no padding": Way("alone"),
    "no optimization of the graph": Way(level="ORT_DISABLE_ALL"),
    "basic optimizations": Way(level="ORT_ENABLE_BASIC"),
    "attention in 8 bits": Way(attention=True),
    "one batch at a time on both cores": Way(threads=CORES, beside=1),
    "a process on each core": Way(processes=True),
    "one core": Way(beside=1),
}


class Work:
    """The sentences as the network's inputs, in batches of each kind."""

    def __init__(self, count: int) -> None:
        segmenter = find_language("en").parts().segmenter
        texts = segmenter.segment(turkcorpus("tune")[0][:count])
        sentences = [words for text in texts for words in text.sentence_words][:count]
        self.network = Network(WEIGHTS, "int8")
        self.words = [[i for i, token in enumerate(tokens) if not is_punctuation(token)] for tokens in sentences]
        self.pieced = [self.network.tokenizer.sentence(tokens) for tokens in sentences]
        by_length = []
        for start in range(0, len(sentences), CHUNK["sentence"]):
            chunk = slice(start, start + CHUNK["sentence"])
            groups = self.network.batches(self.pieced[chunk], self.words[chunk])
            by_length += [[start + index for index in group] for group in groups]
        size = round(len(sentences) / len(by_length))
        self.groups = {
            "length": by_length,
            "order": [list(range(k, min(k + size, len(sentences)))) for k in range(0, len(sentences), size)],
            "alone": [[k] for k in range(len(sentences))],
        }
        self.inputs = {name: [self._of(group) for group in groups] for name, groups in self.groups.items()}

    def _of(self, group: Sequence[int]) -> Inputs:
        batch: Inputs = dict(self.network.inputs(group, self.pieced, self.words))
        starts, ends = all_spans(batch["first"].shape[1])
        pieces = batch.pop("ids")
        return {**batch, "words": self.network._words[pieces], "starts": starts, "ends": ends}

    def padding(self, batches: str) -> float:
        """The share of padded pieces, in percent."""
        masks = [inputs["mask"] for inputs in self.inputs[batches]]
        return 100 * (1 - sum(int(mask.sum()) for mask in masks) / sum(mask.size for mask in masks))

    def labels(self, way: Way) -> dict[tuple[int, int, int], int]:
        """The best label of each span (sentence, first word, last word); 0: none."""
        found = {}
        for group, inputs in zip(self.groups[way.batches], self.inputs[way.batches], strict=True):
            margins, best = session(way).run(WANTED[:2], inputs)
            chosen = np.where(margins[:, :, 0] > 0, best[:, :, 0], 0)
            for row, sentence in enumerate(group):
                inside = inputs["ends"] < len(self.words[sentence])
                spans = zip(inputs["starts"][inside], inputs["ends"][inside], chosen[row, inside], strict=True)
                found.update({(sentence, int(start), int(end)): int(label) for start, end, label in spans})
        return found


@cache
def session(way: Way) -> Any:
    """ONNX Runtime's session for a way."""
    ort = onnx_runtime()
    model = pruned(FILE.read_bytes(), [*WANTED, STATES])
    if way.attention:
        model = in_eight_bits(onnx.load_from_string(model)).SerializeToString()
    options = ort.SessionOptions()
    options.intra_op_num_threads = way.threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_mem_reuse = options.enable_mem_pattern = False
    options.graph_optimization_level = getattr(ort.GraphOptimizationLevel, way.level)
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def in_eight_bits(model: Any) -> Any:
    """The model with the encoder's products of two activations in 8 bits, each activation with one scale."""
    nodes = []
    for node in model.graph.node:
        if node.op_type != "MatMul" or "/encoder/" not in node.output[0]:
            nodes.append(node)
            continue
        name = node.output[0]
        sides = [f"{name}.{side}" for side in ("left", "right")]
        for side, source in zip(sides, node.input, strict=True):
            made = [f"{side}.whole", f"{side}.scale", f"{side}.zero"]
            nodes.append(helper.make_node("DynamicQuantizeLinear", [source], made))
        left, right = sides
        whole = [f"{left}.whole", f"{right}.whole", f"{left}.zero", f"{right}.zero"]
        nodes += [
            helper.make_node("MatMulInteger", whole, [f"{name}.sum"]),
            helper.make_node("Cast", [f"{name}.sum"], [f"{name}.float"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{left}.scale", f"{right}.scale"], [f"{name}.scale"]),
            helper.make_node("Mul", [f"{name}.float", f"{name}.scale"], [name]),
        ]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def work_through(way: Way, batches: Sequence[Inputs]) -> float:
    """Compute all batches; the processor seconds that it takes."""
    before = time.process_time()
    graph = session(way)
    if way.beside == 1:
        for inputs in batches:
            graph.run(WANTED, inputs)
    else:
        with ThreadPoolExecutor(way.beside) as pool:
            list(pool.map(lambda inputs: graph.run(WANTED, inputs), batches))
    return time.process_time() - before


@contextmanager
def in_processes(way: Way, work: Work) -> Iterator[Callable[[], float]]:
    """A function that has processes compute their shares of the batches, and returns their processor seconds."""
    context = multiprocessing.get_context("fork")
    children, pipes = [], []
    alone = replace(way, beside=1, processes=False)
    for number in range(way.beside):
        ours, theirs = context.Pipe()
        share = work.inputs[way.batches][number :: way.beside]
        child = context.Process(target=_answer, args=(theirs, alone, share), daemon=True)
        child.start()
        children.append(child)
        pipes.append(ours)

    def once() -> float:
        for pipe in pipes:
            pipe.send(None)
        return float(sum(pipe.recv() for pipe in pipes))

    try:
        yield once
    finally:
        for child in children:
            child.terminate()
            child.join()


def _answer(pipe: Any, way: Way, batches: Sequence[Inputs]) -> None:
    while True:
        pipe.recv()
        pipe.send(work_through(way, batches))


def measured(work: Work, ways: Mapping[str, Way], rounds: int) -> dict[str, tuple[float, float]]:
    """Sentences a second and processor milliseconds a sentence of each way: medians of rounds."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    names, count = list(ways), len(work.words)
    with ExitStack() as ending:
        # processes start before threads do
        others = {name: ending.enter_context(in_processes(way, work)) for name, way in ways.items() if way.processes}
        for number in range(-1, rounds):  # the first round loads the sessions
            start = max(number, 0) % len(names)
            for name in [*names[start:], *names[:start]]:
                way = ways[name]
                begin = time.perf_counter()
                spent = others[name]() if name in others else work_through(way, work.inputs[way.batches])
                if number >= 0:
                    found[name].append((count / (time.perf_counter() - begin), 1000 * spent / count))
    return {name: (median(a for a, _ in figures), median(b for _, b in figures)) for name, figures in found.items()}


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = CommandLine(__doc__)
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    arguments = parser.parse(argv)
    work = Work(3 if arguments.smoke else arguments.sentences)
    figures = measured(work, WAYS, 1 if arguments.smoke else ROUNDS)
    first = next(iter(WAYS))
    usual = work.labels(WAYS[first])
    digits = dict(zip(COLUMNS, (0, 2, 2, 1, 2), strict=True))
    table = Figures("parsing.ways", "way", digits=digits, data="TurkCorpus tune originals")
    for name, way in WAYS.items():
        rate, spent = figures[name]
        labels = work.labels(way) if not way.processes else usual
        other = 100 * sum(labels[span] != label for span, label in usual.items()) / len(usual)
        row = (rate, rate / figures[first][0], spent, work.padding(way.batches), other)
        table.row(name, dict(zip(digits, row, strict=True)), n=len(work.words))


if __name__ == "__main__":
    run(main)
