"""Writes the files of a trained network that ship: ``python -m training.reader.export WEIGHTS.pt``.

The graph maps the embedded pieces of both texts to the logits of the pair and of its pieces; its products are in 8
bits. ``pieces.npz`` has the pieces of English and Chinese with their embeddings; those of all other languages are in
the package of the extra ``languages``. ``--base large`` writes the files of the large reader: a graph without the
encoder's matrices, which are in the packages of the extra ``large``, and the low-rank matrices that are added to them.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import torch
from sema_reader import large
from sema_reader.e5 import WORD_BYTES, load_e5
from sema_reader.languages import all_pieces
from sema_reader.pieces_file import FILE, SPECIAL, write_pieces
from sema_reader.reader import GRAPH, MAX_PIECES, WEIGHTS
from torch import Tensor, nn

from sema.runtime.checksums import write_sums
from training.data.tables import table
from training.reader.bases import BASES
from training.reader.data import judged, plain
from training.reader.low_rank import PARTS, SCALE, LowRank
from training.reader.network import PairNetwork
from training.reader.stories import all_stories
from training.ucca.quantize import write_graph

INPUTS = ("words", "types", "marks", "mask")
OUTPUTS = ("pair", "source", "output")
_MATRIX = re.compile(r"/layers\.(\d+)/(\w+)/")
"""The name of a layer's product: the layer's number and the part."""
SHARE = 3
"""One text in so many of the large sets is looked at."""


class _Exported(nn.Module):
    """The network with only as many positions as the longest pair needs."""

    def __init__(self, network: PairNetwork, longest: int) -> None:
        super().__init__()
        self.network = deepcopy(network)
        place = self.network.encoder.place
        place.weight.data = place.weight.data[:longest]

    def forward(self, words: Tensor, types: Tensor, marks: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return cast(tuple[Tensor, Tensor, Tensor], self.network(words, types, marks, mask))


class _OfSequences(nn.Module):
    """A linear map that is exported as a product over a sequence, so that it is done in 8 bits, too."""

    def __init__(self, whole: nn.Linear) -> None:
        super().__init__()
        self.whole = whole

    def forward(self, state: Tensor) -> Tensor:
        return cast(Tensor, self.whole(state[:, None])[:, 0])


def export_network(network: PairNetwork, file: Path, longest: int = MAX_PIECES + 4) -> None:
    """Write the graph, for at most ``longest`` pieces: ``words`` (batch, pieces, width), ``types marks mask`` (batch,
    pieces) to ``pair`` (batch, 10), ``source`` and ``output`` (batch, pieces, 3)."""
    words = torch.randn(2, 9, network.encoder.shape.width)
    ones = torch.ones(2, 9, dtype=torch.long)
    axes = {name: {0: "batch", 1: "pieces"} for name in (*INPUTS, "source", "output")} | {"pair": {0: "batch"}}
    write_graph(_Exported(network.float().eval(), longest), (words, ones - 1, ones, ones), file, INPUTS, OUTPUTS, axes)


def export_large(network: PairNetwork, folder: Path) -> None:
    """Write the graph of an adapted network without its matrices and positions, and its low-rank ones in 8 bits."""
    thin: dict[str, np.ndarray[Any, Any]] = {}
    whole = deepcopy(network)
    for number, layer in enumerate(whole.encoder.layers):
        for part in PARTS:
            adapted = cast(LowRank, getattr(layer, part))
            setattr(layer, part, adapted.whole)
            for name, rows in (("low", adapted.low), ("high", adapted.high.T * SCALE)):
                key = f"{number}.{part}.{name}"
                numbers, scales = large.in_eight_bits(rows.detach().numpy().T, 127)
                thin[key], thin[f"{key} scale"] = numbers.T, scales
    whole.joint = _OfSequences(whole.joint)  # type: ignore[assignment]
    np.savez(folder / large.ADAPTER, **thin)  # type: ignore[arg-type]
    export_network(whole, folder / GRAPH, large.LONGEST)
    graph = onnx.load(str(folder / GRAPH))
    leave_out(graph, {"network.encoder.place.weight": large.PLACES} | _matrices(graph))
    onnx.save(graph, str(folder / GRAPH))
    write_sums(folder, [GRAPH, large.ADAPTER])


def _matrices(graph: Any) -> dict[str, str]:
    """The constants of the layers' products: from their names in the graph to those under which they are supplied."""
    products = [node.input for node in graph.graph.node if node.op_type == "MatMulIntegerToFloat"]
    places = ((_MATRIX.search(one[1]), one) for one in products)
    named = ((f"{place[1]}.{place[2]}", one) for place, one in places if place)
    return {one[at]: f"{name}.{what}" for name, one in named for at, what in ((1, "weight"), (3, "scale"))}


