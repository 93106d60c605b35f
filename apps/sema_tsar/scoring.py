"""Scores runs of the TSAR 2025 shared task: every different output once, against its original and its references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sema import Scorer
from sema.model.levels import whole_level
from sema_tsar.runs import TaskRun, TaskText
from sema_tsar.table import TaskItem

SIMILAR = "bertscore_f1"
"""The metric of similarity to the references; these, too, leave content out, which ``meaning`` would count."""


@dataclass(frozen=True)
class ScoredRuns:
    """The items of every run, the errors of outputs that could not be scored, and the scorer's signature."""

    items: Mapping[str, Sequence[TaskItem]]
    errors: Sequence[str]
    signature: str


def score_runs(
    runs: Sequence[TaskRun], gold: Mapping[str, TaskText], *, lang: str = "en", progress: Any = None, **options: Any
) -> ScoredRuns:
    """Levels, meaning and nearness to the references of all runs' outputs; an output of several runs is scored once.

    References count if every submitted text has one. ``options`` are the scorer's.
    """
    # Outputs for one text stand together, so that the text is analysed once.
    pairs = sorted({(key, text) for run in runs for key, text in run.outputs.items() if isinstance(text, str)})
    references = [gold[key].references for key, _ in pairs]
    metrics = ["cefr", "meaning", *([SIMILAR] if all(references) else [])]
    report = Scorer(lang, metrics, level="passage", **options).score(
        [gold[key].original for key, _ in pairs],
        [text for _, text in pairs],
        references if all(references) else None,
        collect_errors=True,
        keep_items=False,
        progress=progress,
    )
    items: dict[tuple[str, str], TaskItem | str] = {}
    for pair, item in zip(pairs, report.systems[0].items, strict=True):
        if item.error is not None:
            items[pair] = item.error
            continue
        text, scores = gold[pair[0]], item.scores
        level = scores["cefr"] if item.rows["cefr"][1] else None
        measured = (level, None if level is None else whole_level(level), scores["meaning"], scores.get(SIMILAR))
        items[pair] = TaskItem(pair[0], text.original, text.target, *measured)
    table: dict[str, list[TaskItem]] = {run.name: [] for run in runs}
    errors = []
    for run in runs:
        for key, output in run.outputs.items():
            found = items[key, output] if isinstance(output, str) else output
            if isinstance(found, TaskItem):
                table[run.name].append(found)
            else:
                errors.append(f"{run.path}: {key!r} of {run.name}: {found}" if isinstance(found, str) else str(found))
    return ScoredRuns(table, errors, report.signature)
