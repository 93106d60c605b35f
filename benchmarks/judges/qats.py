"""Quality estimation on QATS 2016: Mathias' system rebuilt, the best estimator, and transfer to other sets.

    python -m benchmarks.judges.qats [--parts 1,2|3]

The parts are: 1, the rebuilt system; 2, the best estimator on QATS; 3, transfer to other sets. Without ``--parts``
those of QATS alone are printed, which takes about a minute of processor time; transfer analyses thousands of pairs
(``--sets`` names the sets).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.stats import pearsonr

from benchmarks.judges import mathias
from benchmarks.papers import TABLES
from benchmarks.records import CommandLine, Figures, cells, run
from sema.datasets.folder import data_folder
from sema.judges.examples import bare
from sema.judges.metrics import shipped_judge
from sema.judges.training import Agreement, Examples, Trained, classes, pearson, train_judge
from training.data.rated_aspects import REPORTED, qats, training_sets
from training.english.judges import IGNORED, SCALE_SET, PairFeatures, in_units_of

AIMS = {"fluency": (0.50, 77), "meaning": (0.63, 72), "simplicity": (0.60, 63), "overall": (0.46, 55)}
DA_AIMS = {"fluency": 0.60, "simplicity": 0.50}
LEADERBOARDS = {"fluency": "grammaticality", "meaning": "meaning", "simplicity": "simplicity", "overall": "overall"}
PUBLISHED = {("simplicity of Simplicity-DA, by simplicity", "r"): 0.573}


class Bench:
    """The features of pairs; at most ``most`` pairs of every set."""

    def __init__(self, most: int | None = None) -> None:
        data_folder("ratings", "qats2016")
        self.pairs, self.most = PairFeatures(), most

    def examples(self, pairs: list) -> Examples:
        return self.pairs.examples(pairs[: self.most])


def rebuilt(bench: Bench) -> None:
    """Tables 2 to 5 of the paper beside ours."""
    print("\nThe system of Mathias and Bhattacharyya (2016), rebuilt; training: ten folds as Weka makes them\n")
    source = "Mathias and Bhattacharyya (2016), Tables 2 to 5"
    tables = {
        name: Figures(f"qats.{name}", name, digits=2, peers=cells(printed, mathias.COLUMNS), peer_source=source,
                      data="QATS")
        for name, printed in TABLES["mathias2016"].items()
    }  # fmt: skip

    def rows(name: str, predicted: tuple[np.ndarray, np.ndarray], truth: tuple[np.ndarray, np.ndarray]) -> None:
        majority = np.bincount(truth[0]).argmax()
        for label, ours, theirs in zip(("train", "test"), predicted, truth, strict=True):
            for table, labels in (("rebuilt", ours), ("majority", np.full(len(theirs), majority))):
                tables[table].row(f"{name}, {label}", mathias.row(labels, theirs), n=len(theirs))

    predictions, values = {}, {}
    for aspect, names in mathias.FEATURES.items():
        train, test = (bench.examples(qats(aspect, part)).columns(names) for part in ("train", "test"))
        values[aspect] = train.table, test.table
        predictions[aspect] = mathias.measure(values[aspect][0], classes(train.targets), values[aspect][1])
        rows(aspect, predictions[aspect], (classes(train.targets), classes(test.targets)))
    train, test = (bench.examples(qats("overall", part)) for part in ("train", "test"))
    truth = classes(train.targets), classes(test.targets)
    by_class = [np.column_stack(parts) for parts in zip(*predictions.values(), strict=True)]
    by_value = [np.column_stack([known, *parts]) for known, *parts in zip(by_class, *values.values(), strict=True)]
    for name, (known, asked) in {"overall, classes": by_class, "overall, values": by_value}.items():
        rows(name, mathias.measure(known, truth[0], asked), truth)


def leaders(folder: Path, aspect: str) -> tuple[float, float]:
    """The best Pearson and the best accuracy of the shared task's leaderboards."""
    files = (folder / f"{LEADERBOARDS[aspect]}_{figures}.txt" for figures in ("pearson", "acc+mae+rmse+wf"))
    best, accurate = (file.read_text(encoding="utf-8") for file in files)
    return float(best.split()[0]), float(re.findall(r"\n([\d.]+)", accurate)[0])


