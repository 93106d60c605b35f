"""The report that goes with a trained judge."""

from __future__ import annotations

from collections import Counter

import numpy as np

from sema.judges.model import LABELS
from sema.judges.training import Trained, classes, confusion, pearson

SHOWN_FEATURES = 15
SAMPLES = 1000


def interval(first: np.ndarray, second: np.ndarray, *, samples: int = SAMPLES, seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of Pearson's correlation by bootstrap over the items."""
    draws = np.random.default_rng(seed).integers(0, len(first), (samples, len(first)))
    found = [pearson(first[draw], second[draw]) for draw in draws]
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def training_report(trained: Trained) -> str:
    """Markdown: what was trained on, every estimator's cross-validated figures, classes and what matters."""
    examples, judge = trained.examples, trained.judge
    low, high = interval(trained.out_of_fold, examples.targets)
    labels = judge.scale.probabilities(trained.out_of_fold).argmax(axis=1)
    sets = ", ".join(f"{name or 'ratings'} {count}" for name, count in Counter(examples.sets).items())
    lines = [
        f"# Judge of {judge.aspect} ({judge.language})",
        "",
        f"{len(examples)} rated pairs ({sets}) of {len(set(examples.sources))} sources; {len(examples.names)} features "
        f"of {', '.join(judge.groups)}.",
        "All figures are cross-validated: the judge of a pair has not seen its source.",
        "",
        "| estimator | Pearson | MAE | RMSE | accuracy % |",
        "|---|---|---|---|---|",
    ]
    for name, found in trained.compared.items():
        chosen = " (chosen)" if name == trained.estimator else ""
        lines.append(
            f"| {name}{chosen} | {found.pearson:.3f} | {found.mae:.2f} | {found.rmse:.2f} | {found.accuracy:.1f} |"
        )
    majority = 100 * max(Counter(classes(examples.targets).tolist()).values()) / len(examples)
    lines += [
        "",
        f"Chosen: {trained.estimator}; 95 % interval of its correlation over all pairs {low:.3f} to {high:.3f}, "
        f"by bootstrap. The largest class has {majority:.1f} % of the pairs.",
        "",
        f"| people \\ judge | {' | '.join(LABELS)} |",
        "|---|---|---|---|",
    ]
    for label, row in zip(LABELS, confusion(labels, classes(examples.targets)), strict=True):
        lines.append(f"| {label} | {' | '.join(map(str, row))} |")
    lines += [
        "",
        "What matters (correlation lost when the feature is shuffled):",
        "",
        "| feature | loss |",
        "|---|---|",
    ]
    lines += [f"| {name} | {loss:.4f} |" for name, loss in list(trained.importance.items())[:SHOWN_FEATURES]]
    return "\n".join(lines) + "\n"
