"""Train the reader of words: ``python -m training.english.wording --work FOLDER``; half an hour on two cores.

Word senses in context are learned from all-MiniLM-L6-v2 (:mod:`training.minilm`), breaks from
sentences broken on purpose. No ratings are used. Train it again whenever the parser's weights change, and fit the
judges afterwards.

The parser's encoder is a fine-tuned MiniLM whose middle layer the aligner reads too. From there, the last layers of the
original MiniLM lead to the states that make its sentence embeddings (Reimers and Gurevych, EMNLP 2019). Fine-tuned on
the states of words, these layers reproduce those states without a second encoder.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from sema_english.language import english
from sema_english.relations import FUNCTION_WORDS
from sema_english.wording import FILE, WEIGHTS
from sema_reader.minilm import TOKENIZER
from sema_ucca.pieces import PieceTokenizer, piece_batch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cosine_similarity, gelu, normalize

from sema.runtime.checksums import write_sums
from training.command import command
from training.data.corpora import LEVELS, articles
from training.data.tables import read_lines
from training.data.text import ewt
from training.encoder import HIDDEN, Encoder, padded
from training.graphs import write_graph
from training.kept import States, states_of
from training.loop import Epochs, learn_in_epochs
from training.minilm import minilm

SENTENCES, BATCH, SEED = 24_000, 48, 0
LAYERS = 2
"""The teacher's last layers, which the network begins with."""
SENSE = 128
"""The size of a sense: the teacher's state along its principal directions."""
BREAK_UNITS = 96
SHORTEST, LONGEST = 5, 45
"""The words of a sentence, split at spaces."""
_WAYS = {
    "word deleted": 22, "phrase deleted": 12, "repeated": 12, "neighbours exchanged": 12, "phrase moved": 8,
    "replaced": 14, "inserted": 8, "form changed": 6, "end lost": 6,
}  # fmt: skip
"""The ways to break a sentence, and how often each is taken."""
_SMALL = sorted(FUNCTION_WORDS)
BREAKS = Epochs("breaks", 3, 1.5e-3, seed=SEED)
SENSES = Epochs("senses", 2, 3e-4, seed=SEED)


@dataclass(frozen=True)
class Broken:
    """A sentence's words, the words of its broken version, and which of these stand at a break (1, else 0)."""

    whole: tuple[str, ...]
    words: tuple[str, ...]
    breaks: tuple[int, ...]


def sentences() -> list[str]:
    """Sentences of WikiSplit, OneStopEnglish and UD's English Web Treebank (train), each once, in order."""
    texts = dict.fromkeys((*_wikisplit(), *_onestop(), *map(str.strip, ewt())))
    return [text for text in texts if text.isascii() and SHORTEST <= len(text.split()) <= LONGEST]


def _wikisplit() -> Iterator[str]:
    for part in ("orig", "split"):
        for line in read_lines("simplification", "wikisplit", f"wikisplit.valid.untok.{part}"):
            yield from (sentence.strip() for sentence in line.split("<::::>"))


def _onestop() -> Iterator[str]:
    by_level = articles()
    for line in (line for level in LEVELS for text in by_level[level] for line in text.splitlines()):
        yield from re.split(r'(?<=[.!?])\s+(?=[A-Z"“])', line.strip())


def break_all(tokenized: Sequence[Sequence[str]], seed: int) -> list[Broken]:
    """Break every sentence in one to three places; sentences that stay whole by chance are left out."""
    rng = random.Random(seed)
    vocabulary = [word for words in tokenized for word in words if word.isalpha()]
    broken = []
    for whole in tokenized:
        words = list(whole)
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
            if len(words) >= SHORTEST:
                (way,) = rng.choices([*_WAYS], [*_WAYS.values()])
                words = _broken(way, words, rng.randrange(1, len(words) - 1), rng, vocabulary)
        if any(breaks := breaks_of(whole, words)):
            broken.append(Broken(tuple(whole), tuple(words), breaks))
    return broken


def breaks_of(whole: Sequence[str], words: Sequence[str]) -> tuple[int, ...]:
    """For each word of a broken version 1 if it is new or moved, or stands beside deleted words, else 0."""
    breaks = [0] * len(words)
    for step in LCSseq.opcodes(whole, words):
        if step.tag == "insert":
            breaks[step.dest_start : step.dest_end] = [1] * (step.dest_end - step.dest_start)
        elif step.tag == "delete":
            near = slice(max(0, step.dest_start - 1), step.dest_start + 1)
            breaks[near] = [1] * len(breaks[near])
    return tuple(breaks)