def best(bench: Bench, trained: dict[str, Trained]) -> None:
    """Every estimator on QATS test, trained on QATS train alone, beside the leaderboards."""
    print("\nTrained on QATS train alone; the estimator is chosen by cross-validation over sources\n")
    chosen = Figures("qats.estimators", "estimator; cross-validated r", data="QATS train")
    for name in trained["fluency"].compared:
        chosen.row(name, {aspect: own.compared[name].pearson for aspect, own in trained.items()})
    print()
    leading = {aspect: leaders(data_folder("ratings", "qats2016"), aspect) for aspect in AIMS}
    aims, peers = (cells(known, ("r", "accuracy, %")) for known in (AIMS, leading))
    table = Figures("qats.test", "aspect", digits={"accuracy, %": 1, "MAE": 2, "RMSE": 2}, aims=aims, peers=peers,
                    peer_source="the shared task's leaderboards, the best of each", data="QATS test")  # fmt: skip
    for aspect, own in trained.items():
        test = bench.examples(qats(aspect, "test")).columns(own.judge.features)
        raw = own.judge.raw(test.table)
        got = Agreement.of(raw, test.targets, own.judge.scale)
        correct = own.judge.scale.probabilities(raw).argmax(axis=1) == classes(test.targets)
        draws = np.random.default_rng(0).integers(0, len(correct), (1000, len(correct)))
        low, high = (np.percentile(correct[draws].mean(axis=1), [2.5, 97.5]) * 100).tolist()
        figures = {"r": pearson(raw, test.targets), "accuracy, %": got.accuracy, "MAE": got.mae, "RMSE": got.rmse}
        intervals = {"r": tuple(pearsonr(raw, test.targets).confidence_interval()), "accuracy, %": (low, high)}
        table.row(aspect, figures, n=len(test), intervals=intervals)


def transfer(bench: Bench, names: Sequence[str]) -> None:
    """The shipped judges on sets that they were not trained on."""
    print("\nThe shipped judges on other sets; unseen: pairs whose source is in no training pair\n")
    aims = {(f"{aspect} of Simplicity-DA, by {aspect}", "r"): aim for aspect, aim in DA_AIMS.items()}
    table = Figures("qats.transfer", "rating, judge", digits={"unseen pairs": 0}, aims=aims, peers=PUBLISHED,
                    peer_source="LENS-SALSA on Simplicity-DA's simplicity")  # fmt: skip
    for name in names:
        for aspect in ("simplicity",) if name == "SimpEval_past" else ("fluency", "simplicity"):
            examples = bench.examples(REPORTED[name](aspect))
            known = {bare(pair.source) for pair in training_sets(aspect)}
            fresh = np.array([source not in known for source in examples.sources])
            for judge_of in ("fluency",) if aspect == "fluency" else ("simplicity", "fluency", "overall"):
                judge = shipped_judge("en", judge_of)
                raw = judge.raw(examples.columns(judge.features).table)
                rating = "quality" if name == "SimpEval_past" else aspect
                apart = pearson(raw[fresh], examples.targets[fresh]) if fresh.any() else None
                figures = {"r": pearson(raw, examples.targets), "r, unseen": apart, "unseen pairs": float(fresh.sum())}
                intervals = {"r": tuple(pearsonr(raw, examples.targets).confidence_interval())}
                table.row(f"{rating} of {name}, by {judge_of}", figures, n=len(examples), intervals=intervals)


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--sets", default="QATS test,Simplicity-DA,ASSET,SimpEval_past,llm2025")
    parser.add_argument("--parts", default="1,2", help="which parts to print")
    arguments = parser.parse(argv)
    if arguments.smoke:
        arguments.sets, arguments.parts = "QATS test", "3"
    bench = Bench(3 if arguments.smoke else None)
    wanted = set(arguments.parts.split(","))
    parts = bench.pairs.parts
    print(f"{parts.extractor.signature}, {parts.aligner.signature}")
    if "1" in wanted:
        rebuilt(bench)
    if "2" in wanted:
        trained = {}
        for aspect in AIMS:
            examples = in_units_of(bench.examples(qats(aspect, "train")), SCALE_SET)
            examples = examples.columns([name for name in examples.names if name not in IGNORED])
            trained[aspect] = train_judge(examples, aspect, "en", [group.name for group in bench.pairs.features.groups])
        best(bench, trained)
    if "3" in wanted:
        transfer(bench, [name for name in arguments.sets.split(",") if name])


if __name__ == "__main__":
    run(main)
