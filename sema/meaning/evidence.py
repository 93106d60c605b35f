"""The evidence of a pair: the weight of each word, the probability that it is kept or supported, every Scene's state.

Probabilities and weights are adjusted so that their weighted mean is the score. No word is marked as lost or added for
that: if a text has none that could carry the loss, all its words are as improbable as words without a mark can be.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from sema.meaning.edits import all_conflicts
from sema.meaning.focus import ALL_SUPPORTED, Focused, Unsupported, find_unsupported, read_all, unlinked, verbatim
from sema.meaning.scores import CONFLICTING, IS_CONTENT, Numbers, Sides, linked_words, shares, word_sides
from sema.meaning.scores import signals as signals_of
from sema.meaning.sentences import SentenceReading, of_passage, read_sentences, with_sentences
from sema.meaning.views import SceneView, scene_views
from sema.model.fact import Conflict, FactReader
from sema.model.item import Item
from sema.model.meaning import MARKED, Meaning, OutputState, Reason, SceneMeaning, SourceState, Words
from sema.model.reading import SCORES, CrossEncoder, Scale, Signals
from sema.model.text import Text
from sema.runtime.forks import cached_property

KEPT, LOST = 0.8, 0.3
"""The shares of its words from which a Scene is kept or supported, and below which it is lost or added."""
MOST_WEIGHT = 40.0
"""The largest factor by which the weight of an improbable word is raised before other words become less probable."""
EXACT = 1e-12
"""How exactly the logarithm of a power of probabilities is found."""


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
        unsupported: sentences without a counterpart.
    """

    item: Item
    sides: Sides
    conflicts: Sequence[Conflict]
    focused: Focused | None = None
    scale: Scale | None = None
    sentences: Sequence[SentenceReading] = ()
    unsupported: Unsupported = ALL_SUPPORTED

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """The three scores, 0-100."""
        source, output = self.item.source, self.item.output
        if not _differ(self.item):
            return dict.fromkeys(SCORES, 100.0 * (source.words == output.words))
        if self.focused is None or self.scale is None:
            return shares(*self.linked)
        found = self.scale.scores(self.signals)
        if self.focused.without is not None:
            words = self.sides[1].without(self.unsupported.tokens[1])
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
            tuple(_scene(view, kept, item.source, source, "source") for view in scene_views(item.graphs)),
            tuple(_scene(view, supported, item.output, output, "output") for view in scene_views(item.output_graphs)),
            self.scores,
        )

    @property
    def linked(self) -> Sequence[Words]:
        """The words of the source and of the output by their links and conflicts alone."""
        source = {token for conflict in self.conflicts for token in conflict.source}
        output = {token for conflict in self.conflicts for token in conflict.output}
        texts = self.item.source, self.item.output
        return [linked_words(*words) for words in zip(texts, self.sides, (source, output), strict=True)]

    @property
    def _words(self) -> Sequence[Words]:
        """The words of the source and of the output, as the evidence shows them."""
        if not _differ(self.item):
            chance = float(self.item.source.words == self.item.output.words)
            return [Words((chance,) * len(side.weights), tuple(side.weights.tolist())) for side in self.sides]
        read = [side.linked for side in self.sides]
        if self.focused is not None:
            whole = self.focused.reading.kept, self.focused.reading.supported
            read = [with_sentences(np.array(given), self.sentences, side) for side, given in enumerate(whole)]
        words = []
        for given, tokens, side, name, least in zip(
            read, self._replaced, self.sides, SCORES[1:], MARKED.values(), strict=True
        ):
            chances = given.astype(np.float64)
            chances[tokens] = np.minimum(chances[tokens], CONFLICTING)
            words.append(rescaled(chances, side.weights, self.scores[name] / 100, least))
        return words

    @property
    def _replaced(self) -> tuple[list[int], list[int]]:
        """The words of conflicts on either side that the conflict's other side does not have."""
        found: tuple[set[int], set[int]] = set(), set()
        texts = self.item.source.words, self.item.output.words
        for conflict in self.conflicts:
            sides = conflict.source, conflict.output
            spelt = [{words[token].lower() for token in tokens} for words, tokens in zip(texts, sides, strict=True)]
            for own, words, tokens, other in zip(found, texts, sides, reversed(spelt), strict=True):
                own.update(token for token in tokens if words[token].lower() not in other)
        return sorted(found[0]), sorted(found[1])


