"""inspect-ai: a scorer for tasks that simplify; the sample's input is the original, its targets are references."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from sema.model.language import Language
from sema.plugs import score_pair
from sema.scoring.scorer import Scorer as SemaScorer


@scorer(metrics={"*": [mean(), stderr()]})
def simplification(
    lang: str | Language = "en", metrics: Sequence[str] | None = None, *, source: str | None = None
) -> Scorer:
    """Score a model's simplifications: a value for each metric, and their means over the samples.

    Means are sema's corpus scores for metrics that are means of items (meaning, Scenes), not for pooled ones (BLEU).

    Args:
        lang, metrics: as :class:`sema.Scorer` takes them.
        source: the key of the sample's metadata that has the original, where the input is a prompt around it
            (default: the input is the original).
    """
    made = SemaScorer(lang, metrics)
    turn = anyio.Lock()

    async def score(state: TaskState, target: Target) -> Score:
        original = state.input_text if source is None else state.metadata[source]
        output = state.output.completion
        async with turn:
            report = await anyio.to_thread.run_sync(score_pair, made, original, output, list(target))
        scores = dict(report.systems[0].items[0].scores)
        return Score(value=scores, answer=output, metadata={"signature": report.signature})

    return score
