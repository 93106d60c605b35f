"""An ensemble of networks: its mean judgement of spans and remote edges, as trees and as distributions.

The mean probability of independently trained networks is more accurate than any of them; a single network that learns
from it on plain text keeps most of that (Hinton, Vinyals and Dean 2015; for parsers Kuncoro et al., EMNLP 2016). The
text is what people score most, Wikipedia: the originals of TurkCorpus' tune part and of WikiSplit's validation part.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from sema_reader.minilm import TOKENIZER
from sema_ucca.decode import Floats, RemoteScorer, SpanScores, decode_trees
from sema_ucca.pieces import PieceTokenizer
from sema_ucca.remotes import Ints, arrays_of, units_of
from sema_ucca.trees import Tree
from torch import Tensor

from sema.languages import find_language
from sema.model.text import is_punctuation
from training.data.tables import read_lines
from training.ucca.data import Batcher, Example, Inventories, Inventory, SoftSpans
from training.ucca.export import CHOICES
from training.ucca.model import SpanParser, mixed_precision

log = logging.getLogger("training.ucca")
AT_A_TIME = 32
LEAST_PROBABILITY = 0.02
"""A span counts as null if all its labels together have less; labels with less are left out of its distribution."""
SHORTEST, LONGEST = 4, 60
"""The range of lengths, in words, of training sentences; longer ones cost more time than they are worth."""
Tokens = tuple[str, ...]
States = tuple[Tensor, Tensor]
"""A network's states of pieces and of spans."""


@torch.no_grad()
def distil(
    models: Sequence[SpanParser], inventories: Inventories, sentences: Sequence[Tokens]
) -> dict[str, list[Example]]:
    """For each convention the sentences with their trees and the networks' mean judgement of each span.

    The networks have the same inventories; a single one is an ensemble too.
    """
    given = [Example(tokens, words_of(tokens), {}) for tokens in sentences]
    found = {task: list(given) for task in inventories}
    scorers = {task: [_scorer(model, task, own) for model in models] for task, own in inventories.items()}
    first = next(iter(inventories))
    batcher = Batcher(first, given, inventories[first], PieceTokenizer(TOKENIZER))
    order = sorted(range(len(given)), key=lambda index: len(batcher.pieced[index].ids))
    for begin in range(0, len(order), AT_A_TIME):
        log.info("%d of %d sentences parsed", begin, len(order))
        batch = batcher.tensors(group := order[begin : begin + AT_A_TIME])
        states = [_states(model.eval(), batch) for model in models]
        starts, ends = batch["starts"].numpy(), batch["ends"].numpy()
        words = [given[index].words for index in group]
        for task, inventory in inventories.items():
            logs, halves = _judged(models, states, batch, task)
            trees = _trees(logs, halves, words, inventory, scorers[task])
            for probabilities, index, tree in zip(np.exp(logs), group, trees, strict=True):
                soft = _soft(probabilities * (ends < len(tree.words))[:, None], starts, ends)
                found[task][index] = replace(given[index], spans=tree.spans, tree=tree, soft=soft)
    return found


def _states(model: SpanParser, batch: Mapping[str, Tensor]) -> States:
    with mixed_precision():
        pieces, _ = model.encode(model.embed(batch["ids"]), batch["mask"])
        return pieces, model.span_states(pieces, batch)


def _judged(
    models: Sequence[SpanParser], states: Sequence[States], batch: Mapping[str, Tensor], task: str
) -> tuple[Floats, list[list[Floats]]]:
    """Logarithms of spans' mean probabilities (batch, spans, labels), and each network's halves of units' states."""
    total: Tensor | float = 0.0
    halves = []
    for model, (pieces, spans) in zip(models, states, strict=True):
        with mixed_precision():
            scores = model.scores(spans, task).float()
            half = model.remote_states(pieces, batch, task)
        total = total + torch.softmax(scores, -1)
        halves.append([one.float().numpy() for one in half])
    return (torch.as_tensor(total) / len(models)).clamp_min(1e-12).log().numpy(), halves


def _trees(
    logs: Floats, halves: Sequence[Sequence[Floats]], words: Sequence[tuple[int, ...]], inventory: Inventory,
    scorers: Sequence[RemoteScorer],
) -> list[Tree]:  # fmt: skip
    """The best trees, with the remote edges that the networks find in the mean."""
    best = np.argsort(-logs[:, :, 1:], 2)[:, :, :CHOICES] + 1
    margins = np.take_along_axis(logs, best, 2) - logs[:, :, :1]
    trees = decode_trees([SpanScores(margins, best, words)], inventory.labels)
    units = [units_of(tree) for tree in trees]
    arrays = arrays_of(units, scorers[0].categories)
    edges = [scorer.scores(units, arrays, *half) for scorer, half in zip(scorers, halves, strict=True)]
    means = [np.mean(of_networks, 0) for of_networks in zip(*edges, strict=True)]
    return list(map(scorers[0].with_edges, trees, units, arrays.allowed, means))


def _scorer(model: SpanParser, task: str, inventory: Inventory) -> RemoteScorer:
    weights = {name: value.numpy() for name, value in model.remotes[task].state_dict().items()}
    return RemoteScorer(weights, {label: k for k, label in enumerate(inventory.categories)}, inventory.remotes)


def _soft(probabilities: Floats, starts: Ints, ends: Ints) -> SoftSpans:
    """The spans that are likely to have a label, each with its likely labels, whose shares add up to 1."""
    likely = np.flatnonzero(probabilities[:, 1:].sum(1) > LEAST_PROBABILITY)
    shares = np.where(probabilities[likely] >= LEAST_PROBABILITY, probabilities[likely], 0)
    span, label = np.nonzero(shares)
    places = np.stack([starts[likely[span]], ends[likely[span]], label]).astype(np.int16)
    return SoftSpans(places, (shares / shares.sum(1, keepdims=True))[span, label].astype(np.float32))


def raw_sentences() -> list[Tokens]:
    """The distinct sentences of the text, as the shipped segmenter cuts them, in a fixed order."""
    texts = read_lines("simplification", "turkcorpus", "tune.truecase.detok.orig")
    texts += read_lines("simplification", "wikisplit", "wikisplit.valid.untok.orig")
    segmenter = find_language("en").parts().segmenter
    sentences = dict.fromkeys(words for text in segmenter.segment(texts) for words in text.sentence_words)
    return [tokens for tokens in sentences if SHORTEST <= len(words_of(tokens)) <= LONGEST]


def words_of(tokens: Tokens) -> tuple[int, ...]:
    """The tokens that are parsed: all but punctuation."""
    return tuple(index for index, token in enumerate(tokens) if not is_punctuation(token))
