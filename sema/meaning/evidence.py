"""The evidence of a pair: the weight of each word, the probability that it is kept or supported, every Scene's state.

Probabilities and weights are adjusted so that their weighted mean is the score: a word is shown as lost or added only
as far as the score counts it so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, log

import numpy as np

from sema.meaning.edits import all_conflicts
from sema.meaning.focus import NO_STRANGERS, Focused, Strangers, find_strangers, read_all, unlinked, verbatim
from sema.meaning.scores import IS_CONTENT, Numbers, Sides, linked_words, shares, word_sides
from sema.meaning.scores import signals as signals_of
from sema.meaning.sentences import SentenceReading, of_passage, read_sentences
from sema.meaning.views import SceneView, scene_views
from sema.model.fact import Conflict, FactReader
from sema.model.item import Item
from sema.model.meaning import Meaning, OutputState, Reason, SceneMeaning, SourceState, Words
from sema.model.reading import SCORES, PairReader, Scale, Signals
from sema.model.text import Text

CONFLICTING = 0.05
"""The largest probability of a word of a conflict."""
KEPT, LOST = 0.8, 0.3
"""The shares of its words from which a Scene is kept or supported, and below which it is lost or added."""
MOST_WEIGHT = 40.0
"""The largest factor by which the weight of an improbable word is raised."""


@dataclass(frozen=True)
class Findings:
    """An item's scores, and the evidence for them, computed when it is asked for.

    Attributes:
        item: the item, with ``link_weights``; ``graphs`` and ``output_graphs`` give the Scenes.
        sides: the words' weights and link probabilities.
        conflicts: the conflicts between both texts.
        focused: what the reader finds; ``None``: the links stand for it.
        scale: the reader's curves from signals to scores.
        sentences: of a passage, what the reader finds of each sentence.
        strangers: sentences without a counterpart.
    """

    item: Item
    sides: Sides
    conflicts: Sequence[Conflict]
    focused: Focused | None = None
    scale: Scale | None = None
    sentences: Sequence[SentenceReading] = ()
    strangers: Strangers = NO_STRANGERS

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """The three scores, 0-100."""
        source, output = self.item.source, self.item.output
        if not _differ(self.item):
            return dict.fromkeys(SCORES, 100.0 * (source.words == output.words))
        if self.focused is None or self.scale is None:
            return shares(*self._words)
        found = self.scale.scores(self.signals)
        if self.focused.without is not None:
            words = self.sides[1].without(self.strangers.tokens[1])
            rest = self.scale.scores(signals_of(self.sides[0], words, self.focused.without, len(self.conflicts)))
            found = {name: min(found[name], rest[name]) for name in SCORES}
        if self.sentences:
            found = of_passage(found, self.sentences, self.sides, self.conflicts, self.scale)
        for name, text, other in (("meaning_recall", source, output), ("meaning_precision", output, source)):
            if verbatim(text, other).all():
                found[name] = 100.0
        return found

    @property
    def signals(self) -> Signals:
        """What the reader, the links and the conflicts say of the whole pair; only of pairs that were read."""
        assert self.focused is not None
        return signals_of(*self.sides, self.focused.reading, len(self.conflicts))

    @cached_property
    def evidence(self) -> Meaning:
        """The probability of every word and the state of every Scene, with the scores."""
        kept, supported = self._words
        item = self.item
        source = [(conflict.source, conflict) for conflict in self.conflicts]
        output = [(conflict.output, conflict) for conflict in self.conflicts]
        return Meaning(
            kept,
            supported,
            tuple(_scene(view, kept, item.source, source, _SOURCE) for view in scene_views(item.graphs)),
            tuple(_scene(view, supported, item.output, output, _OUTPUT) for view in scene_views(item.output_graphs)),
            self.scores,
        )

    @cached_property
    def _words(self) -> Sequence[Words]:
        """The words of the source and of the output."""
        texts = self.item.source, self.item.output
        if not _differ(self.item):
            chance = float(texts[0].words == texts[1].words)
            return [Words((chance,) * len(side.weights), tuple(side.weights.tolist())) for side in self.sides]
        marked = (
            sorted({token for conflict in self.conflicts for token in conflict.source}),
            sorted({token for conflict in self.conflicts for token in conflict.output}),
        )
        if self.focused is None:
            return [linked_words(*words) for words in zip(texts, self.sides, marked, strict=True)]
        words = []
        for given, tokens, side, name in zip(
            (self.focused.reading.kept, self.focused.reading.supported), marked, self.sides, SCORES[1:], strict=True
        ):
            chances = np.array(given, np.float64)
            chances[tokens] = np.minimum(chances[tokens], CONFLICTING)
            words.append(settled(chances, side.weights, self.scores[name] / 100))
        return words


def find(
    items: Sequence[Item],
    fact_readers: Sequence[FactReader],
    function_words: Collection[str],
    reader: PairReader | None = None,
) -> list[Findings]:
    """The findings of items; texts that do not differ, and all texts without a reader, are not read."""
    if reader is None:
        return [
            Findings(item, sides, all_conflicts(item, fact_readers, sides))
            for item in items
            for sides in [word_sides(item, function_words)]
        ]
    found = {index: Findings(item, word_sides(item, function_words), ()) for index, item in enumerate(items)}
    to_read = [index for index, item in enumerate(items) if _differ(item)]
    strangers = find_strangers(reader, [items[index] for index in to_read], [found[index].sides for index in to_read])
    bare = [unlinked(items[index], apart) for index, apart in zip(to_read, strangers, strict=True)]
    sides = [word_sides(item, function_words) for item in bare]
    readings = zip(read_all(reader, bare, strangers), read_sentences(reader, bare, sides), strict=True)
    for index, item, words, apart, (focused, sentences) in zip(to_read, bare, sides, strangers, readings, strict=True):
        clashes = all_conflicts(item, fact_readers, words, reader, apart.tokens)
        found[index] = Findings(items[index], words, clashes, focused, reader.scale, sentences, apart)
    return list(found.values())


def _differ(item: Item) -> bool:
    """Whether there is something to read: two different texts with words."""
    return bool(item.source.words and item.output.words) and item.source.words != item.output.words


def settled(chances: Numbers, weights: Numbers, share: float) -> Words:
    """Words whose weighted mean is ``share``.

    If the mean is too high, the weights of improbable words are raised, and then all probabilities lowered; if it is
    too low, all probabilities are raised.
    """
    chances, weights = np.clip(chances, 0.001, 0.999), weights.copy()
    if not weights.sum():
        return Words(tuple(chances.tolist()), tuple(weights.tolist()))
    mean = float(chances @ weights / weights.sum())
    low = (chances < 0.5) & (weights > 0)
    if share < mean and low.any():
        rest, bad = weights[~low].sum(), weights[low].sum()
        above, below = float(chances[~low] @ weights[~low]), float(chances[low] @ weights[low])
        spare = share * bad - below
        factor = (above - share * rest) / spare if spare > 0 else MOST_WEIGHT
        weights[low] *= min(max(factor, 1.0), MOST_WEIGHT)
    total = weights.sum()
    if abs(float(chances @ weights / total) - share) > 1e-6:
        chances = _powered(chances, weights / total, share)
    return Words(tuple(chances.tolist()), tuple(weights.tolist()))


def _powered(chances: Numbers, weights: Numbers, share: float) -> Numbers:
    """The probabilities raised to the power at which their weighted mean is ``share``; their order stays."""
    low, high = log(1e-4), log(1e4)
    for _ in range(60):
        middle = (low + high) / 2
        if float((chances ** exp(middle)) @ weights) > share:
            low = middle
        else:
            high = middle
    return np.asarray(chances ** exp((low + high) / 2))


State = SourceState | OutputState
_SOURCE = SourceState.KEPT, SourceState.PARTLY, SourceState.LOST, SourceState.CHANGED
_OUTPUT = OutputState.SUPPORTED, OutputState.PARTLY, OutputState.ADDED, None
"""The states of a Scene: whole, in part, gone, and with a conflict, where that has its own state."""


def _scene(
    view: SceneView,
    words: Words,
    text: Text,
    conflicts: Sequence[tuple[Sequence[int], Conflict]],
    states: tuple[State, State, State, State | None],
) -> SceneMeaning:
    """The state of a Scene and the reasons for it; ``conflicts`` come with their words in this text."""
    whole, partly, gone, changed = states
    share, own = words.share(view.tokens), set(view.tokens)
    conflicting = [Reason(c.kind.value, c.reason) for tokens, c in conflicts if not own.isdisjoint(tokens)]
    reasons = tuple(dict.fromkeys([*conflicting, *_missing(view, words, text, gone.value)]))
    if conflicting and changed is not None:
        return SceneMeaning(view.tokens, changed, share, reasons)
    if share < LOST:
        return SceneMeaning(view.tokens, gone, share, reasons)
    if share >= KEPT and not reasons:
        return SceneMeaning(view.tokens, whole, share)
    rest = Reason("share", f"{100 * share:.0f} % {whole.value}")
    return SceneMeaning(view.tokens, partly, share, reasons or (rest,))


def _missing(view: SceneView, words: Words, text: Text, what: str) -> list[Reason]:
    """The main relation, Participants, modifiers and times that have words without a counterpart."""
    found = []
    for name, tokens in (("main relation", view.relation), *((unit.what, unit.tokens) for unit in view.units)):
        content = [token for token in tokens if words.weights[token] >= IS_CONTENT]
        lost = [token for token in content if words.probabilities[token] < 0.5]
        if lost:
            quoted = " ".join(text.words[token] for token in sorted(set(lost)))
            part = name if len(lost) == len(content) else f"part of the {name}"
            found.append(Reason(what, f"{part}: '{quoted}'"))
    return found
