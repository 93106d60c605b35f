"""Tables 3, 7, 9, 10 and 11 of Alva-Manchego, Scarton and Specia (2021) with our metrics, then the other ratings.

Absolute Pearson correlations, "ours / EASSE's". For Simplicity-DA (Tables 3 and 9) EASSE's come from its published
per-sentence values; for Structural Simplicity (7 and 10) and Table 11 they are the printed ones, which its public
values give, too (``benchmarks.metaeval.public``). The halves of Table
7 depend on the order of 833 ratings that equal the median; the table is printed with the authors' order and the
stable one.

    python -m benchmarks.metaeval.tables [--scenes] [--bertscore | --encoder FOLDER] [--ratings direct|structural]

``--scenes`` adds SAMSA, SEMA and their means (it parses 600 and 70 sources), ``--bertscore`` BERTScore by the shipped
encoder, ``--encoder`` by another one (the paper's is bert-base-uncased).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from benchmarks.metaeval import published
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import read_csv, read_pairs, read_references
from sema.evaluation.metaevaluation import HalvesRule, MetaEvaluation, metaevaluate
from sema.scoring.scorer import Scorer

PLAIN = ("bleu", "ibleu", "sari", "mean:bleu,sari", "gmean:bleu,sari", "fkbleu", "fkgl")
SCENES = ("samsa", "samsa_abl", "sema_base", "sema_part", "sema")
SCENE_MEANS = {"asset": ("mean:sari,samsa", "gmean:sari,samsa"), "hsplit": ("mean:bleu,samsa", "gmean:bleu,samsa")}
BERTSCORE = ("bertscore_p", "bertscore_r", "bertscore_f1")

Published = dict[str, dict[str, float]]
"""EASSE's absolute correlations: metric, split."""


def options_of(arguments: argparse.Namespace) -> dict[str, str]:
    """The paper's tokenizer, and the encoder if one is given."""
    return {"tokenizer": "moses", **({"model": arguments.encoder} if arguments.encoder else {})}


def our_scores(
    rows: Sequence[dict[str, str]], references: str, arguments: argparse.Namespace
) -> dict[str, list[float]]:
    """Our per-item scores of rated rows, by metric."""
    sources, columns = read_references()[references]
    lines = [int(row["sent_id"]) - 1 for row in rows]
    names = [*PLAIN, *(BERTSCORE if arguments.bertscore else ())]
    names += [*SCENE_MEANS[references], *SCENES] if arguments.scenes else []
    options = options_of(arguments)
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


def evaluate(
    rows: Sequence[dict[str, str]], column: str, scores: dict[str, list[float]], halves: HalvesRule = "authors"
) -> MetaEvaluation:
    """Correlate scores with a column of ratings, by halves and by system type."""
    ratings = [float(row[column]) for row in rows]
    return metaevaluate(ratings, scores, rating=column, groups=[row["sys_type"] for row in rows], halves=halves)


def reference_choices(rows: Sequence[dict[str, str]], arguments: argparse.Namespace) -> None:
    """Table 11: all 22 references, and those selected for the operations of each output."""
    sets = read_references()
    lines = [int(row["sent_id"]) - 1 for row in rows]
    names = ("hsplit", "turk", "asset")
    references = [[column[line] for name in names for column in sets[name][1]] for line in lines]
    sources, outputs = [sets["asset"][0][line] for line in lines], [row["simp_sent"] for row in rows]
    sizes = tuple(len(sets[name][1]) for name in names)
    values = {**published.REFERENCE_CHOICES, **(published.BERTSCORE_CHOICES if arguments.bertscore else {})}
    for title, chosen in (("all", None), ("selected", sizes)):
        metrics = list(values)
        scorer = Scorer("en", metrics, options=options_of(arguments), select_references=chosen)
        items = scorer.score(sources, outputs, references, keep_items=False).systems[0].items
        scores = {name: [item.scores[name] for item in items] for name in metrics}
        printed = {
            name: dict(zip(published.SPLITS, pair[chosen is not None], strict=True)) for name, pair in values.items()
        }
        show(f"table11_{title}", evaluate(rows, "simplicity_zscore", scores), published.SPLITS, printed)


