"""An ensemble of networks: its mean judgement of spans and remote edges, as trees and as distributions.

The mean probability of independently trained networks is more accurate than any of them; a single network that learns
from it on plain text keeps most of that (Hinton, Vinyals and Dean 2015; for parsers Kuncoro et al., EMNLP 2016). The
text is what people score most, Wikipedia: the originals of TurkCorpus' tune part and of WikiSplit's validation part.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from sema_ucca.decode import Floats, RemoteScorer, SpanScores, decode_trees
from sema_ucca.remotes import arrays_of, units_of
from sema_ucca.trees import RemoteEdge, Tree, UnitRef
from torch import Tensor

from sema.languages import find_language
from sema.model.text import is_punctuation
from training.data.tables import read_lines
from training.ucca.batches import Batch, Batcher
from training.ucca.data import Example, Inventories, Inventory, SoftSpan
from training.ucca.export import CHOICES
from training.ucca.model import SpanParser, mixed_precision

AT_A_TIME = 32
LEAST_PROBABILITY = 0.02
"""A span counts as null if all its labels together have less; labels with less are left out of its distribution."""


class Ensemble:
    """Networks with the same inventories. A single network is an ensemble too."""

    def __init__(self, models: Sequence[SpanParser], inventories: Inventories) -> None:
        self._models = [model.eval() for model in models]
        self._inventories = inventories
        self._scorers = {task: [_scorer(model, task, inventories[task]) for model in models] for task in inventories}

    @torch.no_grad()
    def distil(self, batchers: Sequence[Batcher]) -> list[dict[str, tuple[Tree, tuple[SoftSpan, ...]]]]:
        """For each example its tree and the networks' judgement of each span, by each batcher's task.

        The batchers' examples are the same sentences in the same order; each is encoded once.
        """
        judged: list[dict[str, tuple[Tree, tuple[SoftSpan, ...]]]] = [{} for _ in batchers[0].examples]
        lengths = batchers[0].lengths
        order = sorted(range(len(lengths)), key=lengths.__getitem__)
        for begin in range(0, len(order), AT_A_TIME):
            batch = batchers[0].batch(group := order[begin : begin + AT_A_TIME])
            states = self._states(batch)
            starts, ends = batch.tensors["starts"].numpy(), batch.tensors["ends"].numpy()
            for batcher in batchers:
                logs, trees = self._parsed(batcher, group, batch, states)
                for row, (index, tree) in enumerate(zip(group, trees, strict=True)):
                    probabilities = np.exp(logs[row])
                    kept = np.flatnonzero((ends < len(tree.words)) & (probabilities[:, 0] < 1 - LEAST_PROBABILITY))
                    soft = (_soft_span(int(starts[k]), int(ends[k]) + 1, probabilities[k]) for k in kept)
                    judged[index][batcher.task] = tree, tuple(soft)
        return judged

    def _states(self, batch: Batch) -> list[tuple[Tensor, Tensor]]:
        """Each network's states of pieces and of spans."""
        states_of = []
        for model in self._models:
            with mixed_precision():
                states, _ = model.encode(batch.tensors["ids"], batch.tensors["mask"])
                states_of.append((states, model.span_states(states, batch.tensors)))
        return states_of

    def _parsed(
        self, batcher: Batcher, group: Sequence[int], batch: Batch, states: Sequence[tuple[Tensor, Tensor]]
    ) -> tuple[Floats, list[Tree]]:
        """Logarithms of spans' mean probabilities (batch, spans, labels), and the trees."""
        total: Tensor | float = 0.0
        halves = []
        for model, (pieces, spans) in zip(self._models, states, strict=True):
            with mixed_precision():
                scores = model.scores(spans, batcher.task).float()
                half = model.remote_states(pieces, batch.tensors, batcher.task)
            total = total + torch.softmax(scores, -1)
            halves.append([one.float().numpy() for one in half])
        logs = (torch.as_tensor(total) / len(self._models)).clamp_min(1e-12).log().numpy()
        inventory, scorers = self._inventories[batcher.task], self._scorers[batcher.task]
        best = np.argsort(-logs[:, :, 1:], 2)[:, :, :CHOICES] + 1
        margins = np.take_along_axis(logs, best, 2) - logs[:, :, :1]
        words = [batcher.examples[index].words for index in group]
        trees = decode_trees([SpanScores(margins, best, words)], inventory.labels)
        units = [units_of(tree) for tree in trees]
        arrays = arrays_of(units, scorers[0].categories)
        edges = [scorer.scores(units, arrays, *half) for scorer, half in zip(scorers, halves, strict=True)]
        means = [np.mean(of_networks, 0) for of_networks in zip(*edges, strict=True)]
        return logs, list(map(scorers[0].with_edges, trees, units, arrays.allowed, means))


