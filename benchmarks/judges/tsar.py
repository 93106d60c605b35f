"""Agreement with the official metrics of the TSAR 2025 shared task, item by item and over runs.

    python -m benchmarks.judges.tsar [--record]

The official metrics of 48 runs on the task's 40 trial texts are public: three classifiers of CEFR levels, MeaningBERT
and BERTScore. `sema tsar` scores the same texts; nothing was trained or chosen on them. Runs are ranked by AutoRank,
with our figures and with theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from statistics import correlation

import numpy as np
from scipy import stats
from sema_tsar.runs import TaskRun, read_gold
from sema_tsar.scoring import score_runs
from sema_tsar.table import RANK, TaskItem, task_table

from benchmarks.records import CommandLine, Figures, run
from sema.datasets.folder import data_folder
from sema.model.levels import CEFR
from training.data.tables import table

DATA = "tsar2025/official_scores_by_item"
SMOKE = 3
"""Runs and texts of the smallest form."""


def classifier_levels(row: Mapping[str, str]) -> list[int]:
    """The level that each of the three classifiers finds most likely."""
    models = {name.rpartition("_")[0] for name in row if name.startswith("p_")}
    chances = [[float(row[f"{model}_{level}"]) for level in CEFR] for model in sorted(models)]
    return [int(np.argmax(chance)) + 1 for chance in chances]


def official_item(row: Mapping[str, str], ours: TaskItem) -> TaskItem:
    """Our item with the official metrics in place of ours."""
    level = CEFR.index(row["predicted_cefr"]) + 1
    meaning, similar = (100 * float(row[f"meaningbert_{side}"]) for side in ("orig", "ref"))
    return replace(ours, level=float(level), whole=level, meaning=meaning, similar=similar)


def main(argv: Sequence[str] | None = None) -> None:
    most = SMOKE if CommandLine(__doc__).parse(argv).smoke else None
    rows = list(table("tsar2025", "official_scores_by_item.tsv.gz"))
    names = list(dict.fromkeys(row["experiment_run"] for row in rows))[:most]
    texts = list(dict.fromkeys(row["text_id"] for row in rows))[:most]
    rows = [row for row in rows if row["experiment_run"] in names and row["text_id"] in texts]
    gold = read_gold(str(data_folder("tsar2025", "gold.tsv.gz")))
    runs = [
        TaskRun(name, DATA, {row["text_id"]: row["simplified"] for row in rows if row["experiment_run"] == name})
        for name in names
    ]
    ours = score_runs(runs, gold).items
    place = {(name, item.text_id): item for name, items in ours.items() for item in items}
    pairs = [(row, place[row["experiment_run"], row["text_id"]]) for row in rows]
    theirs = {
        name: [official_item(row, item) for row, item in pairs if row["experiment_run"] == name] for name in names
    }

    away = [[abs((item.whole or len(CEFR)) - level) for level in classifier_levels(row)] for row, item in pairs]
    within = {"level within one of a classifier's": [min(one) <= 1 for one in away],
              "level within one of every classifier's": [max(one) <= 1 for one in away],
              "level equal to a classifier's": [min(one) == 0 for one in away]}  # fmt: skip
    figures = {name: 100 * float(np.mean(those)) for name, those in within.items()}
    levels = [float(item.level or len(CEFR)) for _, item in pairs]
    figures["r of levels"] = correlation(levels, [float(np.mean(classifier_levels(row))) for row, _ in pairs])
    for side, value, name in (("orig", "meaning", "meaning"), ("ref", "similar", "bertscore_f1 with the reference")):
        predicted = [float(getattr(item, value)) for _, item in pairs]
        for metric in ("meaningbert", "bertscore_f1"):
            official = [float(row[f"{metric}_{side}"]) for row, _ in pairs]
            figures[f"r of {name} with {metric}_{side}"] = correlation(predicted, official)
    tables = [task_table(predicted, texts=len(texts), samples=1) for predicted in (ours, theirs)]
    for figure in tables[0][0].scores:
        both = ([row.scores[figure].value for row in sorted(own, key=attrgetter("name"))] for own in tables)
        figures[f"rho over runs, {figure}"] = float(stats.spearmanr(*both).statistic)
    shown = Figures("levels.tsar", "texts", digits=dict.fromkeys(within, 1), data=DATA,
                    aims={f"rho over runs, {RANK}": 0.85})  # fmt: skip
    shown.row("official metrics", figures, n=len(pairs))


if __name__ == "__main__":
    run(main)
