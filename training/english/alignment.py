"""Training of the word aligner on the shipped parser's encoder: ``python -m training.english.alignment --help``.

The encoder is the quantized one that inference runs. The first stage learns from MTRef's train part and a sample of
Wiki's; the second, more slowly, from three quarters of MTRef's dev part, whose links are marked more sparingly (the
train part mixes possible links with sure ones), and some of the rest. The last quarter and Wiki's dev part choose the
threshold.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from sema_english.aligner import WEIGHTS, grid_batches
from sema_english.relations import english_lexicon, number_value, relations
from sema_english.word_grids import WordGrids
from sema_ucca.encoder import UccaEncoder
from sklearn.metrics import f1_score
from torch import Tensor
from torch.nn import functional

from training import epochs
from training.command import begin, command_line
from training.data.alignment_data import (
    Example,
    GoldPair,
    Words,
    examples,
    padded_cells,
    read_gold,
    unrelated_pairs,
    varied,
)
from training.data.states import States, states_of
from training.english.alignment_model import AlignmentNet, GridShape, export_aligner
from training.transformer import padded

log = logging.getLogger("training.english")

PARTS = ("mtref-train", "wiki-train", "mtref-dev", "wiki-dev")
CELLS = 8_000
MAX_CELLS_PER_PAIR = 1_600
WIKI_PAIRS = 1_600
"""The sample of Wiki's train part: its pairs are long, and 95 % of its links join identical words."""
DEV_FOR_LEARNING = 600
UNRELATED = 200
AGAIN = 200, 500
"""Pairs of MTRef's and Wiki's train parts that the second stage reads again."""
THRESHOLDS = tuple(k / 100 for k in range(20, 81, 2))


@dataclass(frozen=True)
class AlignmentPlan(epochs.Plan):
    """One stage of training."""

    rate: float
    drop: float = 0.1


FIRST = AlignmentPlan("first", 6, 2e-3, average=0.995, warm_up=50)
SECOND = AlignmentPlan("second", 3, 4e-4, average=0.99, warm_up=50)


def sides(chosen: Sequence[Example]) -> tuple[Tensor, Tensor]:
    """The padded states (batch, words, width) of the sources and of the outputs."""
    return padded([example.rows for example in chosen])[0], padded([example.columns for example in chosen])[0]


def learn(net: AlignmentNet, chosen: Sequence[Example], plan: AlignmentPlan, folder: Path) -> None:
    """Train in place on frozen states by binary cross-entropy over cells (:func:`training.epochs.learn`)."""

    def batches(rng: random.Random) -> list[list[Example]]:
        some = [varied(example, rng) for example in chosen]
        drawn = grid_batches([example.size for example in some], CELLS, lambda: 3 * rng.random())
        rng.shuffle(drawn)
        return [[some[k] for k in group] for group in drawn]

    def loss(batch: Sequence[Example]) -> Tensor:
        grid, mask, target, weight = padded_cells(batch)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            left, right = (functional.dropout(side, plan.drop) for side in sides(batch))
            scores = net(left, right, grid, mask)
        losses = functional.binary_cross_entropy_with_logits(scores.float(), target, weight, reduction="sum")
        return losses / target.sum().clamp(min=1.0)

    groups = [{"params": list(net.parameters()), "base": plan.rate}]
    epochs.learn(net, groups, batches, loss, plan, folder, decay=0.02)
    net.eval()


@torch.inference_mode()
def probabilities(net: AlignmentNet, chosen: Sequence[Example]) -> list[Tensor]:
    """The probability of every link of every example."""
    links = [torch.zeros(0)] * len(chosen)
    for group in grid_batches([example.size for example in chosen]):
        some = [chosen[k] for k in group]
        grid, mask, _, _ = padded_cells(some)
        scores = torch.sigmoid(net(*sides(some), grid, mask))
        for row, k in enumerate(group):
            rows, columns = chosen[k].size
            links[k] = scores[row, :rows, :columns]
    return links


