"""Tables 3, 7, 9, 10 and 11 of Alva-Manchego, Scarton and Specia (2021) with our metrics, then the other ratings.

Absolute Pearson correlations, "ours / EASSE's". For Simplicity-DA (Tables 3 and 9) EASSE's come from its published
per-sentence values; for Structural Simplicity (7 and 10) and Table 11 they are the printed ones. The halves of Table 7
hang on how 833 ratings that equal the median are ordered; it is printed by the authors' rule and by the stable one.

    python benchmarks/metaeval/tables.py [--scenes] [--encoder FOLDER]

``--scenes`` adds SAMSA, SEMA and their means (it parses 600 and 70 sources); ``--encoder`` adds BERTScore.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [
    str(ROOT),
    str(ROOT / "parsers"),
    str(ROOT / "lexicons"),
    str(ROOT / "benchmarks"),
    str(Path(__file__).parent),
]

import published  # noqa: E402
from simplicity_da import DATA, read_csv, read_pairs, read_references  # noqa: E402

from sema.display.tables import Table, number, to_markdown  # noqa: E402
from sema.evaluation.metaevaluation import HalvesRule, MetaEvaluation, metaevaluate  # noqa: E402
from sema.scoring.scorer import Scorer  # noqa: E402

PLAIN = ("bleu", "ibleu", "sari", "mean:bleu,sari", "gmean:bleu,sari", "fkbleu", "fkgl")
SCENES = ("samsa", "samsa_abl", "sema_base", "sema_part", "sema")
SCENE_MEANS = {"asset": ("mean:sari,samsa", "gmean:sari,samsa"), "hsplit": ("mean:bleu,samsa", "gmean:bleu,samsa")}
BERTSCORE = ("bertscore_p", "bertscore_r", "bertscore_f1")

Published = dict[str, dict[str, float]]
"""EASSE's absolute correlations: metric, split."""


def our_scores(
    rows: Sequence[dict[str, str]], references: str, arguments: argparse.Namespace
) -> dict[str, list[float]]:
    """Our per-item scores of rated rows, by metric."""
    sources, columns = read_references()[references]
    lines = [int(row["sent_id"]) - 1 for row in rows]
    names = [*PLAIN, *(BERTSCORE if arguments.encoder else ())]
    names += [*SCENE_MEANS[references], *SCENES] if arguments.scenes else []
    options = {"tokenizer": "moses", **({"bertscore.model": arguments.encoder} if arguments.encoder else {})}
    outputs = [row["simp_sent"] for row in rows]
    scores: dict[str, list[float]] = {}
    # Reference-based metrics read the reference set's own source line, as the paper's did (HSplit's is in lower case);
    # Scenes come from the sentence that the raters saw.
    for group, texts in (
        ([name for name in names if "samsa" not in name and "sema" not in name], [sources[line] for line in lines]),
        ([name for name in names if "samsa" in name or "sema" in name], [row["orig_sent"] for row in rows]),
    ):
        if group:
            scorer = Scorer("en", group, options=options)
            report = scorer.score(texts, outputs, [[column[line] for column in columns] for line in lines])
            for name in group:
                scores[name] = [item.scores[name] for item in report.systems[0].items]
    return {name: scores[name] for name in names}


def table(title: str, found: MetaEvaluation, splits: Sequence[str], theirs: Published) -> Table:
    """One of the paper's tables: metrics down, splits across, ``ours / EASSE's`` in the cells."""
    chosen = [split for name in splits for split in found.splits if split.name == name]
    rows = [
        [
            metric,
            *(
                f"{number(abs(split.results[place].pearson.value), 3)} / "
                f"{number(theirs.get(metric, {}).get(split.name, float('nan')), 3)}"
                for split in chosen
            ),
        ]
        for place, metric in enumerate(found.metrics)
    ]
    best = ", ".join(f"{split.name}: {split.best}" for split in chosen)
    return Table(
        title, ["metric", *(f"{split.name} (N={split.n})" for split in chosen)], rows, [f"Ours, best: {best}."]
    )