def find(
    items: Sequence[Item],
    fact_readers: Sequence[FactReader],
    function_words: Collection[str],
    reader: CrossEncoder | None = None,
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
    unsupported = find_unsupported(
        reader, [items[index] for index in to_read], [found[index].sides for index in to_read]
    )
    bare = [unlinked(items[index], apart) for index, apart in zip(to_read, unsupported, strict=True)]
    sides = [word_sides(item, function_words) for item in bare]
    readings = zip(read_all(reader, bare, unsupported), read_sentences(reader, bare, sides), strict=True)
    for index, item, words, apart, (focused, sentences) in zip(
        to_read, bare, sides, unsupported, readings, strict=True
    ):
        clashes = all_conflicts(item, fact_readers, words, reader, apart.tokens)
        found[index] = Findings(items[index], words, clashes, focused, reader.scale, sentences, apart)
    return list(found.values())


def _differ(item: Item) -> bool:
    """Whether there is something to read: two different texts with words."""
    return bool(item.source.words and item.output.words) and item.source.words != item.output.words


def rescaled(chances: Numbers, weights: Numbers, share: float, least: float) -> Words:
    """Words whose weighted mean is ``share``; a word below ``least`` is marked.

    If the mean is too low, all probabilities are raised. If it is too high, the weights of marked words are raised,
    then all probabilities lowered, those of words without a mark to ``least`` at most, and then the weights raised
    further. Where no word is marked the mean may stay too high.
    """
    chances, weights = np.clip(chances, 0.001, 0.999), weights.copy()
    total = weights.sum()
    low = (chances < least) & (weights > 0)
    if total and share < chances @ weights / total:
        if low.any():
            weights[low] *= min(_factor(chances, weights, low, share), MOST_WEIGHT)
        chances = _powered(chances, weights, share, np.where(low, 0.0, np.minimum(chances, least)))
        if low.any():
            weights[low] *= _factor(chances, weights, low, share)
    elif total:
        chances = _powered(chances, weights, share, np.zeros_like(chances))
    return Words(tuple(chances.tolist()), tuple(weights.tolist()))


def _factor(chances: Numbers, weights: Numbers, low: NDArray[np.bool_], share: float) -> float:
    """What the weights of the ``low`` words are multiplied by for a weighted mean of ``share``; 1 or more."""
    above = float((chances[~low] - share) @ weights[~low])
    spare = float((share - chances[low]) @ weights[low])
    return max(above / spare, 1.0) if spare > 0 else MOST_WEIGHT


def _powered(chances: Numbers, weights: Numbers, share: float, floor: Numbers) -> Numbers:
    """The probabilities raised to the power at which their weighted mean is ``share``; none falls below its floor."""
    low, high = log(1e-4), log(1e4)
    aim = share * weights.sum()
    while high - low > EXACT:
        middle = (low + high) / 2
        if np.maximum(chances ** exp(middle), floor) @ weights > aim:
            low = middle
        else:
            high = middle
    return np.asarray(np.maximum(chances ** exp((low + high) / 2), floor))


State = SourceState | OutputState
_STATES: Mapping[str, tuple[State, State, State, State]] = {
    "source": (SourceState.KEPT, SourceState.PARTLY, SourceState.LOST, SourceState.CHANGED),
    "output": (OutputState.SUPPORTED, OutputState.PARTLY, OutputState.ADDED, OutputState.PARTLY),
}
"""The states of a Scene of either side: whole, in part, gone, and with a conflict."""


def _scene(
    view: SceneView,
    words: Words,
    text: Text,
    conflicts: Sequence[tuple[Sequence[int], Conflict]],
    side: str,
) -> SceneMeaning:
    """The state of a Scene and the reasons for it; ``conflicts`` come with their words in this text."""
    whole, partly, gone, changed = _STATES[side]
    share, own = words.share(view.tokens), set(view.tokens)
    conflicting = [Reason(str(c.kind), c.reason) for tokens, c in conflicts if not own.isdisjoint(tokens)]
    reasons = tuple(dict.fromkeys([*conflicting, *_missing(view, words, text, gone.value, MARKED[side])]))
    if conflicting:
        return SceneMeaning(view.tokens, changed, share, reasons)
    if share < LOST:
        return SceneMeaning(view.tokens, gone, share, reasons)
    if share >= KEPT and not reasons:
        return SceneMeaning(view.tokens, whole, share)
    rest = Reason("share", f"{100 * share:.0f} % {whole.value}")
    return SceneMeaning(view.tokens, partly, share, reasons or (rest,))


def _missing(view: SceneView, words: Words, text: Text, what: str, least: float) -> list[Reason]:
    """The main relation, Participants, modifiers and times that have words without a counterpart."""
    found = []
    for name, tokens in (("main relation", view.relation), *((unit.what, unit.tokens) for unit in view.units)):
        content = [token for token in tokens if words.weights[token] >= IS_CONTENT]
        lost = [token for token in content if words.probabilities[token] < least]
        if lost:
            quoted = " ".join(text.words[token] for token in sorted(set(lost)))
            part = name if len(lost) == len(content) else f"part of the {name}"
            found.append(Reason(what, f"{part}: '{quoted}'"))
    return found