def dev_scores(
    net: AlignmentNet, pairs: Sequence[GoldPair], chosen: Sequence[Example]
) -> dict[float, tuple[float, float]]:
    """F1 of all links, and of links between different words, for every threshold."""
    scores = torch.cat([one.flatten() for one in probabilities(net, chosen)]).numpy()
    gold = np.concatenate([example.target.ravel() for example in chosen])
    differ = np.array([a.lower() != b.lower() for pair in pairs for a in pair.source for b in pair.output])
    return {
        threshold: (f1_score(gold, linked), f1_score(gold[differ], linked[differ]))
        for threshold in THRESHOLDS
        for linked in [scores >= threshold]
    }


@dataclass(frozen=True)
class Course:
    """The examples of both stages, and the held-out ones."""

    first: list[Example]
    second: list[Example]
    held_out: dict[str, list[GoldPair]]
    judged: dict[str, list[Example]]


def gold_parts() -> dict[str, list[GoldPair]]:
    """The pairs of every part that training or its choices use; Wiki's train part is sampled."""
    gold = {part: read_gold(part) for part in PARTS}
    wiki = [p for p in gold["wiki-train"] if len(p.source) * len(p.output) <= MAX_CELLS_PER_PAIR]
    gold["wiki-train"] = random.Random(FIRST.seed).sample(wiki, WIKI_PAIRS)
    return gold


def course(gold: Mapping[str, list[GoldPair]], states: Mapping[Words, States], grids: WordGrids) -> Course:
    """The examples of both stages, and the held-out ones, encoded."""
    learned = gold["mtref-train"] + gold["wiki-train"]
    paraphrases, simplified = (examples(gold[part], states, grids) for part in PARTS[:2])
    unrelated = unrelated_pairs(learned, UNRELATED, states, grids)
    first = paraphrases + simplified + unrelated
    second = examples(gold["mtref-dev"][:DEV_FOR_LEARNING], states, grids)
    held_out = {"mtref-dev": gold["mtref-dev"][DEV_FOR_LEARNING:], "wiki-dev": gold["wiki-dev"]}
    judged = {part: examples(pairs, states, grids) for part, pairs in held_out.items()}
    rng = random.Random(SECOND.seed)
    again = [
        one for some, most in zip((paraphrases, simplified), AGAIN, strict=True)
        for one in rng.sample(some, min(most, len(some)))
    ]  # fmt: skip
    return Course(first, second + again + unrelated, held_out, judged)


def best_threshold(net: AlignmentNet, lessons: Course) -> float:
    """The threshold with the highest sum of F1 figures on the held-out pairs."""
    tables = {part: dev_scores(net, lessons.held_out[part], lessons.judged[part]) for part in lessons.held_out}
    sums = {t: sum(tables["mtref-dev"][t]) + tables["wiki-dev"][t][0] for t in THRESHOLDS}
    best = max(THRESHOLDS, key=lambda t: sums[t])
    for part, table in tables.items():
        log.info("%s at %.2f: F1 %.4f, not identical %.4f", part, best, *table[best])
    return best


def train(runs: Path, out: Path) -> None:
    """Encode, learn, choose the threshold, write :class:`sema_english.aligner.LearnedAligner`'s files to ``out``."""
    encoder = UccaEncoder(threads=1)
    digest = encoder.signature.rpartition("+")[2]
    gold = gold_parts()
    texts = sorted({text for pairs in gold.values() for pair in pairs for text in (pair.source, pair.output)})
    states = dict(zip(texts, states_of(encoder.states, texts, runs / f"states-{digest}.npy"), strict=True))
    lessons = course(gold, states, WordGrids(relations(english_lexicon(), reverse_hyponymy=True), number_value))
    torch.manual_seed(FIRST.seed)
    shape = GridShape()
    net = AlignmentNet(shape)
    log.info("%d parameters, %d examples", sum(p.numel() for p in net.parameters()), len(lessons.first))
    learn(net, lessons.first, FIRST, runs / digest)
    best_threshold(net, lessons)
    learn(net, lessons.second, SECOND, runs / digest)
    export_aligner(net, shape, best_threshold(net, lessons), out)


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("--runs", type=Path, default=Path("runs/alignment"), help="checkpoints and logs")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="where the aligner's files go")
    given = parser.parse_args(arguments)
    begin(file=given.runs / "train.log")
    train(given.runs, given.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