def evaluate(
    rows: Sequence[dict[str, str]], column: str, scores: dict[str, list[float]], halves: HalvesRule = "authors"
) -> MetaEvaluation:
    """Correlate scores with a column of ratings, by halves and by system type."""
    ratings = [float(row[column]) for row in rows]
    return metaevaluate(ratings, scores, rating=column, groups=[row["sys_type"] for row in rows], halves=halves)


def reference_choices(rows: Sequence[dict[str, str]]) -> None:
    """Table 11: all 22 references, and those that fit what each output did."""
    sets = read_references()
    lines = [int(row["sent_id"]) - 1 for row in rows]
    names = ("hsplit", "turk", "asset")
    references = [[column[line] for name in names for column in sets[name][1]] for line in lines]
    sources, outputs = [sets["asset"][0][line] for line in lines], [row["simp_sent"] for row in rows]
    sizes = tuple(len(sets[name][1]) for name in names)
    for title, chosen in (("all references", None), ("selected references", sizes)):
        metrics = list(published.REFERENCE_CHOICES)
        scorer = Scorer("en", metrics, options={"tokenizer": "moses"}, select_references=chosen)
        items = scorer.score(sources, outputs, references, keep_items=False).systems[0].items
        scores = {name: [item.scores[name] for item in items] for name in metrics}
        printed = {
            name: dict(zip(published.SPLITS, pair[chosen is not None], strict=True))
            for name, pair in published.REFERENCE_CHOICES.items()
        }
        show(f"Table 11: {title}", evaluate(rows, "simplicity_zscore", scores), published.SPLITS, printed)


def absolute(found: MetaEvaluation) -> Published:
    """The absolute correlations of every metric and split."""
    return {
        metric: {split.name: abs(split.results[place].pearson.value) for split in found.splits}
        for place, metric in enumerate(found.metrics)
    }


def main() -> None:
    """Print the tables as Markdown."""
    parser = argparse.ArgumentParser(description="Tables of Alva-Manchego, Scarton and Specia (2021)")
    parser.add_argument("--scenes", action="store_true", help="with SAMSA and SEMA")
    parser.add_argument("--encoder", metavar="FOLDER", help="with BERTScore on this encoder")
    arguments = parser.parse_args()
    halves = ("low", "high", "all")

    pairs = read_pairs()
    rows = [pair.row for pair in pairs]
    scores = our_scores(rows, "asset", arguments)
    easse = {
        metric: [float(pair.published["asset"][published.COLUMNS[metric]]) for pair in pairs]
        for metric in scores
        if metric in published.COLUMNS
    }
    types = ("SBMT", "PBMT", "NeuralSeq2Seq", "Semantics+PBMT")
    names = {"simplicity_zscore": ("Table 3", "Table 9"), "fluency_zscore": ("", ""), "meaning_zscore": ("", "")}
    for column, numbers in names.items():
        found, theirs = evaluate(rows, column, scores), absolute(evaluate(rows, column, easse))
        for label, splits in zip(numbers, (halves, types), strict=True):
            show(f"{label}: Simplicity-DA, {column}", found, splits, theirs)

    reference_choices(rows)
    rows = read_csv(DATA / "ratings/metaeval/structural_simplicity.csv")
    scores = our_scores(rows, "hsplit", arguments)
    printed = {metric: published.structural(metric) for metric in scores}
    for column in ("structural_simplicity", "grammaticality", "meaning", "simplicity"):
        found = evaluate(rows, column, scores)
        is_printed = column == "structural_simplicity"
        labels = ("Table 7", "Table 10") if is_printed else ("", "")
        for label, splits in zip(labels, (halves, published.TYPES), strict=True):
            show(f"{label}: Structural Simplicity, {column}", found, splits, printed if is_printed else {})
        if is_printed:
            stable = evaluate(rows, column, scores, "stable")
            show("Table 7 with equal ratings in the file's order", stable, halves, printed)


def show(title: str, found: MetaEvaluation, splits: Sequence[str], theirs: Published) -> None:
    """Print one table."""
    print(to_markdown(table(title.removeprefix(": "), found, splits, theirs)), end="\n\n")


if __name__ == "__main__":
    main()
