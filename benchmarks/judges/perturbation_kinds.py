"""Perturbations of clean simplifications, and two harmless rewordings as controls.

Every kind maps a segmented, parsed text to the words of a worse one (a control: of one as good), or to ``None`` if it
does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from sema.meaning.views import SceneView, Unit, scene_views
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text, is_punctuation


@dataclass(frozen=True)
class Perturbations:
    """The means of one language to damage texts.

    Attributes:
        is_weak: whether a word is of grammar or a mark.
        negate: the words with a negation put in or taken out, or ``None``.
        opposites: for a word its antonyms, in a fixed order.
        details: made-up phrases.
        passive: the words with voice changed, or ``None``.
        front: the words with a closing phrase put first, or ``None``.
        fills_role: whether some words can stand in another Participant's place (no preposition before them).
        is_name: whether a word, at a place in its sentence, is a name.
    """

    is_weak: Callable[[str], bool]
    negate: Callable[[Sequence[str], Sequence[SceneView]], list[str] | None]
    opposites: Callable[[str], Sequence[str]]
    details: Sequence[str]
    passive: Callable[[Sequence[str]], list[str] | None]
    front: Callable[[Sequence[str]], list[str] | None]
    fills_role: Callable[[Sequence[str]], bool]
    is_name: Callable[[Sequence[str], int], bool]


@dataclass(frozen=True)
class CleanExample:
    """One clean output with its Scenes, the words of its source, and material from other items."""

    text: Text
    views: tuple[SceneView, ...]
    source_words: frozenset[str]
    """The source's words, lower-cased: output words among them are certainly correct."""
    distractor: Text
    """The output of the source that is most similar to this one's."""
    verbs: Sequence[str]
    names: Sequence[str]

    @property
    def words(self) -> list[str]:
        """The tokens."""
        return list(self.text.words)


Perturbation = Callable[[CleanExample, Perturbations, Random], list[str] | None]


