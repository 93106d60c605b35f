"""What links alone do not see: pronouns that stand for what was said, and Scenes that are said again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sema.meaning.views import SceneView
from sema.metrics.meaning.words import Side
from sema.model.meaning import WordFacts

REFERRED = 0.9
"""How sure a pronoun's support is where one antecedent alone is possible."""
UNCLEAR = 0.6
"""Where several are."""

REPEATED = 0.2
"""What is left of the words of a Scene that the output has said before."""

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


def find_repeats(source: Side, output: Side, views: Sequence[SceneView]) -> Reasons:
    """Find Scenes of the output that say once more what one before them said; lower their words.

    Saying who it was again is what splitting a sentence takes (*John came. John sat.*): a Scene is a repeat only if one
    before it holds all its words of content, and each of them more often than the source has it.
    """
    reasons: Reasons = {}
    repeated: set[int] = set()
    given = Counter(source.lower)
    counts = Counter(output.lower)
    content = [
        frozenset(output.lower[t] for t in view.tokens if output.weights[t] >= 1.0 and not output.weak[t])
        for view in views
    ]
    for number, (view, words) in enumerate(zip(views, content, strict=True)):
        if len(words) < 2 or any(counts[word] <= max(1, given[word]) for word in words):
            continue
        before = [other for other in range(number) if words <= content[other]]
        again = [t for t in view.tokens if not any(t in views[other].members for other in before)]
        if before and again:
            reasons[number] = [f"repeated: {output.said(view.relation or view.tokens)}"]
            repeated.update(again)
    for token in repeated:
        output.probabilities[token] *= REPEATED
    return reasons
