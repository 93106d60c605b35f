"""Trains the reader of pairs and fits its scale: ``python -m training.reader.english --work FOLDER``.

Stages go on from each other: judged pairs; these with texts broken on purpose; fewer of those with stories that were
written for the purpose; twice all of it again, with other texts broken, and the mean of these weights and the ones
before (Wortsman et al., ICML 2022); last every judged pair, with a head of its own for what people judge between
sentences that are no versions of each other, and broken sentences among others. A stage whose weights are in the folder
is not repeated.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from sema_english.meaning.reader import WEIGHTS
from sema_reader.reader import GRAPH

from training.reader.english import broken, examples
from training.reader.english.batches import Encoded, encode
from training.reader.english.learn import THREE_QUARTERS, Plan, learn, save_encoded, save_mean
from training.reader.english.network import base_folder

log = logging.getLogger("training.english")

STORIES = tuple(sorted(Path(__file__).parent.glob("stories_*.jsonl")))
"""Stories that were written for the purpose, in several versions each."""
_FIRST_GROUP = 1_000_000
"""Copies of the stories are groups of their own."""


@dataclass(frozen=True)
class Stage:
    """One stage: how many pairs it sees, and of what: broken sentences, judged pairs, the stories.

    ``captions`` is the share of SNLI it may draw from, ``copies`` how often it has the smaller judged sets, ``among``
    the share of broken sentences that stand among others.
    """

    name: str
    pairs: int
    sentences: int
    judged: int
    story_copies: int
    rate: float = 8e-5
    captions: float = 0.6
    copies: int = 1
    among: float = 0.0
    mean_with: str = ""
    """An earlier stage: the result is the mean of its weights and this one's."""
    two_ends: bool = False
    """Whether this one's weights are the mean of those after three quarters of the way and those at its end."""


STAGES = (
    Stage("judged", 28_000, 0, 210_000, 0),
    Stage("broken", 24_000, 26_000, 70_000, 3),
    Stage("stories", 80_000, 12_000, 130_000, 4),
    Stage("again", 260_000, 26_000, 150_000, 3),
    Stage("more", 200_000, 42_000, 150_000, 3, rate=4e-5, mean_with="stories"),
    Stage(
        "heads",
        400_000,
        48_000,
        388_000,
        4,
        rate=1.2e-4,
        captions=1.0,
        copies=3,
        among=0.25,
        mean_with="more",
        two_ends=True,
    ),
)


def judged_examples(stage: Stage, rng: Random) -> list[examples.Example]:
    """Pairs judged by people, or related by construction; a third of them with the texts exchanged."""
    found = [
        *examples.natural_language_inference(rng, stage.captions, stage.copies),
        *examples.fever(rng, supported=14_000),
        *(list(examples.paws()) * 2),
        *examples.monotonicity(),
        *(list(examples.graded_similarity()) * stage.copies),
        *(list(examples.revisions()) * min(2, stage.copies)),
        *(list(examples.unsupported_words()) * max(2, stage.copies)),
        *examples.aligned_by_hand(),
    ]
    return [pair.turned() if rng.random() < 0.35 else pair for pair in found]


def broken_examples(stage: Stage, rng: Random) -> list[examples.Example]:
    """Near copies, and human rewordings, broken and reworded in places."""
    texts = broken.sentences(rng, stage.sentences)
    pool = broken.pool_of(texts)
    near = list(broken.near_copies(texts, pool, rng))
    chosen = {group for group in {one.group for one in near} if rng.random() < stage.among}
    return [
        *(one for one in near if one.group not in chosen),
        *broken.side_by_side([one for one in near if one.group in chosen], rng),
        *broken.around_people(broken.human_rewordings(rng), pool, rng),
    ]


def stage_examples(
    stage: Stage, made: Sequence[Encoded], judged: Sequence[Encoded], stories: Sequence[Encoded], rng: Random
) -> list[Encoded]:
    """The examples that a stage draws from."""
    found = [*made, *rng.sample(judged, min(stage.judged, len(judged)))]
    for copy in range(stage.story_copies):
        found += [replace(pair, group=pair.group + (copy + 1) * _FIRST_GROUP) for pair in stories]
    return found


def train(work: Path, tokenizer: Any) -> Path:
    """Run the stages that are not done; the last one's weights."""
    stories = encode(tokenizer, [pair for file in STORIES for pair in broken.written(file)])
    last: Path | None = None
    for number, stage in enumerate(STAGES):
        file = work / f"{stage.name}.pt"
        if not file.exists():
            rng = Random(number)
            judged = encode(tokenizer, judged_examples(stage, rng))
            made = encode(tokenizer, broken_examples(stage, rng)) if stage.sentences else []
            save_encoded(stage_examples(stage, made, judged, stories, rng), work / "examples.pkl")
            learned = work / "learned.pt"
            learn(work / "examples.pkl", last, learned, Plan(stage.pairs, stage.rate, seed=number))
            if stage.two_ends:
                save_mean([learned, learned.with_suffix(THREE_QUARTERS)], learned)
            save_mean([learned, *([work / f"{stage.mean_with}.pt"] if stage.mean_with else [])], file)
        last = file
    assert last is not None
    return last


def main() -> None:
    """Train, export, fit."""
    import torch
    from tokenizers import Tokenizer

    from training.reader.english.export import export_network
    from training.reader.english.fit import fit_scale
    from training.reader.english.network import base_network

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for checkpoints, to go on from")
    parser.add_argument("--to", type=Path, default=WEIGHTS, help="folder of the weights (default: those that ship)")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    arguments.work.mkdir(parents=True, exist_ok=True)
    arguments.to.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    network = base_network()
    network.load_state_dict(torch.load(train(arguments.work, tokenizer), weights_only=True))
    export_network(network, arguments.to / GRAPH)
    fit_scale(arguments.to)


if __name__ == "__main__":
    main()