def leave_out(graph: Any, names: Mapping[str, str]) -> None:
    """Make constants of a graph (an ONNX ModelProto) external, and rename them."""
    for constant in graph.graph.initializer:
        if constant.name in names:
            size = onnx.numpy_helper.to_array(constant).nbytes
            constant.name = names[constant.name]
            constant.ClearField("raw_data")
            constant.data_location = onnx.TensorProto.EXTERNAL
            for key, value in (("location", "packages"), ("offset", "0"), ("length", str(size))):
                constant.external_data.add(key=key, value=value)
    for node in graph.graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]


def write_shipped_pieces(file: Path) -> None:
    """Write the pieces of English and Chinese training texts, all single letters and signs of Latin script, and all
    Chinese characters."""
    e5, cutter = load_e5(), all_pieces()
    counts: Counter[int] = Counter()
    texts = [text for one in (*judged(), *all_stories()) for text in (one.source, one.output)]
    texts += [row["premise"] for row in table("entailment", "train", "nli.tsv.gz")][::SHARE]
    texts += [row["premise"] for row in table("entailment", "train", "fever.tsv.gz")][::SHARE]
    texts += [plain("".join(row["post_edit"].split())) for row in table("translation", "en-zh.train.tsv.gz")]
    for text in texts:
        counts.update(cutter.of_string(text)[0])
    chosen = set(range(SPECIAL))
    for number, piece in enumerate(e5.pieces):
        bare = piece.lstrip("▁")
        if (
            (len(bare) == 1 and (bare.isascii() or _is(bare, "LATIN", "CJK UNIFIED") or not bare.isalpha()))
            or piece == "▁"
            or (counts[number] and all(not c.isalpha() or c.isascii() or _is(c, "LATIN", "CJK UNIFIED") for c in bare))
        ):
            chosen.add(number)
    kept = sorted(chosen)
    start, count = e5.words
    rows = np.memmap(e5.file, np.uint8, "r", start, (count, WORD_BYTES))[kept]
    write_pieces(file, [e5.pieces[piece] for piece in kept], e5.scores[kept], np.asarray(rows))
    print(f"{len(kept)} pieces, {file.stat().st_size / 1e6:.1f} MB")


def _is(char: str, *scripts: str) -> bool:
    return unicodedata.name(char, "").startswith(scripts)


def main() -> None:
    """Write graph, pieces and checksums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--base", choices=BASES, default="student")
    parser.add_argument("--to", type=Path)
    parser.add_argument("--pieces", action="store_true", help="write the pieces, too")
    given = parser.parse_args()
    to = given.to or (large.LARGE if given.base == "large" else WEIGHTS)
    to.mkdir(parents=True, exist_ok=True)
    network = BASES[given.base].network()
    network.load_state_dict(torch.load(given.weights, weights_only=True), strict=given.base == "student")
    if given.base == "large":
        export_large(network, to)
        return
    export_network(network, to / GRAPH)
    if given.pieces:
        write_shipped_pieces(to / FILE)
    write_sums(to, [GRAPH, FILE])


if __name__ == "__main__":
    main()
