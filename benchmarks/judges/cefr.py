"""CEFR levels against teachers' levels and CLEAR's easiness, and OneStopEnglish's versions of an article in order.

    python -m benchmarks.judges.cefr [--parts sentences excerpts passages] [--every N] [--smoke] [--record]

Levels come from the scorer, for the texts as they are in the files. FKGL and the number of words are printed for
comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import correlation

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score, f1_score

from benchmarks.records import CommandLine, Figures, run
from sema import Scorer
from sema.datasets.folder import data_folder
from training.data.levels_data import read_rated
from training.data.onestopenglish import articles
from training.data.tables import table as rows_of

Numbers = NDArray[np.float64]

SETS = {
    "CEFR-SP wiki dev": ("cefr_sp_wiki_dev.tsv", {"within one": 97.0, "kappa": 0.80, "macro F1": 0.55}),
    "CEFR-SP SCoRE (benchmark only)": ("cefr_sp_score_benchmark.tsv", {}),
    "README++ English dev (benchmark only)": ("readme_en_dev.tsv", {"r": 0.75}),
}
"""The file of each set, and its aims."""
LEVELS = 6
HALF_STEP = 0.25
"""Half the distance between two possible means of two teachers' levels. Means of 3.5 and 4 both round to 4, so the cut
midway between the means that count as 3 and those that count as 4 is at 3.25."""
SMOKE = 8
VERSIONS = {"adv": "advanced", "int": "intermediate", "ele": "elementary"}
"""The versions of an article, hardest first."""
DIGITS = {"within one": 1}


def read(name: str) -> tuple[list[str], Numbers]:
    """A set's texts and its annotators' levels (texts, annotators)."""
    return read_rated(data_folder("readability", name))


def whole(values: Numbers) -> NDArray[np.int64]:
    """Whole levels, halves rounded up."""
    return np.clip(np.floor(values + 0.5), 1, LEVELS).astype(np.int64)


def even(values: Numbers) -> NDArray[np.int64]:
    """Whole levels, halves rounded to the even level, as NumPy rounds."""
    return np.clip(np.rint(values), 1, LEVELS).astype(np.int64)


def kappa(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Cohen's kappa with quadratic weights."""
    return float(cohen_kappa_score(first, second, weights="quadratic"))