def _broken(way: str, words: list[str], place: int, rng: random.Random, vocabulary: Sequence[str]) -> list[str]:
    """The words of a sentence broken in a way at a place inside."""
    before, after = words[:place], words[place:]
    match way:
        case "word deleted":
            small = [i for i, word in enumerate(words) if word.lower() in FUNCTION_WORDS]
            place = rng.choice(small) if small and rng.random() < 0.5 else place
            return words[:place] + words[place + 1 :]
        case "phrase deleted":
            end = rng.randint(2, 4)
            return before + after[end:] if end < len(after) - 1 else words
        case "repeated":
            return before + after[: rng.choice((1, 1, 2, 3))] + after
        case "neighbours exchanged":
            return [*before, after[1], after[0], *after[2:]]
        case "phrase moved":
            size = rng.randint(1, 3)
            rest = before + after[size:]
            to = rng.randrange(len(rest))
            return rest[:to] + after[:size] + rest[to:]
        case "replaced":
            return [*before, rng.choice(vocabulary), *after[1:]]
        case "inserted":
            return [*before, rng.choice(_SMALL if rng.random() < 0.7 else vocabulary), *after]
        case "form changed":
            word = words[place]
            shorter = (word.removesuffix(e) for e in ("s", "ed", "ing") if word.endswith(e) and len(word) > len(e) + 2)
            return [*before, next(shorter, None) or word + rng.choice(("s", "ing", "ed")), *after[1:]]
        case _:  # the end is lost
            stop = rng.randrange(len(words) // 2, len(words) - 1)
            return words[:stop] + words[len(words) - (rng.random() < 0.7) :]


class WordingNet(nn.Module):
    """States of a sentence's words (batch, words, width) to senses and to logits of standing at a break."""

    def __init__(self, teacher: Encoder, directions: Tensor, mean: Tensor, scale: Tensor) -> None:
        """``directions`` (width, :data:`SENSE`); ``mean`` and ``scale`` (width) standardise states for the breaks."""
        super().__init__()
        self.layers = teacher.layers[-LAYERS:]
        width = len(mean)
        self.sense = nn.Linear(width, SENSE)
        with torch.no_grad():
            self.sense.weight.copy_(directions.T)
            self.sense.bias.zero_()
        self.register_buffer("mean", mean)
        self.register_buffer("scale", scale)
        self.around = nn.Linear(3 * width, BREAK_UNITS)
        self.drop = nn.Dropout(0.1)
        self.breaks = nn.Linear(BREAK_UNITS, 1)

    def senses(self, states: Tensor, mask: Tensor) -> Tensor:
        """(batch, words, SENSE)."""
        bias = (1 - mask[:, None, None, :]) * HIDDEN
        for layer in self.layers:
            states = layer(states, bias)
        return self.sense(states)

    def logits(self, states: Tensor, mask: Tensor) -> Tensor:
        """(batch, words): of each word and its neighbours."""
        x = (states - self.mean) / self.scale * mask[..., None]
        nothing = torch.zeros_like(x[:, :1])
        near = torch.cat([torch.cat([nothing, x[:, :-1]], 1), x, torch.cat([x[:, 1:], nothing], 1)], 2)
        return self.breaks(self.drop(gelu(self.around(near))))[..., 0]


@dataclass(frozen=True)
class Lesson:
    """A sentence: its words' states, the teacher's senses, the broken version's states and breaks."""

    whole: States
    taught: States
    broken: States
    breaks: tuple[int, ...]


def read_lessons(work: Path) -> list[Lesson]:
    """Encode the training data, shortest first; cached in ``work``."""
    chosen = random.Random(SEED).sample(texts := sentences(), min(SENTENCES, len(texts)))
    tokenized = [text.words for text in english().parts().segmenter.segment(chosen)]
    broken_texts = sorted(break_all(tokenized, SEED), key=lambda text: len(text.whole))
    encoder = english().parts().encoder
    assert encoder is not None
    whole, broken = [text.whole for text in broken_texts], [text.words for text in broken_texts]
    teacher = partial(teacher_states, PieceTokenizer(TOKENIZER), *minilm())
    states = (
        states_of(read, some, work / f"{name}.npy")
        for name, read, some in (
            ("whole", encoder.states, whole), ("taught", teacher, whole), ("broken", encoder.states, broken),
        )
    )  # fmt: skip
    return list(map(Lesson, *states, [text.breaks for text in broken_texts]))


@torch.no_grad()
def teacher_states(
    tokenizer: PieceTokenizer, teacher: Encoder, table: Tensor, tokenized: Sequence[Sequence[str]]
) -> list[NDArray[np.float32]]:
    """The teacher's state of each word, the mean over its pieces in the last layer."""
    pieced = [tokenizer.sentence(words) for words in tokenized]
    given = piece_batch(pieced, [range(len(words)) for words in tokenized], tokenizer)
    ids, mask = (torch.from_numpy(given[name]) for name in ("ids", "mask"))
    last = teacher.states(table[ids], mask)[-1].numpy()
    return [
        (np.add.reduceat(row[1 : len(one.ids) + 1], one.starts[:-1]) / np.diff(one.starts)[:, None]).astype(np.float32)
        for row, one in zip(last, pieced, strict=True)
    ]


def new_reader(lessons: Sequence[Lesson]) -> WordingNet:
    """A reader initialized with the teacher's last layers."""
    some = np.concatenate([lesson.taught for lesson in lessons[::20]]).astype(np.float32)
    directions = np.linalg.svd(some.T @ some)[0][:, :SENSE]
    states = np.concatenate([lesson.whole for lesson in lessons[::20]]).astype(np.float32)
    mean, scale = states.mean(0), states.std(0) + 1e-3
    return WordingNet(minilm()[0], *map(torch.from_numpy, (directions.copy(), mean, scale)))


def sense_loss(reader: WordingNet, group: Sequence[Lesson], directions: Tensor) -> Tensor:
    """The cosine distance of the words' senses, and of their means, from the teacher's."""
    states, words = padded([lesson.whole for lesson in group])
    taught, _ = padded([lesson.taught for lesson in group])
    mask = words.float()
    wanted, senses = taught @ directions, reader.senses(states, mask)
    size = mask.sum()

    def mean(values: Tensor) -> Tensor:
        return (values * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)

    apart = ((1 - cosine_similarity(senses, wanted, dim=-1)) * mask).sum() / size
    texts = (1 - cosine_similarity(mean(senses), mean(wanted), dim=-1)).mean()
    return apart + 2 * texts + 0.02 * (((senses - wanted) ** 2).mean(-1) * mask).sum() / size


def break_loss(reader: WordingNet, group: Sequence[Lesson]) -> Tensor:
    """Cross entropy of the breaks, over whole and broken sentences."""
    total = torch.zeros(())
    for side in ("whole", "broken"):
        states, mask = padded([getattr(lesson, side) for lesson in group])
        flags = [lesson.breaks if side == "broken" else (0,) * len(lesson.whole) for lesson in group]
        wanted = torch.tensor(list(chain.from_iterable(flags)), dtype=torch.float32)
        total = total + binary_cross_entropy_with_logits(reader.logits(states, mask.float())[mask], wanted)
    return total


def learn(lessons: Sequence[Lesson], work: Path) -> WordingNet:
    """Train breaks, then senses."""
    torch.manual_seed(SEED)
    reader = new_reader(lessons)
    directions = reader.sense.weight.detach().T.clone()

    def batches(rng: np.random.Generator) -> list[Sequence[Lesson]]:
        starts = rng.permutation(np.arange(0, len(lessons), BATCH)).tolist()
        return [lessons[start : start + BATCH] for start in starts]

    reader = learn_in_epochs(reader, batches, break_loss, BREAKS, work)
    return learn_in_epochs(reader, batches, lambda net, group: sense_loss(net, group, directions), SENSES, work)


def _at_work(reader: WordingNet, states: Tensor) -> tuple[Tensor, Tensor]:
    """What the graph computes: states (batch, words, width) to unit senses and breaks."""
    mask = torch.ones_like(states[..., 0])
    return normalize(reader.senses(states, mask), dim=-1), torch.sigmoid(reader.logits(states, mask))


@command
def main(*, work: Path, to: Path = WEIGHTS) -> None:
    """Break, encode, learn, export; a later run goes on from what is in the folder ``work``."""
    torch.set_num_threads(2)
    reader = learn(read_lessons(work), work)
    to.mkdir(parents=True, exist_ok=True)
    states = torch.rand(2, 7, len(reader.mean))
    axes = dict.fromkeys(("states", "senses", "breaks"), "batch words")
    write_graph(reader, (states,), to / FILE, axes, _at_work)
    write_sums(to, [file.name for file in sorted(to.iterdir()) if file.suffix in (".npz", ".onnx")])


if __name__ == "__main__":
    main()
