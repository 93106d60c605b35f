"""Training pairs made on purpose: near copies broken or reworded in places, and the same done to people's rewordings.

Near copies must not give away the label, so sentences are reworded in up to three places and broken in one, in their
own words and in those of people who simplified them, and all versions of a source are ranked against each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from random import Random

from training.reader.changes import Edit, Language, Pool, Sentence, Words, chosen, labels, pair, text_of
from training.reader.example import ENTAILED, NEUTRAL, UNKNOWN, Example

_SAME_AT_MOST = 0.85
"""The similarity of a text with hardly a word left out."""
_EDITABLE = 4, 60
"""The words, at least and at most, of a person's text that is broken."""
_GROUPS = count(1)


class Breaker:
    """Breaks and rewords the sentences of a language.

    Attributes:
        language: its rules.
        pool: what sentences borrow from each other.
        rng: the source of chance.
    """

    def __init__(self, language: Language, pool: Pool, rng: Random) -> None:
        self.language, self.pool, self.rng = language, pool, rng

    def near_copies(self, texts: Sequence[str]) -> Iterator[Example]:
        """Each text with a version that breaks, loses or adds something, and often one that only rewords."""
        for text in texts:
            group, rng = next(_GROUPS), self.rng
            source = self.language.cut(text)
            calm = self._reworded(source, rng.choice((0, 0, 1, 1, 2, 3)))
            if calm != source and rng.random() < 0.6:
                yield pair(source, calm, 0.96, group)
            elif rng.random() < 0.08:
                yield pair(source, source, 1.0, group)
            kind = rng.random()
            language = self.language
            rules = language.breaks if kind < 0.62 else language.losses if kind < 0.85 else language.additions
            if (edit := chosen(rules, self._sentence(calm))) is not None:
                yield self._edited(source, calm, edit, group)
            if rng.random() < 0.35:
                yield from self._shortened(source, group)

    def around_people(self, pairs: Sequence[Example]) -> Iterator[Example]:
        """People's rewordings with broken versions of both texts; of those that nobody ranked (``same`` below 0) of the
        output alone."""
        for one in pairs:
            group, ranked = next(_GROUPS) if one.same >= 0 else 0, one.same >= 0
            yield replace(one, group=group)
            source, good = map(self.language.cut, (one.source, one.output))
            if _EDITABLE[0] <= len(good) <= _EDITABLE[1]:
                further = self.language.losses if self.rng.random() < 0.6 else self.language.additions
                for rules in (self.language.breaks, *([further] if self.rng.random() < 0.3 else [])):
                    if (edit := chosen(rules, self._sentence(good))) is not None:
                        yield self._of_good(one.source, edit, group, ranked)
            if ranked and _EDITABLE[0] <= len(source) <= _EDITABLE[1]:
                calm = self._reworded(source, self.rng.choice((0, 1, 2)))
                if (edit := chosen(self.language.breaks, self._sentence(calm))) is not None:
                    yield self._edited(source, calm, edit, group)

    def _sentence(self, words: Words) -> Sentence:
        return Sentence(words, self.language, self.pool, self.rng)

    def _reworded(self, words: Words, times: int) -> Words:
        for _ in range(times):
            edit = chosen(self.language.rewordings, self._sentence(words))
            words = words if edit is None else edit.words
        return words

    def _edited(self, source: Words, calm: Words, edit: Edit, group: int) -> Example:
        """A changed near copy; whether the source's words are kept is known only if nothing was reworded before."""
        kept = labels(source, edit.lost) if calm == source else ()
        supported = labels(edit.words, edit.new)
        return Example(text_of(source), text_of(edit.words), *edit.entails, edit.same, kept, supported, group)

    def _shortened(self, source: Words, group: int) -> Iterator[Example]:
        """Versions that omit more and more of a text; the more they omit, the lower their similarity."""
        words, places = source, list(range(len(source)))
        for _ in range(self.rng.choice((1, 2, 3))):
            edit = chosen(self.language.losses, self._sentence(words))
            if edit is None:
                return
            words = edit.words
            places = [place for at, place in enumerate(places) if at not in edit.lost]
            kept = labels(source, set(range(len(source))) - set(places))
            same = _SAME_AT_MOST * (sum(kept) / len(kept)) ** 0.7
            yield Example(text_of(source), text_of(words), ENTAILED, NEUTRAL, same, kept, labels(words, ()), group)

    def _of_good(self, source: str, edit: Edit, group: int, ranked: bool) -> Example:
        """A person's rewording, changed: what it loses of the source is unknown."""
        output_entailed, source_entailed = edit.entails
        return Example(
            source, text_of(edit.words), output_entailed, UNKNOWN if source_entailed == ENTAILED else source_entailed,
            max(0.1, edit.same - 0.03) if ranked else -1.0, (), labels(edit.words, edit.new), group,
        )  # fmt: skip


def side_by_side(examples: Sequence[Example], rng: Random) -> Iterator[Example]:
    """Each version of a sentence between others that are only reworded: one wrong word in a longer text."""
    calm = [
        one
        for one in examples
        if one.output_entailed == one.source_entailed == ENTAILED and one.source_words and one.output_words
    ]
    groups: dict[int, list[Example]] = defaultdict(list)
    for one in examples:
        groups[one.group].append(one)
    for versions in groups.values():
        around = rng.sample(calm, rng.choice((1, 1, 2, 3)))
        place, group = rng.randrange(len(around) + 1), next(_GROUPS)
        for one in versions:
            texts = [*around[:place], one, *around[place:]]
            yield replace(
                one, source=" ".join(text.source for text in texts), output=" ".join(text.output for text in texts),
                source_words=_labels(texts, "source"), output_words=_labels(texts, "output"), group=group,
            )  # fmt: skip


def _labels(texts: Sequence[Example], side: str) -> tuple[int, ...]:
    """The words' labels of texts beside each other, -1 for those of a text without any."""
    return tuple(
        label for text in texts for label in getattr(text, f"{side}_words") or (-1,) * len(getattr(text, side).split())
    )
