"""Scores runs of the TSAR 2025 shared task: every different output once, against its original and its references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sema.analysis.texts import ProgressCallback
from sema.evaluation.shared_task import TaskItem
from sema.files.tsar_runs import TaskRun, TaskText
from sema.model.language import Language
from sema.model.levels import whole_level
from sema.options import Settings
from sema.scoring.item_scores import ItemScore
from sema.scoring.runners import Runner
from sema.scoring.scorer import Scorer

if TYPE_CHECKING:
    from collections.abc import Callable

Pair = tuple[str, str]
"""A text's id and a system's output."""


@dataclass(frozen=True)
class ScoredRuns:
    """The items of every run, the errors of outputs that could not be scored, and the scorer's signature."""

    items: Mapping[str, Sequence[TaskItem]]
    errors: Sequence[str]
    signature: str


def score_runs(
    runs: Sequence[TaskRun],
    gold: Mapping[str, TaskText],
    *,
    lang: str | Language = "en",
    options: Settings | None = None,
    runner: Runner | None = None,
    progress: ProgressCallback = lambda done, total: None,
) -> ScoredRuns:
    """Levels and meaning of all runs' outputs; an output that several runs have is scored once.

    Of several references the one that the output keeps best counts.
    """
    # Outputs for one text stand together, so that the text is analysed once.
    pairs = sorted({(key, text) for run in runs for key, text in run.outputs.items()})
    most = max((len(gold[key].references) for key, _ in pairs), default=0)

    def score(metrics: Sequence[str], originals: Callable[[TaskText], str], part: int) -> dict[Pair, ItemScore]:
        chosen = [pair for pair in pairs if len(gold[pair[0]].references) >= part]
        scorer = Scorer(lang, metrics, level="passage", options=options, runner=runner)
        report = scorer.score(
            [originals(gold[key]) for key, _ in chosen],
            [text for _, text in chosen],
            collect_errors=True,
            keep_items=False,
            progress=lambda done, _: progress(len(pairs) * part + done, len(pairs) * (1 + most)),
        )
        signatures.append(report.signature)
        return dict(zip(chosen, report.systems[0].items, strict=True))

    signatures: list[str] = []
    scored = score(["cefr", "meaning"], lambda text: text.original, 0)
    against = [
        score(["meaning"], lambda text, at=number: text.references[at], number + 1)  # type: ignore[misc]
        for number in range(most)
    ]
    items = {
        pair: _item(pair, gold[pair[0]], found, [other.get(pair) for other in against])
        for pair, found in scored.items()
        if found.error is None
    }
    errors = [
        f"{run.path}: {key!r} of {run.name}: {scored[key, text].error}"
        for run in runs
        for key, text in run.outputs.items()
        if (key, text) not in items
    ]
    table = {run.name: [items[pair] for pair in run.outputs.items() if pair in items] for run in runs}
    return ScoredRuns(table, errors, signatures[0])


def _item(pair: Pair, text: TaskText, found: ItemScore, against: Sequence[ItemScore | None]) -> TaskItem:
    kept = [other.scores["meaning"] for other in against if other is not None and other.error is None]
    level = found.scores["cefr"] if found.rows["cefr"][1] else None
    return TaskItem(
        pair[0],
        text.original,
        text.target,
        level,
        None if level is None else whole_level(level),
        found.scores["meaning"],
        max(kept) if kept else None,
    )