def _scorer(model: SpanParser, task: str, inventory: Inventory) -> RemoteScorer:
    weights = {name: value.numpy() for name, value in model.remotes[task].state_dict().items()}
    return RemoteScorer(weights, {label: k for k, label in enumerate(inventory.categories)}, inventory.remotes)


def _soft_span(start: int, end: int, probabilities: Floats) -> SoftSpan:
    """The likely labels of a span (the null label first, if it is one), with probabilities that add up to 1."""
    labels = np.flatnonzero(probabilities >= LEAST_PROBABILITY)
    kept = probabilities[labels] / probabilities[labels].sum()
    return SoftSpan(start, end, tuple(labels.tolist()), tuple(round(float(value), 3) for value in kept))


log = logging.getLogger("training.ucca")

SHORTEST, LONGEST = 4, 60
"""The range of lengths, in words, of training sentences; longer ones cost more time than they are worth."""
WRITTEN_AT_ONCE = 2000

Tokens = tuple[str, ...]


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


def write_silver(file: Path, sentences: Sequence[Tokens], ensemble: Ensemble, like: Sequence[Batcher]) -> None:
    """Parse the sentences and write them, one JSON object a line; resumes after the last line of an interrupted run.

    ``like`` makes the batches, one batcher a convention, with the ensemble's inventories.
    """
    done = sum(1 for _ in file.open(encoding="utf-8")) if file.exists() else 0
    with file.open("a", encoding="utf-8") as out:
        for begin in range(done, len(sentences), WRITTEN_AT_ONCE):
            group = sentences[begin : begin + WRITTEN_AT_ONCE]
            examples = [Example(tokens, words_of(tokens), {}) for tokens in group]
            distilled = ensemble.distil([batcher.over(examples) for batcher in like])
            for tokens, by_task in zip(group, distilled, strict=True):
                record = {"tokens": tokens, **{task: _record(*parsed) for task, parsed in by_task.items()}}
                out.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
            out.flush()
            log.info("silver: %d of %d sentences", begin + len(group), len(sentences))


def _record(tree: Tree, soft: Sequence[SoftSpan]) -> dict[str, object]:
    return {
        "spans": [[*span, label] for span, label in tree.spans.items()],
        "remotes": [[*edge.parent, *edge.child, edge.label] for edge in tree.remotes],
        "soft": soft,
    }


def read_silver(file: Path, task: str) -> list[Example]:
    """What :func:`write_silver` wrote of one convention, as examples to learn from."""
    examples = []
    for line in file.open(encoding="utf-8"):
        sentence = json.loads(line)
        tokens, record = tuple(sentence["tokens"]), sentence[task]
        spans = {(start, end): label for start, end, label in record["spans"]}
        remotes = tuple(RemoteEdge(UnitRef(*r[:3]), UnitRef(*r[3:6]), r[6]) for r in record["remotes"])
        soft = tuple(SoftSpan(start, end, tuple(a), tuple(b)) for start, end, a, b in record["soft"])
        words = words_of(tokens)
        examples.append(Example(tokens, words, spans, Tree(words, spans, remotes), soft))
    return examples
