from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sema_ucca.chart import HEADLESS, ROOTLESS
from sema_ucca.decode import SPAN_BONUS, SpanScores, decode_trees
from sema_ucca.families import BARE, KINDS, LINKED, NEVER, SCENE, insides, places
from sema_ucca.pieces import all_spans

Spans = dict[tuple[int, int], str]
Scores = dict[tuple[int, int], dict[str, float]]

LABELS = ("", "A", "P", "C", "E", "H", "F", "H+A", "P*")
SIZE = 3
SPANS = len(all_spans(SIZE)[0])


def rows(spans: Spans, first: int, end: int, *, whole: bool) -> list[tuple[int, int]]:
    """The highest units between two words, from left to right; ``whole``: but the one that spans all."""
    inside = [s for s in spans if first <= s[0] and s[1] <= end and (not whole or s != (first, end))]
    return sorted(s for s in inside if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in inside))


def row_value(labels: list[str], kind: int, headless: float) -> float:
    """The least that it costs children to be a row of one kind, each as a head or as something else."""
    table = places(LABELS)[:, kind, [LABELS.index(label) for label in labels]]
    most = NEVER
    for chosen in product((0, 1), repeat=len(labels)):
        heads = chosen.count(0)
        if heads < 2 or kind != SCENE:
            cost = sum(float(table[one, place]) for place, one in enumerate(chosen))
            most = max(most, cost - headless * (heads == 0))
    return most


def value(spans: Spans, scores: Scores, size: int) -> float:
    """What a tree is worth, by the definition: far below zero if its labels do not go together."""
    total = sum(scores[span][label] + SPAN_BONUS * (span[1] - span[0] > 1) for span, label in spans.items())
    for span, label in spans.items():
        if span[1] - span[0] == 1:
            continue
        costs = insides(LABELS)[:, LABELS.index(label)]
        children = rows(spans, *span, whole=True)
        if not children:
            total += float(costs[BARE])
            continue
        if sum(end - start for start, end in children) < span[1] - span[0]:
            return NEVER
        labels = [spans[child] for child in children]
        total += max(row_value(labels, kind, HEADLESS) + float(costs[kind]) for kind in range(KINDS))
    top = rows(spans, 0, size, whole=False)
    if sum(end - start for start, end in top) < size:
        return NEVER
    labels = [spans[child] for child in top]
    linked = row_value(labels, LINKED, ROOTLESS)
    return total + max(linked, *(row_value(labels, kind, 0) - ROOTLESS for kind in range(KINDS)))


def brute_force(scores: Scores, size: int) -> float:
    """The most that any tree is worth."""
    options = [[(span, label) for label in (None, *labels)] for span, labels in scores.items()]
    most = NEVER
    for chosen in product(*options):
        spans = {span: label for span, label in chosen if label}
        if not any(a[0] < b[0] < a[1] < b[1] for a in spans for b in spans):
            most = max(most, value(spans, scores, size))
    return most


def tables(margins: np.ndarray, best: np.ndarray) -> Scores:
    """The scores of a sentence's spans."""
    starts, ends = all_spans(SIZE)
    return {
        (int(start), int(end) + 1): {
            LABELS[label]: float(score) for label, score in zip(best[k], margins[k], strict=True)
        }
        for k, (start, end) in enumerate(zip(starts, ends, strict=True))
    }


numbers = st.tuples(
    st.lists(st.integers(-6, 6), min_size=2 * SPANS, max_size=2 * SPANS),
    st.lists(st.permutations(range(1, len(LABELS))), min_size=SPANS, max_size=SPANS),
)


@given(numbers)
@settings(deadline=None, max_examples=25)
def test_no_tree_is_worth_more(drawn: tuple[list[int], list[list[int]]]) -> None:
    margins = np.sort(np.reshape(drawn[0], (SPANS, 2)).astype(np.float32), 1)[:, ::-1]
    best = np.array([one[:2] for one in drawn[1]])
    scores = tables(margins, best)
    (tree,) = decode_trees([SpanScores(margins[None], best[None], [(0, 1, 2)])], LABELS)
    most = brute_force(scores, SIZE)
    if most > NEVER / 2:
        assert abs(value(tree.spans, scores, SIZE) - most) < 1e-4
