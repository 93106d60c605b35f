"""What each network learns from, how long and how fast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from training.reader.batches import Row
from training.reader.learn import NEW_PARTS, Plan


@dataclass(frozen=True)
class Stage:
    """A stage: the seconds that it learns on one core, its highest rate, and for each kind of example the share that it
    draws from or, above 1, how often it reads them; ``taught``: the teacher's labels count too; ``new``: the
    parts that begin with nothing learn faster; ``frozen``: so many lower layers stay."""

    name: str
    seconds: float
    rate: float
    shares: Mapping[str, float]
    seed: int
    taught: bool = False
    new: bool = False
    frozen: int = 0

    def plan(self, pieces: int) -> Plan:
        """How it learns."""
        copies = {kind: max(1.0, share) for kind, share in self.shares.items()}
        faster = NEW_PARTS if self.new else {}
        return Plan(
            10**9, self.rate, pieces, self.seconds, copies=copies, seed=self.seed, faster=faster, frozen=self.frozen
        )


@dataclass(frozen=True)
class Stages:
    """A network's stages, and the pieces of a batch."""

    stages: Sequence[Stage]
    pieces: int


_BOTH = {
    "nli": 0.17, "zh_snli": 1, "zh_judged": 1.5, "zh_broken": 0.14, "cross": 0.25, "across": 0.07, "zh_mlqe": 0.3,
    "mlqe": 0.1, "paws": 0.5, "story": 0.6, "sts": 0.3, "off": 0.1, "people": 0.03, "broken": 0.025, "among": 0.01,
    "swipe": 0.1, "story_by": 0.1, "zh_broken_by": 0.5, "wice": 1, "mono": 0.05, "fever": 0.05,
}  # fmt: skip
"""English, Chinese and pairs across languages."""
_ENGLISH = {
    "en_tale": 4, "en_passage": 4, "en_tale_by": 1, "en_passage_by": 2, "story": 1, "story_by": 0.2, "nli": 0.22,
    "paws": 0.5, "broken": 0.06, "people": 0.06, "among": 0.02, "mlqe": 0.2, "swipe": 0.4, "sts": 0.3, "off": 0.12,
    "fever": 0.04, "wice": 2, "mono": 0.06, "iter": 0.3, "mwa": 0.2,
}  # fmt: skip
"""English, with stories as often as they help."""
_MORE_STORIES = {
    "en_tale": 6, "en_passage": 6, "en_passage_by": 1, "en_tale_by": 0.7, "story": 0.5, "nli": 0.08, "broken": 0.03,
    "people": 0.03, "mlqe": 0.08, "swipe": 0.15, "among": 0.01, "paws": 0.4, "off": 0.1,
}  # fmt: skip
_GRADED = {
    **_BOTH, "zh_tale": 4, "zh_passage": 4, "zh_tale_by": 1, "zh_passage_by": 2, "en_tale": 2, "en_passage": 2,
    "en_tale_by": 0.5, "en_passage_by": 1, "nli": 0.12,
}  # fmt: skip
"""The same, with graded stories."""
_TURNED_ENGLISH = {
    "en_tale": 1.4, "en_passage": 2, "en_tale_by": 0.2, "en_passage_by": 0.3, "story": 0.08, "story_by": 0.02,
    "nli": 0.03, "paws": 0.15, "broken": 0.006, "people": 0.006, "among": 0.003, "mlqe": 0.04, "swipe": 0.08,
    "sts": 0.15, "off": 0.03, "fever": 0.01, "wice": 0.8, "mono": 0.02, "iter": 0.1, "mwa": 0.05,
}  # fmt: skip
"""Little of everything beside all stories: harmless near copies, and errors that leave the rest as it is."""
_PASSAGES = {
    **{kind: 0.6 * share for kind, share in _TURNED_ENGLISH.items()}, "en_tale_near": 0.25, "en_passage_near": 0.6,
}  # fmt: skip
"""The same, with sentences of passages beside what they rest on."""
_TURNED = {
    "zh_tale": 1, "zh_passage": 1, "zh_passage_by": 0.3, "zh_tale_by": 0.4, "en_tale": 0.6, "en_passage": 0.8,
    "en_passage_by": 0.15, "en_tale_by": 0.15, "nli": 0.02, "zh_snli": 0.12, "zh_judged": 0.2, "zh_broken": 0.02,
    "paws": 0.08, "across": 0.01, "cross": 0.04, "mlqe": 0.015, "zh_mlqe": 0.05, "story": 0.07, "sts": 0.07,
    "broken": 0.004, "people": 0.004, "off": 0.02, "swipe": 0.03, "fever": 0.008, "mono": 0.01, "wice": 0.4,
    "among": 0.002,
}  # fmt: skip
"""The same, in both languages."""
_ACROSS = {
    **{kind: 0.6 * share for kind, share in _TURNED.items()}, "tale_across": 2, "tale_any": 1, "tale_across_by": 0.5,
    "across": 0.035, "cross": 0.04, "zh_tale_near": 0.4, "zh_passage_near": 0.6,
}  # fmt: skip
"""The same, with stories whose versions are in other languages, and sentences of passages."""
_TAUGHT = {
    "nli": 0.06, "story": 0.2, "story_by": 0.04, "en_tale": 1, "en_passage": 1, "en_tale_by": 0.15,
    "en_passage_by": 0.2, "en_tale_near": 0.1, "en_passage_near": 0.3, "broken": 0.02, "among": 0.012, "people": 0.04,
    "people_by": 0.2, "mlqe": 0.25, "swipe": 0.6, "paws": 0.3, "sts": 0.3, "off": 0.04, "mono": 0.03, "fever": 0.04,
    "wice": 1, "iter": 0.4, "mwa": 0.3,
}  # fmt: skip
"""Much of what systems and people write, little of what is broken on purpose: for a stage that teachers label."""
PLANS: Mapping[str, Stages] = {
    "teacher": Stages(
        (
            Stage("first", 3900, 4e-5, {
                "nli": 0.12, "paws": 0.6, "story": 0.5, "story_by": 0.1, "sts": 0.5, "mlqe": 0.25, "swipe": 0.3,
                "broken": 0.025, "people": 0.03, "among": 0.02, "among_by": 0.01, "off": 0.1, "fever": 0.05, "wice": 2,
                "mono": 0.08, "iter": 0.3, "en_tale": 2, "en_passage": 2, "en_tale_by": 0.2, "en_passage_by": 0.3,
            }, seed=3, new=True),
        ),
        pieces=2_000,
    ),
    "english": Stages((
        Stage("first", 5500, 1.2e-4, _ENGLISH, seed=5, new=True),
        Stage("second", 1900, 8e-5, _ENGLISH, seed=41),
        Stage("third", 840, 7e-5, _ENGLISH | _MORE_STORIES, seed=43),
        Stage("fourth", 1500, 8e-5, _TURNED_ENGLISH, seed=53, frozen=1),
        Stage("fifth", 1800, 8e-5, _PASSAGES, seed=67, frozen=1),
        Stage("sixth", 1300, 8e-5, _TAUGHT, seed=7, taught=True, frozen=1),
    ), pieces=2_400),
    "languages": Stages((
        Stage("first", 5500, 1.3e-4, _BOTH, seed=5, new=True),
        Stage("second", 3800, 1.1e-4, _BOTH, seed=31, new=True),
        Stage("third", 2800, 8e-5, _GRADED, seed=37),
        Stage("fourth", 2000, 9e-5, _TURNED, seed=51, frozen=3),
        Stage("fifth", 4500, 9e-5, _ACROSS, seed=61, frozen=2),
        Stage("sixth", 3300, 9e-5, _ACROSS, seed=73, frozen=2),
    ), pieces=2_400),
}  # fmt: skip
_READ = Stage("labels", 0, 0, _TAUGHT, seed=7)
LABELLED: Mapping[str, Stage] = {
    "english": _READ, "languages": _READ,
    "teacher": replace(_READ, shares={kind: min(0.25, share / 4) for kind, share in _TAUGHT.items()}),
}  # fmt: skip
"""What each teacher labels: English examples, those of the slowest among those of the others."""
COMPARED = Stage(
    "compared", 300, 1.5e-4, {kind: min(1.0, share) for kind, share in _TAUGHT.items()}, seed=7, taught=True, new=True
)
"""What bodies of different sizes learn for equal seconds."""


def chosen(found: Iterable[Row], stage: Stage) -> list[Row]:
    """The rows that a stage draws from, groups whole: a share of each kind, in a chance that the seed decides."""
    rng = Random(stage.seed)
    groups: dict[int, bool] = {}
    kept = []
    for row in found:
        share = stage.shares.get(row["k"], 0.0)
        if share and groups.setdefault(row.get("g") or -1 - row["i"], rng.random() < share):
            kept.append(row)
    return kept
