"""Writes the files of a trained network that ship: ``python -m training.reader.export WEIGHTS.pt``.

The graph maps the embedded pieces of both texts to the logits of the pair and of its pieces; its products are in 8
bits. ``pieces.npz`` has the pieces of English and Chinese with their embeddings; those of all other languages are in
the package of the extra ``languages``.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from sema_reader.e5 import WORD_BYTES, load_e5
from sema_reader.languages import FILE, SPECIAL, all_pieces, write_pieces
from sema_reader.reader import GRAPH, MAX_PIECES, WEIGHTS

from sema.runtime.checksums import write_sums
from training.command import command
from training.data.tables import table
from training.e5 import embeddings
from training.encoder import shortened
from training.graphs import write_graph
from training.reader.batches import batches, encode
from training.reader.data import judged, plain
from training.reader.learn import PIECES
from training.reader.network import PairNetwork, untrained
from training.reader.rounding import round_layers
from training.reader.stories import all_stories

ONE_IN = 120
"""One judged pair in so many shows the layers' inputs to their rounding."""
SHARE = 3
"""One text in so many of the large sets is looked at."""


def export_network(network: PairNetwork, file: Path, longest: int = MAX_PIECES + 4) -> None:
    """Write the graph, for at most ``longest`` pieces: ``words`` (batch, pieces, width), ``types marks mask`` (batch,
    pieces) to ``pair`` (batch, 10), ``source`` and ``output`` (batch, pieces, 3)."""
    words = torch.randn(2, 9, network.encoder.shape.width)
    ones = torch.ones(2, 9, dtype=torch.long)
    axes = dict.fromkeys(("words", "types", "marks", "mask", "pair", "source", "output"), "batch pieces")
    inputs = words, ones - 1, ones, ones
    write_graph(shortened(network, longest), inputs, file, axes | {"pair": "batch"})


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


def _is(char: str, *scripts: str) -> bool:
    return unicodedata.name(char, "").startswith(scripts)


@command
def main(weights: Path, *, to: Path = WEIGHTS, pieces: bool = False) -> None:
    """Write the graph, the pieces if they are asked for, and checksums."""
    network = untrained()
    network.load_state_dict(torch.load(weights, weights_only=True))
    shown = encode(all_pieces(), list(judged())[::ONE_IN])
    drawn = batches(shown, [[place] for place in range(len(shown))], PIECES, np.random.default_rng(1))
    round_layers(network, embeddings(), shown, list(drawn))
    to.mkdir(parents=True, exist_ok=True)
    export_network(network, to / GRAPH)
    if pieces:
        write_shipped_pieces(to / FILE)
    write_sums(to, [name for name in (GRAPH, FILE) if (to / name).exists()])


if __name__ == "__main__":
    main()
