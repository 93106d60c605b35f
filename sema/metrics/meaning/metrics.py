"""The metrics: meaning kept and nothing added, 0-100, from the evidence of each item.

A language that brings a model of people's ratings (:class:`sema.model.meaning.MeaningJudge`) is scored by it; every
other language, and ``tier=transparent``, by the formulas here.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self
from weakref import WeakKeyDictionary

from sema.metrics.base import Item, MeanMetric, Need
from sema.metrics.meaning.evidence import gather_meaning
from sema.metrics.meaning.plain import PlainFacts
from sema.model.meaning import Meaning, MeaningJudge, WordFacts

if TYPE_CHECKING:
    from sema.model.language import Parts

RECALL_SHARE = 0.7
"""How much of ``meaning`` is recall, the rest precision: people mind what is gone more than what is new."""


def transparent(meaning: Meaning) -> dict[str, float]:
    """The scores of the transparent tier: the two shares, and their weighted geometric mean."""
    recall, precision = meaning.recall, meaning.precision
    return {
        "meaning": 100 * recall**RECALL_SHARE * precision ** (1 - RECALL_SHARE),
        "meaning_recall": 100 * recall,
        "meaning_precision": 100 * precision,
    }


class MeaningMetric(MeanMetric):
    """One of the three; an empty output scores 0, a copy 100."""

    requires = frozenset({Need.LINK_WEIGHTS, Need.GRAPHS, Need.OUTPUT_SCENES, Need.STATES})

    def __init__(
        self,
        *,
        tier: Annotated[
            Literal["best", "transparent"],
            "best: the model of people's ratings where the language has one; transparent: formulas alone",
        ] = "best",
    ) -> None:
        self._tier = tier
        if tier == "transparent":
            self.requires = self.requires - {Need.STATES}
        self._facts: WordFacts = PlainFacts()
        self._judge: MeaningJudge | None = None

    def bind(self, parts: Parts) -> Self:
        """A copy that knows the language's words, and its judge if it has one."""
        bound = copy(self)
        bound._facts = parts.facts or PlainFacts()
        bound._judge = parts.meaning_judge if self._tier == "best" else None
        return bound

    @property
    def signature(self) -> str:
        """The tier, with the model's or the word lists' digest."""
        return self._judge.signature if self._judge else f"transparent+{self._facts.signature}"

    def evidence(self, items: Sequence[Item]) -> list[Meaning]:
        """The evidence of every item; the three metrics gather an item's once between them."""
        known = _GATHERED.setdefault(self._judge or self._facts, {})
        missing = [item for item in items if id(item) not in known]
        drafts = [gather_meaning(item, self._facts) for item in missing]
        found = self._judge.words(missing, drafts) if self._judge and missing else drafts
        fresh = {id(item): (item, meaning) for item, meaning in zip(missing, found, strict=True)}
        known.update(fresh)
        if missing:  # one of a chunk that is asked for again, to be explained, does not drive out the others
            _GATHERED[self._judge or self._facts] = {id(item): known[id(item)] for item in items}
        return [known[id(item)][1] for item in items]

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The score of every item."""
        return [round(self.score(meaning), 10) for meaning in self.evidence(items)]

    def score(self, meaning: Meaning) -> float:
        """The score of one item's evidence, 0-100."""
        found = self._judge.scores(meaning) if self._judge else transparent(meaning)
        return found[self.name]

    def explain(self, item: Item) -> dict[str, Any]:
        """The words' probabilities and the Scenes' states, as ``sema explain`` prints them."""
        (meaning,) = self.evidence([item])
        return {"output": list(item.output.words), **meaning.to_dict()}


_GATHERED: WeakKeyDictionary[object, dict[int, tuple[Item, Meaning]]] = WeakKeyDictionary()
"""By judge or word facts, the evidence of the items that were asked for last: one chunk, never more."""


class MeaningScore(MeaningMetric):
    """How much of the meaning is kept with nothing added."""

    name = "meaning"
    description = "what was kept, lost and added: as people rate it in English, by formula elsewhere"
    default = True


class MeaningRecall(MeaningMetric):
    """How much of the source is kept."""

    name = "meaning_recall"
    description = "the share of the source's meaning that the output keeps"


class MeaningPrecision(MeaningMetric):
    """How much of the output the source supports."""

    name = "meaning_precision"
    description = "the share of the output's meaning that the source supports"
