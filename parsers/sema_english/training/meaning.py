"""Fitting the meaning model to ratings: ``python -m sema_english.training.meaning``; minutes, on the shipped encoder.

Run it again whenever the parser's or the aligner's weights change, or what counts as a contradiction. What is learned:
acl2018, questeval and QATS train, without any pair that figures are reported on, and the order of texts in stories.
"""

from __future__ import annotations

import argparse
import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from sema.runtime.checksums import recorded, write_sums
from sema_english.judge.features import COPY, SCALARS, WORD_ITSELF, WordFeatures
from sema_english.judge.model import FILE, Network
from sema_english.judge.reader import WEIGHTS, shipped_reader
from sema_english.relations import english_lexicon, relations
from sema_english.training.meaning_data import Example, analysed, examples, training_pairs
from sema_english.training.meaning_model import MeaningNet, Shape, padded
from sema_english.training.ranking import Ranking, Told, analysed_stories, ranking_loss, rankings
from sema_english.training.stories import spoilt_stories, written_stories

log = logging.getLogger("sema_english.training")

Numbers = NDArray[np.float32]


@dataclass(frozen=True)
class MeaningPlan:
    """How the model learns."""

    epochs: int = 16
    rate: float = 5e-3
    decay: float = 0.01
    anchor: float = 0.3
    """What it counts that words of a copy are kept and those of a stranger are not, against one minus r."""
    order: float = 0.8
    """What it counts that the better text of a story scores higher."""
    batch: int = 48
    repeats: tuple[tuple[str, int], ...] = (("acl2018", 1), ("questeval", 2), ("QATS train", 1))
    """How often an epoch goes over each set: ratings by many people of people's texts are few."""
    seed: int = 0
    shape: Shape = field(default_factory=Shape)


def standardisation(found: Sequence[Example]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and deviation of every feature over the words; what says yes or no of the word itself is left as it is."""
    words = np.concatenate([side for example in found for side in (example.source, example.output)])
    mean, scale = words.mean(0), words.std(0) + 1e-3
    mean[list(WORD_ITSELF)], scale[list(WORD_ITSELF)] = 0.0, 1.0
    return mean.astype(np.float32), scale.astype(np.float32)


def learn(found: Sequence[Example], ranked: Sequence[Ranking], plan: MeaningPlan) -> MeaningNet:
    """Fit one network: within a batch of one set sums correlate with ratings, stories keep their order."""
    torch.manual_seed(plan.seed)
    rng = random.Random(plan.seed)
    mean, scale = standardisation(found)
    net = MeaningNet(mean, scale, plan.shape)
    optimiser = torch.optim.AdamW(net.parameters(), plan.rate, weight_decay=plan.decay)
    groups = {name: [example for example in found if example.group == name] for name, _ in plan.repeats}
    for epoch in range(plan.epochs):
        for parameters in optimiser.param_groups:
            parameters["lr"] = plan.rate * (1 - epoch / plan.epochs)
        losses = []
        for batch in _batches(groups, plan, rng):
            loss = correlation_loss(sums(net, batch), torch.tensor([example.rating for example in batch]))
            losses.append(loss.item())
            loss = loss + plan.anchor * anchor_loss(
                net, np.concatenate([example.source for example in batch[:_ANCHORS]])
            )
            loss = loss + plan.order * ranking_loss(net, ranked, rng)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        log.info("epoch %d: 1 - r = %.3f", epoch, sum(losses) / len(losses))
    return net.eval()


def _batches(groups: dict[str, list[Example]], plan: MeaningPlan, rng: random.Random) -> list[list[Example]]:
    found = []
    for name, repeats in plan.repeats:
        for _ in range(repeats):
            shuffled = rng.sample(groups[name], len(groups[name]))
            starts = range(0, len(shuffled) - plan.batch // 2 + 1, plan.batch)
            found += [shuffled[start : start + plan.batch] for start in starts]
    rng.shuffle(found)
    return found


def sums(net: MeaningNet, batch: Sequence[Example]) -> Tensor:
    """The network's sums for some examples."""
    source, source_mask = padded([example.source for example in batch])
    output, output_mask = padded([example.output for example in batch])
    found: Tensor = net(source, source_mask, output, output_mask)
    return found


def correlation_loss(found: Tensor, wanted: Tensor) -> Tensor:
    """One minus Pearson's correlation."""
    found, wanted = found - found.mean(), wanted.float() - wanted.float().mean()
    return 1 - (found * wanted).sum() / (found.norm() * wanted.norm() + 1e-4)


def anchor_loss(net: MeaningNet, words: Numbers) -> Tensor:
    """How far words are from sure in a copy of their text, and from lost in an unrelated one."""
    logits = [net.logits(torch.from_numpy(kind)) for kind in (as_copied(words), as_strange(words))]
    return sum(
        (nn.functional.binary_cross_entropy_with_logits(found, torch.full_like(found, wanted)))
        for found, wanted in zip(logits, (1.0, 0.0), strict=True)
    )  # type: ignore[return-value]


def as_copied(words: Numbers) -> Numbers:
    """Words' features if the other text were the same."""
    found = as_strange(words)
    for name, value in COPY.items():
        found[:, SCALARS.index(name)] = value
    return found


def as_strange(words: Numbers) -> Numbers:
    """Words' features if the other text had nothing to do with theirs: no link, no context alike."""
    found = np.zeros_like(words)
    found[:, _OWN] = words[:, _OWN]
    for name, value in STRANGE.items():
        found[:, SCALARS.index(name)] = value
    return found


def floor_of(net: MeaningNet, found: Sequence[Example]) -> float:
    """What a text gets that has nothing to do with the source."""
    strangers = [
        Example(example.pair, example.group, as_strange(example.source), as_strange(example.output), 0.0)
        for example in found[:: max(1, len(found) // 300)]
    ]
    with torch.no_grad():
        return float(sums(net, strangers).mean())


STRANGE = {"most alike context": 0.4, "most alike sense": 0.4, "sense of the text": 0.1}
"""What words of unrelated sentences have all the same."""
WRITTEN_TWICE = 2
"""How often a story that was written stands among the others."""
_ANCHORS = 8
"""Texts of a batch whose words the ends of the scale are learned from."""
_OWN = [*WORD_ITSELF, SCALARS.index("output")]


def fit(found: Sequence[Example], ranked: Sequence[Ranking], plan: MeaningPlan) -> Network:
    """The arrays of a fitted model."""
    net = learn(found, ranked, plan)
    return net.arrays(floor_of(net, found))


def told_stories() -> list[Told]:
    """All stories, those that were written twice."""
    return analysed_stories(written_stories()) * WRITTEN_TWICE + analysed_stories(spoilt_stories())


def export(network: Network, folder: Path) -> None:
    """Write the weights and their sums."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / FILE, **network.__dict__)
    write_sums(folder, sorted({FILE, *recorded(folder, "weights of the meaning model")}))


def main() -> None:
    """Read, analyse, fit, export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=WEIGHTS, help="folder of the weights (default: those that ship)")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)
    pairs = training_pairs()
    items = analysed([(pair.source, pair.output) for rated in pairs.values() for pair in rated])
    features = WordFeatures(relations(english_lexicon()), shipped_reader())
    found, ranked = examples(pairs, items, features), rankings(told_stories(), features)
    export(fit(found, ranked, MeaningPlan()), arguments.to)
    log.info("%d pairs, %d stories; weights in %s", len(found), len(ranked), arguments.to)


if __name__ == "__main__":
    main()