def macro_f1(gold: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    """The mean F1 of the levels that occur among the gold ones."""
    return float(f1_score(gold, predicted, labels=np.unique(gold), average="macro", zero_division=0))


def figures(levels: Numbers, predicted: Numbers) -> dict[str, float]:
    """All figures of one set: predicted levels (texts) against the annotators' (texts, annotators)."""
    mean = levels.mean(1)
    raised = whole(predicted + HALF_STEP)
    near = np.abs(whole(predicted)[:, None] - levels) <= 1
    midway = {"kappa, cuts midway": kappa(whole(mean), raised), "macro F1, cuts midway": macro_f1(whole(mean), raised)}
    return {
        "r": correlation(mean, predicted),
        "within one": 100 * float(near.any(1).mean()),
        "kappa": kappa(whole(mean), whole(predicted)),
        "macro F1": macro_f1(whole(mean), whole(predicted)),
        **midway,
        "kappa, halves to even": kappa(even(mean), whole(predicted)),
        "macro F1, halves to even": macro_f1(even(mean), whole(predicted)),
    }


def agreement(levels: Numbers) -> dict[str, float]:
    """The figures of one teacher against the other; empty if only one rated."""
    if levels.shape[1] < 2:
        return {}
    first, second = whole(levels[:, 0]), whole(levels[:, 1])
    return {
        "r": correlation(levels[:, 0], levels[:, 1]),
        "kappa": kappa(first, second),
        "macro F1": macro_f1(first, second),
    }


def scores(scorer: Scorer, texts: Sequence[str]) -> tuple[Numbers, Numbers]:
    """The level and the FKGL of each text."""
    report = scorer.score(texts, texts, keep_items=False)
    items = report.systems[0].items
    return np.array([item.scores["cefr"] for item in items]), np.array([item.scores["fkgl"] for item in items])


def ordered(versions: Iterable[Sequence[float]]) -> tuple[int, int]:
    """How many pairs of versions of an article (given hardest first) are in order, and the number of pairs."""
    pairs = [
        first > second for levels in versions for place, first in enumerate(levels) for second in levels[place + 1 :]
    ]
    return sum(pairs), len(pairs)


def sentences(*, smoke: bool) -> None:
    """Single sentences against their teachers' levels."""
    scorer = Scorer("en", ["cefr", "fkgl"])
    for name, (file, aims) in SETS.items():
        texts, levels = read(file)
        if smoke:
            texts, levels = texts[:: len(texts) // SMOKE], levels[:: len(levels) // SMOKE]
        predicted, grades = scores(scorer, texts)
        found = figures(levels, predicted)
        table = Figures(
            "levels.sentences", "set", digits=DIGITS, data=file, peers=agreement(levels),
            aims={figure: aims[plain] for figure in found if (plain := figure.partition(",")[0]) in aims},
            peer_source="one teacher against the other",
        )  # fmt: skip
        others = {"FKGL": grades, "words": np.array([len(text.split()) for text in texts], float)}
        found |= {f"r of {other}": correlation(levels.mean(1), values) for other, values in others.items()}
        table.row(name, found, n=len(texts))


def excerpts(*, smoke: bool, every: int) -> None:
    """CLEAR's excerpts: levels against the easiness that teachers found in pairs of them."""
    file = "clear.tsv.gz"
    rows = list(rows_of("readability", file))[:: 4724 // SMOKE if smoke else every]
    scorer = Scorer("en", ["cefr", "fkgl"], level="passage")
    predicted, grades = scores(scorer, [row["Excerpt"] for row in rows])
    hard = -np.array([float(row["BT_easiness"]) for row in rows])
    published = np.array([float(row["CAREC_M"]) for row in rows])
    table = Figures("levels.excerpts", "r with difficulty", aims={("cefr", "r"): 0.75}, data=file)
    for name, values in {"cefr": predicted, "FKGL": grades, "CAREC-M (its authors')": published}.items():
        table.row(name, {"r": correlation(hard, values)}, n=len(rows))


def passages(*, smoke: bool) -> None:
    """Whole articles of OneStopEnglish that the levels of passages were not fitted to: are their versions in order?"""
    versions = {version: texts[1::2] for version, texts in articles().items()}
    count = SMOKE // 4 if smoke else len(versions["adv"])
    scorer = Scorer("en", ["cefr", "fkgl"], level="passage")
    by_version = {version: scores(scorer, versions[version][:count]) for version in VERSIONS}
    means = {version: f"mean, {name}" for version, name in VERSIONS.items()}
    digits = {"in order": 1, **dict.fromkeys(means.values(), 2)}
    table = Figures("levels.passages", "by", digits=digits, aims={("cefr", "in order"): 97.0}, data="OneStopEnglish")
    for place, figure in enumerate(("cefr", "FKGL")):
        right, pairs = ordered(zip(*(by_version[version][place] for version in VERSIONS), strict=True))
        shown = {name: float(by_version[version][place].mean()) for version, name in means.items()}
        table.row(figure, {"in order": 100 * right / pairs, **shown}, n=count)


def main(argv: Sequence[str] | None = None) -> None:
    parts = {"sentences": sentences, "excerpts": excerpts, "passages": passages}
    command = CommandLine(__doc__)
    command.add_argument("--every", type=int, default=1, help="read every nth excerpt of CLEAR")
    command.add_argument("--parts", nargs="+", choices=parts, default=list(parts))
    arguments = command.parse(argv)
    for part in arguments.parts:
        more = {"every": arguments.every} if part == "excerpts" else {}
        parts[part](smoke=arguments.smoke, **more)


if __name__ == "__main__":
    run(main)