def other_output(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """The output of the most similar other source."""
    return list(clean.distractor.words) or None


def participant_deleted(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """Without the words of one Participant."""
    units = [unit.tokens for view in clean.views for unit in view.participants if len(unit.tokens) <= 8]
    return _without(
        clean,
        [unit for unit in units if _content(clean, [t for t in unit if _certain(clean, t)], rules)],
        random,
    )


def relation_replaced(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """With the main relation of one Scene from elsewhere."""
    places = [
        view.relation[0]
        for view in clean.views
        if len(view.relation) == 1 and _content(clean, view.relation, rules) and _certain(clean, view.relation[0])
    ]
    present = {word.lower() for word in clean.words} | clean.source_words
    others = [verb for verb in clean.verbs if verb.lower() not in present]
    return _with(clean, places, lambda _: others, random)


def participants_swapped(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """With two Participants of one Scene exchanged that stand on both sides of its main relation."""
    pairs = [
        (first.tokens, second.tokens)
        for view in clean.views
        for first in _movable(clean, view, rules)
        for second in _movable(clean, view, rules)
        if any(first.tokens[-1] < t < second.tokens[0] and _content(clean, [t], rules) for t in view.relation)
        and _phrase(clean, first.tokens) != _phrase(clean, second.tokens)
    ]
    if not pairs:
        return None
    first, second = random.choice(pairs)
    words = clean.words
    return [
        *words[: first[0]],
        *words[second[0] : second[-1] + 1],
        *words[first[-1] + 1 : second[0]],
        *words[first[0] : first[-1] + 1],
        *words[second[-1] + 1 :],
    ]


def half_cut(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """The first half of the words."""
    half = len(clean.words) // 2
    gone = range(half, len(clean.words))
    if len(clean.words) < 6 or not any(_certain(clean, t) and _content(clean, [t], rules) for t in gone):
        return None
    return clean.words[:half]


def negated(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """With a negation put in or taken out."""
    return rules.negate(clean.words, clean.views)


def number_changed(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """With a number in digits replaced by another."""
    places = [t for t, word in enumerate(clean.words) if any(map(str.isdecimal, word))]
    return _with(clean, places, lambda word: [_other_number(word, random)], random)


def name_changed(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """With a name replaced by another."""
    words = clean.words
    places = [t for t in range(len(words)) if rules.is_name(words, t)]
    return _with(clean, places, lambda _: [name for name in clean.names if name not in words], random)


def antonym(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """With a word replaced by an antonym."""
    places = [
        t
        for t, word in enumerate(clean.words)
        if _certain(clean, t) and _content(clean, [t], rules) and rules.opposites(word)
    ]
    return _with(clean, places, rules.opposites, random)


def modifier_deleted(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """Without a modifier, time or quantity of a Scene, or without what surrounds a Participant's head."""
    units = [
        unit.tokens for view in clean.views for unit in view.units if unit.what in ("modifier", "time", "quantity")
    ]
    for view in clean.views:
        for unit in view.participants:
            rest = tuple(t for t in unit.tokens if t not in unit.centers)
            if unit.centers and len(rest) <= 6:
                units.append(rest)
    return _without(
        clean,
        [unit for unit in units if _content(clean, [t for t in unit if _certain(clean, t)], rules)],
        random,
    )


def sentence_added(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """With a sentence of another output behind it."""
    sentences = [words for words in clean.distractor.sentence_words if not set(words) <= set(clean.words)]
    return [*clean.words, *random.choice(sentences)] if sentences else None


def detail_added(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """With a made-up detail before the end of a sentence."""
    end = next((t for t in range(len(clean.words) - 1, 0, -1) if not is_punctuation(clean.words[t])), None)
    if end is None:
        return None
    return [*clean.words[: end + 1], *random.choice(rules.details).split(), *clean.words[end + 1 :]]


def passive(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """In the other voice (a control)."""
    return rules.passive(clean.words)


def reordered(clean: CleanExample, rules: Perturbations, random: Random) -> list[str] | None:
    """With a phrase moved to the front (a control)."""
    return rules.front(clean.words)


KINDS: Mapping[str, Perturbation] = {
    kind.__name__: kind
    for kind in (
        other_output,
        participant_deleted,
        relation_replaced,
        participants_swapped,
        half_cut,
        negated,
        number_changed,
        name_changed,
        antonym,
        modifier_deleted,
        sentence_added,
        detail_added,
    )
}
CONTROLS: Mapping[str, Perturbation] = {kind.__name__: kind for kind in (passive, reordered)}


def clean_examples(
    texts: Sequence[Text], graphs: Sequence[Sequence[SceneGraph]], sources: Sequence[Text], rules: Perturbations
) -> list[CleanExample]:
    """Clean outputs with their sources; similarity between items is that of the sources."""
    views = [tuple(scene_views(one)) for one in graphs]
    verbs = sorted(
        {
            texts[i].words[view.relation[0]]
            for i, one in enumerate(views)
            for view in one
            if len(view.relation) == 1 and not rules.is_weak(texts[i].words[view.relation[0]])
        }
    )
    names = sorted({text.words[t] for text in texts for t in range(len(text.words)) if rules.is_name(text.words, t)})
    near = most_alike(sources)
    return [
        CleanExample(text, one, frozenset(word.lower() for word in source.words), texts[other], verbs, names)
        for text, one, other, source in zip(texts, views, near, sources, strict=True)
    ]


def most_alike(texts: Sequence[Text]) -> list[int]:
    """For each text the index of the most similar other one (Jaccard); of ties the first."""
    bags = [frozenset(word.lower() for word in text.words if not is_punctuation(word)) for text in texts]

    def alike(first: int, second: int) -> float:
        union = bags[first] | bags[second]
        return len(bags[first] & bags[second]) / len(union) if union and bags[first] != bags[second] else -1.0

    return [
        max((j for j in range(len(texts)) if j != i), key=lambda j: (alike(i, j), -j), default=i)
        for i in range(len(texts))
    ]


def ranked_right(right: float, wrong: float) -> float:
    """1 if the clean text has the higher score, 0.5 for a tie, else 0."""
    return 1.0 if right > wrong else 0.5 if right == wrong else 0.0


def _content(clean: CleanExample, tokens: Sequence[int], rules: Perturbations) -> bool:
    return any(not rules.is_weak(clean.text.words[t]) for t in tokens)


def _movable(clean: CleanExample, view: SceneView, rules: Perturbations) -> list[Unit]:
    return [
        unit
        for unit in view.participants
        if _run(unit.tokens)
        and len(unit.tokens) <= 6
        and _content(clean, unit.tokens, rules)
        and all(_certain(clean, t) for t in unit.centers)
        and rules.fills_role([clean.text.words[t] for t in unit.tokens])
    ]


def _certain(clean: CleanExample, token: int) -> bool:
    return clean.text.words[token].lower() in clean.source_words


def _run(tokens: Sequence[int]) -> bool:
    return tokens[-1] - tokens[0] == len(tokens) - 1


def _phrase(clean: CleanExample, tokens: Sequence[int]) -> str:
    return " ".join(clean.text.words[t].lower() for t in tokens)


def _without(clean: CleanExample, units: Sequence[tuple[int, ...]], random: Random) -> list[str] | None:
    # a removed word must not occur elsewhere in the text
    kept = [
        unit
        for unit in units
        if len(unit) < len(clean.words) - 2
        and _phrase(clean, unit) not in " ".join(clean.words[unit[-1] + 1 :]).lower()
    ]
    if not kept:
        return None
    gone = set(random.choice(kept))
    return [word for t, word in enumerate(clean.words) if t not in gone]


def _with(
    clean: CleanExample, places: Sequence[int], choices: Callable[[str], Sequence[str]], random: Random
) -> list[str] | None:
    if not places:
        return None
    place = random.choice(places)
    words = clean.words
    options = choices(words[place])
    if not options:
        return None
    new = random.choice(options)
    words[place] = new.capitalize() if words[place][:1].isupper() and new.islower() else new
    return words


def _other_number(word: str, random: Random) -> str:
    place = random.choice([index for index, char in enumerate(word) if char.isdecimal()])
    digit = random.choice([char for char in "123456789" if char != word[place]])
    return word[:place] + digit + word[place + 1 :]
