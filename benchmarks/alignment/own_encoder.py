"""Is a second encoder worth its size? One alignment head on three encoders.

    OMP_NUM_THREADS=2 python -m benchmarks.alignment.own_encoder [--runs runs/own_encoder]

`parser`: the shipped parser's encoder, frozen, as `python -m training.english.alignment` reads it. `MiniLM-L6,
layer 4` and `5`: the encoder that the parser was trained from, frozen; dev chooses the layer. `MiniLM-L6, tuned`: the
same encoder fine-tuned with the head (a learned mix of its last three layers, embeddings frozen). Training examples,
second stage and choice of the threshold are those of the shipped aligner; the test part is read after all training.
Encoders run as ONNX graphs in 8 bits, heads behind the shipped aligner's rules (`all_links`).

The folder of `--runs` keeps trained models, which are not trained again; delete the folder to start afresh.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sema_english.aligner import GRID, WORDS, LearnedAligner, learned_aligner
from sema_english.relations import number_value, relations
from sema_english.word_grids import WordGrids
from sema_ucca.encoder import UccaEncoder, _pooled
from sema_ucca.pieces import PieceTokenizer, piece_batch
from torch import Tensor, nn

from benchmarks.alignment.aligners import Links, load
from benchmarks.overlap import links_of_other_words
from benchmarks.records import CommandLine, Figures, run
from sema.alignment import Pair
from sema.alignment.relations import WordRelations
from sema.model.language import Encoder
from sema.runtime.onnx import session
from training.data.alignment_data import Example, States, examples
from training.english.alignment import (
    DEV_FOR_LEARNING,
    FIRST,
    SECOND,
    AlignmentPlan,
    Course,
    best_threshold,
    course,
    fit,
    gold_parts,
    learn,
    sentences_of,
)
from training.english.alignment_export import export_aligner
from training.english.alignment_model import AlignmentNet, GridShape
from training.ucca.export import PlainEncoder
from training.ucca.quantize import quantized
from training.ucca.stages import base_encoder, base_folder

log = logging.getLogger("training.ucca")

FROZEN_LAYERS = (4, 5)
LAYERS, MIXED = 6, 3
FIRST_TUNED = AlignmentPlan(epochs=4, rate=FIRST.rate, average=FIRST.average, warm_up=100)
ENCODER_SHARE, LAYER_DECAY = 0.05, 0.9
"""The encoder's top layer learns at this share of the head's rate, each layer below at this share of the next."""
MAX_PIECES = 2048
GRAPH, DEV = "encoder.int8.onnx", "dev.json"
RESAMPLES = 2000
REPEATS = 3
PARSER = "parser, shared"
TUNED = "MiniLM-L6, tuned"

Counts = NDArray[np.int64]


class OwnEncoder(nn.Module):
    """The base encoder up to a layer, read as a learned mix of its last layers."""

    def __init__(self, layers: int, mixed: int) -> None:
        super().__init__()
        self.encoder = base_encoder()
        stack = cast(Any, self.encoder)
        stack.encoder.layer = stack.encoder.layer[:layers]
        stack.config.num_hidden_layers = layers
        self.read = mixed
        self.mix = nn.Parameter(torch.zeros(mixed))

    def mixed(self, layers: Sequence[Tensor]) -> Tensor:
        """The mix, of all layers from the lowest up."""
        weights = torch.softmax(self.mix, 0)
        return cast(Tensor, sum(weights[k] * layer for k, layer in enumerate(layers[-self.read :])))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Piece states (batch, pieces, width)."""
        return self.mixed(self.encoder(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states)


class Graph(nn.Module):
    """An encoder as it is exported."""

    def __init__(self, own: OwnEncoder) -> None:
        super().__init__()
        self.own = own
        self.plain = PlainEncoder(own.encoder, quantized=True)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        return self.own.mixed(self.plain(ids, mask))


def export_encoder(own: OwnEncoder, folder: Path) -> None:
    import onnx

    folder.mkdir(parents=True, exist_ok=True)
    ids, part = torch.randint(1000, 2000, (2, 7)), folder / "encoder.part"
    axes = {name: {0: "batch", 1: "pieces"} for name in ("ids", "mask", "states")}
    torch.onnx.export(
        Graph(own).eval(), (ids, torch.ones_like(ids)), str(part), input_names=["ids", "mask"],
        output_names=["states"], dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    onnx.save(quantized(onnx.load(str(part))), str(folder / GRAPH))
    part.unlink()


class OnnxEncoder:
    """An exported encoder, as an aligner reads it."""

    def __init__(self, folder: Path) -> None:
        self._session = session(folder / GRAPH)
        self._tokenizer = PieceTokenizer(base_folder() / "tokenizer.json")
        self.signature = hashlib.sha256((folder / GRAPH).read_bytes()).hexdigest()[:12]

    def keep_states(self) -> None:
        """No other component uses its states."""

    def states(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        pieced = [self._tokenizer.sentence(tokens) for tokens in sentences]
        found: list[NDArray[np.float32]] = [np.zeros((0, 0), np.float32)] * len(pieced)
        for group in _by_length([len(sentence.ids) for sentence in pieced]):
            batch = piece_batch([pieced[k] for k in group], [(0,)] * len(group), self._tokenizer)
            (layer,) = self._session.run(["states"], {name: batch[name] for name in ("ids", "mask")})
            for row, k in enumerate(group):
                found[k] = _pooled(layer[row], pieced[k])
        return found


def _by_length(sizes: Sequence[int]) -> Iterator[list[int]]:
    group: list[int] = []
    for k in sorted(range(len(sizes)), key=sizes.__getitem__):
        if group and (len(group) + 1) * sizes[k] > MAX_PIECES:
            yield group
            group = []
        group.append(k)
    if group:
        yield group


class WordStates:
    """Computes the states of the words of examples with an encoder that is being trained."""

    def __init__(self, states: States) -> None:
        """``states`` numbers the words of the examples; its vectors are not read."""
        self._tokenizer = PieceTokenizer(base_folder() / "tokenizer.json")
        self._sentences = list(states.place)
        self._starts = np.array(list(states.place.values()), np.int64)

    def states(self, own: OwnEncoder, some: Sequence[Example]) -> tuple[Tensor, Tensor]:
        """Padded states (batch, words, width) of both sides; whole sentences are encoded, even if a part is used."""
        sides = [[example.rows for example in some], [example.columns for example in some]]
        owner = {int(words[0]): self._owner(int(words[0])) for side in sides for words in side}
        distinct = sorted(set(owner.values()))
        pieced = [self._tokenizer.sentence(self._sentences[k]) for k in distinct]
        batch = piece_batch(pieced, [(0,)] * len(pieced), self._tokenizer)
        layer = own(torch.from_numpy(batch["ids"]), torch.from_numpy(batch["mask"])).float()
        width = layer.shape[1]
        places = [np.arange(len(sentence.ids)) + 1 + row * width for row, sentence in enumerate(pieced)]
        counts = np.concatenate([np.diff(sentence.starts) for sentence in pieced])
        sums = torch.zeros(len(counts), layer.shape[2]).index_add(
            0,
            torch.from_numpy(np.repeat(np.arange(len(counts)), counts)),
            layer.flatten(0, 1).index_select(0, torch.from_numpy(np.concatenate(places))),
        )
        words = sums / torch.from_numpy(counts)[:, None]
        before = np.cumsum([0] + [len(self._sentences[k]) for k in distinct])
        shift = {k: int(before[row] - self._starts[k]) for row, k in enumerate(distinct)}
        padded = []
        for side in sides:
            index = np.zeros((len(side), max(map(len, side))), np.int64)
            for row, indexes in enumerate(side):
                index[row, : len(indexes)] = indexes + shift[owner[int(indexes[0])]]
            padded.append(words.index_select(0, torch.from_numpy(index.ravel())).unflatten(0, index.shape))
        return padded[0], padded[1]

    def _owner(self, word: int) -> int:
        return int(np.searchsorted(self._starts, word, "right")) - 1


class Trainer:
    """Trains candidates; examples are made only if a model has to be trained."""

    def __init__(self, grids: WordGrids) -> None:
        self.grids = grids
        self._gold = gold_parts()
        self.sentences = sentences_of(self._gold)

    @cached_property
    def places(self) -> States:
        """The number of each word: the same for every encoder."""
        return States(_NoEncoder(), self.sentences)

    @cached_property
    def lessons(self) -> Course:
        return course(self._gold, self.places, self.grids)

    def train_frozen(self, encoder: Encoder, folder: Path) -> None:
        states = States(encoder, self.sentences, folder / "states.npy")
        torch.manual_seed(FIRST.seed)
        net = learn(AlignmentNet(GridShape()), self.lessons.first, states, FIRST)
        net = learn(net, self.lessons.second, states, SECOND)
        _finish(net, self.lessons, states, folder)

    def train_tuned(self, folder: Path) -> None:
        torch.manual_seed(FIRST.seed)
        model = nn.ModuleDict({"own": OwnEncoder(LAYERS, MIXED), "net": AlignmentNet(GridShape())})
        words, first = WordStates(self.places), folder / "first.pt"
        if first.exists():
            model.load_state_dict(torch.load(first, weights_only=True))
        else:
            model = _tune(model, words, self.lessons.first, FIRST_TUNED)
            torch.save(model.state_dict(), first)
        model = _tune(model, words, self.lessons.second, SECOND)
        torch.save(model.state_dict(), folder / "second.pt")
        export_encoder(cast(OwnEncoder, model["own"]), folder)
        held_out = self.lessons.held_out
        states = States(OnnxEncoder(folder), sentences_of(held_out))
        judged = {part: examples(pairs, states, self.grids) for part, pairs in held_out.items()}
        _finish(cast(AlignmentNet, model["net"]), replace(self.lessons, judged=judged), states, folder)


class _NoEncoder:
    signature = "nothing"

    def keep_states(self) -> None:
        """No other component uses its states."""

    def states(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        return [np.zeros((len(sentence), 0), np.float32) for sentence in sentences]


def _tune(model: nn.ModuleDict, words: WordStates, chosen: Sequence[Example], plan: AlignmentPlan) -> nn.ModuleDict:
    own, net = cast(OwnEncoder, model["own"]), model["net"]
    model.requires_grad_(False)
    layers = cast(Any, own.encoder).encoder.layer
    rates = [plan.rate * ENCODER_SHARE * LAYER_DECAY**above for above in reversed(range(len(layers)))]
    groups = [{"params": list(layer.parameters()), "base": rate} for layer, rate in zip(layers, rates, strict=True)]
    groups.append({"params": [own.mix, *net.parameters()], "base": plan.rate})
    for group in groups:
        nn.ParameterList(cast(list[nn.Parameter], group["params"])).requires_grad_(True)

    def score(some: Sequence[Example], grid: Tensor, mask: Tensor) -> Tensor:
        left, right = (nn.functional.dropout(side, plan.drop) for side in words.states(own, some))
        return cast(Tensor, net(left, right, grid, mask))

    return cast(nn.ModuleDict, fit(model, groups, score, chosen, plan))


def _finish(net: AlignmentNet, lessons: Course, states: States, folder: Path) -> None:
    log.info("%s", folder.name)
    threshold, total = best_threshold(net, lessons, states)
    export_aligner(net, GridShape(), threshold, folder)
    (folder / DEV).write_text(json.dumps({"threshold": threshold, "sum": total}) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Candidate:
    """A trained aligner: its encoder, the folder of its files, and its parameters and bytes beyond the parser's."""

    encoder: Encoder
    folder: Path
    added_parameters: int
    added_file: int

    def aligner(self, grids: WordGrids, kinds: WordRelations) -> LearnedAligner:
        return LearnedAligner(self.encoder, kinds, grids, threads=1, weights=self.folder)

    @property
    def dev_sum(self) -> float:
        return float(json.loads((self.folder / DEV).read_text(encoding="utf-8"))["sum"])


def candidates(runs: Path, grids: WordGrids) -> dict[str, Candidate]:
    """Train the candidates that are not trained yet."""
    trainer = Trainer(grids)
    head = sum(p.numel() for p in AlignmentNet(GridShape()).parameters())
    parser = UccaEncoder(threads=1)
    folder = runs / f"parser-{parser.signature.rpartition('+')[2]}"
    found = {PARSER: Candidate(parser, folder, head, 0)}
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / DEV).exists():
        trainer.train_frozen(parser, folder)
    for title, layers, mixed in [*((f"MiniLM-L6, layer {k}", k, 1) for k in FROZEN_LAYERS), (TUNED, LAYERS, MIXED)]:
        folder = runs / title.replace(", ", "-").replace(" ", "").lower()
        folder.mkdir(parents=True, exist_ok=True)
        own = OwnEncoder(layers, mixed)
        if not (folder / DEV).exists() and title == TUNED:
            trainer.train_tuned(folder)
        elif not (folder / DEV).exists():
            export_encoder(own, folder)
            trainer.train_frozen(OnnxEncoder(folder), folder)
        parameters = head + sum(p.numel() for p in own.parameters())
        found[title] = Candidate(OnnxEncoder(folder), folder, parameters, (folder / GRAPH).stat().st_size)
    return found


def counts(aligner: LearnedAligner, pairs: Sequence[Pair], gold: Sequence[Links]) -> Counts:
    """The number of correct, predicted and gold links of every pair: all links, then links between other words."""
    rows = []
    for pair, links, true in zip(pairs, aligner.all_links(pairs), gold, strict=True):
        found = {(link.source, link.output) for link in links}
        others, true_others = links_of_other_words(*pair, found), links_of_other_words(*pair, true)
        rows.append([
            [len(found & true), len(found), len(true)],
            [len(others & true_others), len(others), len(true_others)],
        ])  # fmt: skip
    return np.array(rows, np.int64)


def f1(totals: Counts) -> NDArray[np.float64]:
    """F1 of counts (…, 3)."""
    return np.asarray(2 * totals[..., 0] / np.maximum(1, totals[..., 1] + totals[..., 2]))


def gain(mine: Counts, base: Counts) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The difference in F1 to another aligner with its 95 % interval (paired bootstrap over sentence pairs)."""
    drawn = np.random.default_rng(1).integers(len(mine), size=(RESAMPLES, len(mine)))
    spread = np.array([f1(mine[rows].sum(0)) - f1(base[rows].sum(0)) for rows in drawn])
    low, high = np.quantile(spread, (0.025, 0.975), axis=0)
    return f1(mine.sum(0)) - f1(base.sum(0)), low, high


def milliseconds(make: Callable[[], LearnedAligner], parser: UccaEncoder | None, pairs: Sequence[Pair]) -> float:
    """Processor time a pair with a warm lexicon cache; with ``parser``, after it has read the sources."""
    spent = []
    for _ in range(REPEATS):
        aligner = make()
        aligner.all_links([(["Loading", "takes", "time"], ["Loading", "takes", "long"])])
        if parser is not None:
            parser.states([source for source, _ in pairs])
        start = time.process_time()
        aligner.all_links(pairs)
        spent.append(time.process_time() - start)
    return 1000 * min(spent) / len(pairs)


KINDS = ("all links", "other words")


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--runs", type=Path, default=Path("runs/own_encoder"), help="the folder of trained models")
    arguments = parser.parse(argv)
    runs, some = arguments.runs, slice(4 if arguments.smoke else None)
    sets = {name: load(name) for name in ("mtref-dev", "wiki-dev", "mtref-test")}
    sets["mtref-dev"] = cast(Any, tuple(column[DEV_FOR_LEARNING:] for column in sets["mtref-dev"]))
    kinds, grids = relations(), WordGrids(relations(reverse_hyponymy=True), number_value)
    if arguments.smoke:  # nothing is trained: the shipped aligner alone
        figures = counts(learned_aligner(threads=1), *(column[some] for column in sets["mtref-dev"]))
        print(f1(figures.sum(0)))
        return
    runs.mkdir(parents=True, exist_ok=True)
    handlers: list[logging.Handler] = [logging.StreamHandler(), logging.FileHandler(runs / "train.log")]
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", handlers=handlers)
    found = candidates(runs, grids)
    frozen = [title for title in found if title not in (PARSER, TUNED)]
    worse = set(frozen) - {max(frozen, key=lambda title: found[title].dev_sum)}
    digits = {"added MB, fp32": 1, "added MB, int8": 1, "ms a pair": 2, "ms, sources parsed": 2}
    table = Figures("alignment.own_encoder", "encoder", digits=digits, data="MultiMWA")
    tested: dict[str, Counts] = {}
    for title, candidate in found.items():
        aligner = candidate.aligner(grids, kinds)
        cells: dict[str, float | None] = {}
        for name, (pairs, gold) in sets.items():
            names = [f"{name}, F1 of {kind}" for kind in KINDS]
            if name == "mtref-test" and title in worse:
                cells.update(dict.fromkeys(names))
                continue
            figures = counts(aligner, pairs, gold)
            cells.update(zip(names, f1(figures.sum(0)).tolist(), strict=True))
            if name == "mtref-test":
                tested[title] = figures
        heads = sum((candidate.folder / name).stat().st_size for name in (WORDS, GRID))
        sizes = 4 * candidate.added_parameters, heads + candidate.added_file
        reused = candidate.encoder if isinstance(candidate.encoder, UccaEncoder) else None
        make = partial(candidate.aligner, grids, kinds)
        spent = [milliseconds(make, parser, sets["mtref-dev"][0]) for parser in (None, reused)]
        table.row(title, {**cells, **dict(zip(digits, [*(size / 1e6 for size in sizes), *spent], strict=True))})
    print("\nMTRef test, difference to the parser's encoder\n")
    differences = Figures("alignment.own_encoder_gain", "encoder", data="MultiMWA mtref-test")
    for title, figures in tested.items():
        if title != PARSER:
            middle, low, high = (dict(zip(KINDS, part.tolist(), strict=True)) for part in gain(figures, tested[PARSER]))
            intervals = {kind: (low[kind], high[kind]) for kind in KINDS}
            differences.row(title, middle, n=len(figures), intervals=intervals)


if __name__ == "__main__":
    run(main)
