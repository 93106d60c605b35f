"""What changes although the words are there: polarity, roles, and pronouns that stand for what was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sema.metrics.meaning.views import SceneView, Unit
from sema.metrics.meaning.words import Side
from sema.model.meaning import WordFacts

TURNED = 0.25
"""What is left of a main relation's probability where the Scene says the opposite."""
MISPLACED = 0.4
"""What is left of a Participant's where it stands in another role or with another main relation."""
REFERRED = 0.9
"""How sure a pronoun's support is where one antecedent alone is possible."""
UNCLEAR = 0.6
"""Where several are."""

Reasons = dict[int, list[str]]
"""What is said against a Scene, by its number."""


def innermost(views: Sequence[SceneView], token: int) -> int | None:
    """The number of the smallest Scene that holds a token, else of the one whose main relation stands nearest."""
    holders = [(len(view.tokens), number) for number, view in enumerate(views) if token in view.members]
    near = [(abs(t - token), number) for number, view in enumerate(views) for t in view.relation]
    return min(holders or near)[1] if holders or near else None


def match_views(views: Sequence[SceneView], others: Sequence[SceneView], side: Side) -> list[int | None]:
    """For each Scene the other text's Scene that holds most of what it is linked to; a main relation counts twice."""
    found: list[int | None] = []
    for view in views:
        best: tuple[float, int, int] | None = None
        for number, other in enumerate(others):
            score = 0.0
            for token in view.tokens:
                if side.partners[token] in other.members:
                    relation = token in view.relation
                    score += side.probabilities[token] * side.weights[token] * (1 + relation)
                    score += relation * side.probabilities[token] * (side.partners[token] in other.relation)
            if score > 0 and (best is None or (score, -len(other.tokens)) > best[:2]):
                best = (score, -len(other.tokens), number)
        found.append(None if best is None else best[2])
    return found


def resolve_pronouns(output: Side, source: Side, sentences: Sequence[tuple[int, int]], facts: WordFacts) -> None:
    """Support pronouns of the output that no word of the source is linked to.

    One that stands after exactly one kept name or main Participant counts as said; the simple rule is: the words
    before it, back to the start of the sentence before, hold one supported name.
    """
    for start, end in sentences:
        for token in range(start, end):
            if output.linked(token) or not facts.is_pronoun(output.words[token]):
                continue
            before = range(max((s for s, _ in sentences if s < start), default=start), token)
            named = [t for t in before if output.weights[t] >= 1.0 and output.linked(t)]
            runs = sum(1 for t in named if output.names[t] and not (t > 0 and output.names[t - 1]))
            if named:
                support = REFERRED if runs == 1 else UNCLEAR
                output.probabilities[token] = max(output.probabilities[token], support)


def _targets(view: SceneView, side: Side, matched: SceneView) -> Iterable[tuple[int, int]]:
    """The linked words of a Scene's main relation, with their partners in a matched Scene."""
    for token in view.relation:
        partner = int(side.partners[token])
        if partner in matched.members and side.linked(token):
            yield token, partner


def turn_polarity(
    source: Side, output: Side, views: Sequence[SceneView], others: Sequence[SceneView], facts: WordFacts
) -> tuple[Reasons, Reasons]:
    """Lower the main relation of Scenes whose negation is gone or new, on both sides."""
    reasons: tuple[Reasons, Reasons] = ({}, {})
    lost = [t for t, word in enumerate(source.words) if facts.negates(word) and not source.linked(t)]
    new = [t for t, word in enumerate(output.words) if facts.negates(word) and not output.linked(t)]
    spared = min(len(lost), len(new))
    for here, there, side, other, own, foreign, why, back in (
        (lost[spared:], reasons, source, output, views, others, "no longer negated", 0),
        (new[spared:], reasons[::-1], output, source, others, views, "negated", 1),
    ):
        for token in here:
            number = innermost(own, token)
            if number is None:
                continue
            word = side.words[token]
            there[0].setdefault(number, []).append(f"polarity: {why} ({word!r})")
            turned = _stated(own[number], side)
            _lower(side, turned, TURNED)
            for partner in {int(side.partners[t]) for t in turned} - {-1}:
                met = innermost(foreign, partner)
                _lower(other, [partner], TURNED)
                if met is not None and back in (0, 1):
                    there[1].setdefault(met, []).append(f"polarity: {why} ({word!r})")
    return reasons


