"""CEFR levels against teachers' levels and CLEAR's easiness, and OneStopEnglish's versions of an article in order.

    python -m benchmarks.judges.cefr [--parts sentences excerpts passages] [--every N] [--smoke] [--record]

Levels come from the scorer, for the texts as they are in the files. FKGL and the number of words are printed for
comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import correlation

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score, f1_score

from benchmarks.records import CommandLine, Figures, run
from sema import Scorer
from sema.datasets.folder import data_folder
from training.data.corpora import articles, read_rated
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


def whole(values: Numbers) -> NDArray[np.int64]:
    """Whole levels, halves rounded up."""
    return np.clip(np.floor(values + 0.5), 1, LEVELS).astype(np.int64)


def by_level(gold: NDArray[np.int64], predicted: NDArray[np.int64], how: str = "") -> dict[str, float]:
    """Cohen's kappa with quadratic weights, and the mean F1 of the levels that occur among the gold ones."""
    macro = f1_score(gold, predicted, labels=np.unique(gold), average="macro", zero_division=0)
    return {
        f"kappa{how}": float(cohen_kappa_score(gold, predicted, weights="quadratic")), f"macro F1{how}": float(macro),
    }  # fmt: skip


def figures(levels: Numbers, predicted: Numbers) -> dict[str, float]:
    """All figures of one set: predicted levels (texts) against the annotators' (texts, annotators)."""
    mean = levels.mean(1)
    near = np.abs(whole(predicted)[:, None] - levels) <= 1
    even = np.clip(np.rint(mean), 1, LEVELS).astype(np.int64)  # as NumPy rounds
    return {
        "r": correlation(mean, predicted),
        "within one": 100 * float(near.any(1).mean()),
        **by_level(whole(mean), whole(predicted)),
        **by_level(whole(mean), whole(predicted + HALF_STEP), ", cuts midway"),
        **by_level(even, whole(predicted), ", halves to even"),
    }


def agreement(levels: Numbers) -> dict[str, float]:
    """The figures of one teacher against the other; empty if only one rated."""
    if levels.shape[1] < 2:
        return {}
    first, second = levels[:, 0], levels[:, 1]
    return {"r": correlation(first, second), **by_level(whole(first), whole(second))}


def scores(scorer: Scorer, texts: Sequence[str]) -> tuple[Numbers, Numbers]:
    items = scorer.score(texts, texts, keep_items=False).systems[0].items
    return np.array([item.scores["cefr"] for item in items]), np.array([item.scores["fkgl"] for item in items])


def sentences(*, smoke: bool) -> None:
    """Single sentences against their teachers' levels."""
    scorer = Scorer("en", ["cefr", "fkgl"])
    for name, (file, aims) in SETS.items():
        texts, levels = read_rated(data_folder("readability", file))
        if smoke:
            texts, levels = texts[:: len(texts) // SMOKE], levels[:: len(levels) // SMOKE]
        predicted, grades = scores(scorer, texts)
        found = figures(levels, predicted)
        table = Figures(
            "levels.sentences", "set", digits={"within one": 1}, data=file, peers=agreement(levels),
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
    hard, published = [-float(row["BT_easiness"]) for row in rows], [float(row["CAREC_M"]) for row in rows]
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
        values = {version: own[place] for version, own in by_version.items()}
        right = np.mean([harder > easier for harder, easier in combinations(values.values(), 2)])
        shown = {name: float(values[version].mean()) for version, name in means.items()}
        table.row(figure, {"in order": 100 * float(right), **shown}, n=count)


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