def absolute(evaluation: MetaEvaluation) -> Published:
    """The absolute correlations of every metric and split."""
    return {
        metric: {split.name: abs(split.results[place].pearson.value) for split in evaluation.splits}
        for place, metric in enumerate(evaluation.metrics)
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables as Markdown."""
    parser = CommandLine(__doc__)
    parser.add_argument("--scenes", action="store_true", help="with SAMSA and SEMA")
    parser.add_argument("--bertscore", action="store_true", help="with BERTScore by the shipped encoder")
    parser.add_argument("--encoder", metavar="FOLDER", help="with BERTScore by this encoder")
    parser.add_argument("--ratings", choices=("direct", "structural"), help="one of the two sets of ratings alone")
    arguments = parser.parse(argv)
    arguments.bertscore |= bool(arguments.encoder)
    if arguments.ratings != "structural":
        direct(arguments)
    if arguments.ratings != "direct":
        structural(arguments)


def every(arguments: argparse.Namespace) -> int:
    """With ``--smoke`` every hundredth output."""
    return 100 if arguments.smoke else 1


def direct(arguments: argparse.Namespace) -> None:
    """Tables 3, 9 and 11, and the other ratings of Simplicity-DA."""
    pairs = read_pairs()[:: every(arguments)]
    rows = [pair.row for pair in pairs]
    scores = our_scores(rows, "asset", arguments)
    easse = {
        metric: [float(pair.published["asset"][published.COLUMNS[metric]]) for pair in pairs]
        for metric in scores
        if metric in published.COLUMNS
    }
    types = ("SBMT", "PBMT", "NeuralSeq2Seq", "Semantics+PBMT")
    names = {"simplicity": ("table3", "table9"), "fluency": ("da_fluency",) * 2, "meaning": ("da_meaning",) * 2}
    for aspect, numbers in names.items():
        column = f"{aspect}_zscore"
        evaluation, theirs = evaluate(rows, column, scores), absolute(evaluate(rows, column, easse))
        for table, splits in zip(numbers, (published.SPLITS, types), strict=True):
            show(table, evaluation, splits, theirs)

    reference_choices(rows, arguments)


def structural(arguments: argparse.Namespace) -> None:
    """Tables 7 and 10, and the other ratings of the same outputs."""
    rows = read_csv("ratings", "metaeval", "structural_simplicity.csv")[:: every(arguments)]
    scores = our_scores(rows, "hsplit", arguments)
    printed = {metric: published.structural(metric) for metric in scores}
    for column in ("structural_simplicity", "grammaticality", "meaning", "simplicity"):
        evaluation = evaluate(rows, column, scores)
        is_printed = column == "structural_simplicity"
        numbers = ("table7", "table10") if is_printed else (f"structural_{column}",) * 2
        for table, splits in zip(numbers, (published.SPLITS, published.TYPES), strict=True):
            show(table, evaluation, splits, printed if is_printed else {})
        if is_printed:
            stable = evaluate(rows, column, scores, "stable")
            show("table7_stable", stable, published.SPLITS, printed)


def show(table: str, evaluation: MetaEvaluation, splits: Sequence[str], theirs: Published) -> None:
    """Print one table: metrics down, splits across, absolute correlations."""
    chosen = [split for name in splits for split in evaluation.splits if split.name == name]
    if not chosen:
        return
    peers = {(metric, split): value for metric, values in theirs.items() for split, value in values.items()}
    data = "Structural Simplicity" if table.startswith(("table7", "table10", "structural")) else "Simplicity-DA"
    print(f"\n**{table}**, {evaluation.rating}; best: {', '.join(f'{split.name}: {split.best}' for split in chosen)}\n")
    figures = Figures(f"metaeval.{table}", "metric", peers=peers, peer_source="EASSE, as published", data=data)
    for place, metric in enumerate(evaluation.metrics):
        values = {split.name: abs(split.results[place].pearson.value) for split in chosen}
        figures.row(metric, values, n={split.name: split.n for split in chosen})


if __name__ == "__main__":
    run(main)