def _stated(view: SceneView, side: Side) -> list[int]:
    """What a Scene states: its main relation, or all its content words where that is a word of grammar (*is*)."""
    relation = [t for t in view.relation if side.weights[t] >= 1.0]
    return relation or [t for t in view.tokens if side.weights[t] >= 1.0]


def _lower(side: Side, tokens: Iterable[int], factor: float) -> None:
    for token in tokens:
        side.probabilities[token] *= factor


def check_roles(
    side: Side, views: Sequence[SceneView], others: Sequence[SceneView], other: Side, facts: WordFacts
) -> Reasons:
    """Find Participants that are linked, but not beside their main relation or in another role there; lower them."""
    reasons: Reasons = {}
    lowered: dict[int, float] = {}
    for number, view in enumerate(views):
        homes = [
            home
            for home in others
            if any(int(side.partners[t]) in home.members for t in view.relation if side.linked(t))
        ]
        if not homes:
            continue
        for unit in view.participants:
            heads = [t for t in unit.centers if side.linked(t) and side.weights[t] >= 1.0]
            if heads and not any(_present(unit, heads, side, home, other, facts) for home in homes):
                reasons.setdefault(number, []).append(f"role: {_said(side, heads)} stands with another relation")
                lowered.update(dict.fromkeys(heads, MISPLACED))
        for first, second in _swapped(view, side, other, facts):
            said = f"role: {_said(side, first)} and {_said(side, second)} are exchanged"
            reasons.setdefault(number, []).append(said)
            lowered.update(dict.fromkeys([*first, *second], MISPLACED))
    for token, factor in lowered.items():
        side.probabilities[token] *= factor
    return reasons


def _present(unit: Unit, heads: Sequence[int], side: Side, home: SceneView, other: Side, facts: WordFacts) -> bool:
    if any(int(side.partners[t]) in home.members for t in heads):
        return True
    words = {side.words[t].lower() for t in heads}
    return any(facts.is_pronoun(other.words[t]) or other.words[t].lower() in words for t in home.tokens)


def _swapped(
    view: SceneView, side: Side, other: Side, facts: WordFacts
) -> Iterable[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of Participants on either side of the main relation that have changed sides, voice taken into account."""
    relation = [t for t in view.relation if side.linked(t) and side.partners[t] >= 0 and not side.weak[t]]
    if not relation:
        return
    pivot, image = relation[0], int(side.partners[relation[0]])
    placed = []
    for unit in view.participants:
        heads = tuple(t for t in unit.centers if side.linked(t) and side.partners[t] >= 0 and side.weights[t] >= 1.0)
        if heads:
            placed.append((heads, unit.tokens))
    for first, _ in placed:
        for second, second_tokens in placed:
            if not (first[0] < pivot < second[0]):
                continue
            here = (int(side.partners[first[0]]), int(side.partners[second[0]]))
            voice = _agent(side, second_tokens, facts) is not _agent(other, here, facts)
            if (here[1] < image < here[0]) is not voice and (here[1] < image < here[0] or here[0] < image < here[1]):
                yield first, second


def _agent(side: Side, tokens: Sequence[int], facts: WordFacts) -> bool:
    """Whether a word that marks the agent of a passive stands in or right before some tokens."""
    near = {*tokens, *(t - 1 for t in tokens), *(t - 2 for t in tokens)}
    return any(0 <= t < len(side.words) and facts.marks_agent(side.words[t]) for t in near)


def _said(side: Side, tokens: Sequence[int]) -> str:
    return repr(" ".join(side.words[t] for t in np.unique(tokens).tolist()))
