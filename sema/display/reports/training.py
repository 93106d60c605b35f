"""The report of a judge's training, as Markdown."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.stats import pearsonr

from sema.display.pictures.pages import rendered
from sema.judges.model import LABELS
from sema.judges.training import Trained, classes


def training_report(trained: Trained) -> str:
    """Markdown: what was trained on, every estimator's cross-validated figures, classes and what matters."""
    from sklearn.metrics import confusion_matrix

    examples, judge = trained.examples, trained.judge
    truth = classes(examples.targets)
    labels = judge.scale.probabilities(trained.out_of_fold).argmax(axis=1)
    counts = confusion_matrix(truth, labels, labels=range(len(LABELS)))
    return rendered(
        "training.md",
        trained=trained,
        judge=judge,
        examples=examples,
        sets=", ".join(f"{name or 'ratings'} {count}" for name, count in Counter(examples.sets).items()),
        interval=pearsonr(trained.out_of_fold, examples.targets).confidence_interval(),
        majority=100 * np.bincount(truth).max() / len(examples),
        labels=LABELS,
        confusion=list(zip(LABELS, counts.tolist(), strict=True)),
    )
