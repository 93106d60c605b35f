"""Does a metric fall when a good simplification is damaged, and stay the same when it is only reworded?

    python -m benchmarks.judges.perturbation en|zh [--pairs 300] [--metrics meaning,sema,...] [--texts N]

For every kind of :mod:`benchmarks.judges.perturbation_kinds`: the share of pairs in which the good text has the higher
score, in percent (a tie counts half), and for the controls the points that rewording gains or costs on average and in
the worst tenth. English: simplifications 0 to 2 of TurkCorpus tune and test; Chinese: simplifications 0 and 1 of MCTS
dev. Metrics that need references get the other people's simplifications of the same original.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean, quantiles

from benchmarks.judges.chinese_perturbation import chinese_perturbations
from benchmarks.judges.english_perturbation import english_perturbations
from benchmarks.judges.perturbation_kinds import (
    CONTROLS,
    KINDS,
    CleanExample,
    Perturbations,
    clean_examples,
    ranked_right,
)
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import simplification
from sema import Scorer
from sema.analysis.analyser import Analyser
from sema.languages import find_language
from sema.model.item import Need
from sema.model.text import Text

SEED = 20
METRICS = ("meaning", "meaning_recall", "meaning_precision", "sema", "bleu", "sari", "stem_recall", "copied")
LANGUAGES = {
    "en": (("turkcorpus/tune.truecase.detok", "turkcorpus/test.truecase.detok"), 8, 3),
    "zh": (("mcts/dataset/mcts.dev",), 5, 2),
}
"""File name prefixes, the number of simplifications of each original, and how many of these are used as good texts."""


def corpus(lang: str) -> list[tuple[str, str, list[str]]]:
    """Originals with one person's simplification and the other people's, in random order."""
    files, count, used = LANGUAGES[lang]
    triples: list[tuple[str, str, list[str]]] = []
    for name in files:
        parts = ("orig", *(f"simp.{number}" for number in range(count)))
        columns = [simplification(f"{name}.{part}") for part in parts]
        for number in range(used):
            for original, *simplified in zip(*columns, strict=True):
                triples.append((original, simplified.pop(number), simplified))
    Random(SEED).shuffle(triples)
    return triples


def perturbed(ready: Sequence[CleanExample], rules: Perturbations, kind: str, most: int) -> list[tuple[int, list[str]]]:
    """Versions of good texts after one kind of change, with the number of the good text; at most ``most``."""
    random = Random(f"{SEED} {kind}")
    versions: list[tuple[int, list[str]]] = []
    for number, clean in enumerate(ready):
        words = {**KINDS, **CONTROLS}[kind](clean, rules, random)
        if words and words != clean.words:
            versions.append((number, words))
        if len(versions) == most:
            break
    return versions


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("lang", nargs="?", choices=list(LANGUAGES), default="en")
    parser.add_argument("--pairs", type=int, default=300, help="pairs of each kind, as far as the texts allow")
    parser.add_argument("--texts", type=int, default=1500, help="good texts to parse and damage")
    parser.add_argument("--metrics", help="names, by default those of the table")
    arguments = parser.parse(argv)
    if arguments.smoke:
        arguments.pairs, arguments.texts = 1, 6
    names = tuple(arguments.metrics.split(",")) if arguments.metrics else METRICS
    rules = english_perturbations() if arguments.lang == "en" else chinese_perturbations()
    analyser = Analyser(find_language(arguments.lang).parts(), {Need.GRAPHS})
    originals, simple, others = zip(*corpus(arguments.lang)[: arguments.texts], strict=True)
    texts = analyser.segment(simple)
    parsed = [graph if isinstance(graph, list) else [] for graph in analyser.graphs(texts)]
    ready = clean_examples(texts, parsed, analyser.segment(originals), rules)
    scorer = Scorer(arguments.lang, list(names))
    print(f"signature: {scorer.signature}\n")
    ranked = Figures(f"meaning.perturbation_{arguments.lang}", "ranked right, %", digits=1)
    worst = [f"{name}, worst tenth" for name in names]
    controls = Figures(f"meaning.controls_{arguments.lang}", "points that rewording gains", digits=1)
    for kind in (*KINDS, *CONTROLS):
        pairs = perturbed(ready, rules, kind, arguments.pairs)
        if not pairs:
            continue
        outputs = {
            "good": [Text.from_sentences(texts[number].sentence_words) for number, _ in pairs],
            "other": [Text.from_sentences([words]) for _, words in pairs],
        }
        sources, references = zip(*((originals[number], others[number]) for number, _ in pairs), strict=True)
        report = scorer.score(sources, outputs, references)
        clean, other = ([item.scores for item in system.items] for system in report.systems)
        if kind in CONTROLS:
            gained = {name: [o[name] - g[name] for g, o in zip(clean, other, strict=True)] for name in names}
            lowest = [quantiles(values, n=10)[0] if len(values) > 1 else values[0] for values in gained.values()]
            figures = {name: fmean(values) for name, values in gained.items()}
            controls.row(kind, {**figures, **dict(zip(worst, lowest, strict=True))}, n=len(pairs))
        else:
            shares = {
                name: 100 * fmean(ranked_right(g[name], o[name]) for g, o in zip(clean, other, strict=True))
                for name in names
            }
            ranked.row(kind, shares, n=len(pairs))


if __name__ == "__main__":
    run(main)
