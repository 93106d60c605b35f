"""Table 5 of Xu et al. (TACL 2016) with the phrase simplifier tuned to BLEU, FKBLEU, SARI, and meaning + simplicity.

    python benchmarks/objectives/table5.py --rules FILE [--tune OBJECTIVE …] [--show OBJECTIVE]

Prints Markdown, the paper's rows below ours. Rules come from the tune part of TurkCorpus in the authors' tokens (2,000
sentences, 8 references), weights from every fourth of its sentences or fewer (``EVERY``), figures from its test part
(359). ``--tune`` tunes the weights anew and writes them beside this file (``weights/``); without it the weights there
are used. ``--show`` prints the first 20 outputs of one. Exit status 1 if SARI tuned to SARI is below the paper's, or
tuning to BLEU does not end at the copy.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter, process_time

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent / "papers")]

from sema_ppdb.simplifier.extraction import learn_rules  # noqa: E402
from sema_ppdb.simplifier.learn import read_examples  # noqa: E402
from sema_ppdb.simplifier.rules import RuleTable  # noqa: E402
from sema_ppdb.simplifier.simplifier import PhraseSimplifier  # noqa: E402
from table5_2016 import COLUMNS as PAPERS_COLUMNS  # noqa: E402

from sema.datasets.folder import data_folder  # noqa: E402
from sema.languages import find_language  # noqa: E402
from sema.metrics.base import Item, Metric  # noqa: E402
from sema.metrics.sari import Sari  # noqa: E402
from sema.model.text import Text  # noqa: E402
from sema.rerank.mixes import Mix  # noqa: E402
from sema.rerank.nbest import Candidate, NBest  # noqa: E402
from sema.rerank.pool import Objective  # noqa: E402
from sema.rerank.simplifiers import read_weights, weights_text  # noqa: E402
from sema.rerank.tuning import Round, Tuner  # noqa: E402
from sema.scoring.scorer import Scorer  # noqa: E402

COLUMNS: Mapping[str, Metric] = {**PAPERS_COLUMNS, "SARI, pooled": Sari(tokenizer="none")}
PAPER = {
    "Normal Wikipedia": (12.88, 99.05, 78.41, 62.48, 26.05),
    "Simple Wikipedia": (11.25, 66.75, 53.53, 61.75, 38.42),
    "PBMT-R (Wubben et al. 2012)": (11.10, 63.12, 48.91, 59.00, 33.77),
    "SBMT (PPDB + BLEU)": (12.88, 99.05, 78.41, 62.48, 26.05),
    "SBMT (PPDB + FKBLEU)": (10.75, 74.48, 58.10, 66.68, 34.18),
    "SBMT (PPDB + SARI)": (10.90, 72.36, 58.15, 66.57, 37.91),
}
THEIRS = {"PBMT-R": "moses.test.output.1rerank", "SBMT, FKBLEU": "glbleu30it.test.output.1best"} | {
    "SBMT, SARI": "sari30it.test.output.1best"
}
OBJECTIVES: Mapping[str, Mix] = {
    "bleu": Mix.of(COLUMNS["BLEU"]),
    "fkbleu": Mix.of(COLUMNS["FKBLEU"]),
    "sari": Mix.of(COLUMNS["SARI"]),
    "sari_pro": Mix.of(COLUMNS["SARI"]),
    "meaning_simplicity": Mix.of("meaning+simplicity"),
    "sari_ppdb": Mix.of(COLUMNS["SARI"]),
}
WORDS_ALONE = ("sari_ppdb",)
"""Tuned and decoded without learned rules: the words of PPDB, as they ship."""
EVERY = {"sari": 4, "meaning_simplicity": 32}
"""Every how manieth of the 2,000 sentences is tuned on, where that is not 8; for meaning each candidate is parsed."""
ROUNDS, CANDIDATES, LEAST_SARI = 3, 20, 37.91


def lines(name: str) -> list[str]:
    """The lines of one of the authors' files."""
    return data_folder("simplification", "xu2016", name).read_text(encoding="utf-8").rstrip("\n").split("\n")


def corpus(part: str) -> list[NBest]:
    """Sources with their eight references."""
    references = zip(*(lines(f"{part}.8turkers.tok.turk.{number}") for number in range(8)), strict=True)
    return [
        NBest(source, (Candidate(source),), own)
        for source, own in zip(lines(f"{part}.8turkers.tok.norm"), references, strict=True)
    ]


def rules(path: Path) -> RuleTable:
    """The rules of the tune part; learned where the file is not there yet."""
    if not path.is_file():
        folder = data_folder("simplification", "xu2016")
        names = [str(folder / f"tune.8turkers.tok.turk.{number}") for number in range(8)]
        examples = read_examples(str(folder / "tune.8turkers.tok.norm"), names)
        learn_rules(examples, find_language("en").parts(aligner="rules").aligner).save(path)
    return RuleTable.load(path)


def tune(name: str, simplifier: PhraseSimplifier, tuning: Sequence[NBest], rounds: int) -> None:
    """Tune to an objective and write the weights."""
    chosen = tuning[:: EVERY.get(name, 8)]
    mix = OBJECTIVES[name]
    scorer = Scorer("en", mix.metrics)
    tuner = Tuner(Objective(scorer, mix, Text.from_tokenized), method="pro" if name.endswith("_pro") else "search")
    texts = [Text.from_tokenized(found.source) for found in chosen]
    start = perf_counter()

    def decode(weights: Mapping[str, float]) -> Sequence[Sequence[Candidate]]:
        return simplifier.weighted(weights).candidates(texts, CANDIDATES)

    def tell(made: Round) -> None:
        print(f"{name} {made.to_dict()} {perf_counter() - start:.0f} s", file=sys.stderr, flush=True)

    tuned = tuner.tune(chosen, decode, simplifier.weights, rounds=rounds, progress=tell)
    about = {"objective": mix.name, "rounds": [made.to_dict() for made in tuned.rounds], "best": tuned.best}
    print(f"{name}: {tuned.collapse or 'no collapse'}", file=sys.stderr)
    (HERE / "weights" / f"{name}.json").write_text(weights_text(tuned.weights, about), encoding="utf-8")


def figures(test: Sequence[NBest], outputs: Sequence[str]) -> list[float]:
    """The columns of the table, the share of copies last."""
    items = [
        Item(Text.from_tokenized(found.source), Text.from_tokenized(output), found.references)
        for found, output in zip(test, outputs, strict=True)
    ]
    copies = sum(found.source == output for found, output in zip(test, outputs, strict=True)) / len(test)
    return [*(metric.corpus(metric.rows(items)) for metric in COLUMNS.values()), 100 * copies]


def row(title: str, values: Sequence[float], steps: str = "") -> None:
    """Print a row of the table."""
    print(f"| {title} | {' | '.join(f'{value:.2f}' for value in values)} |{f' {steps} |' if steps else ''}")


def main() -> int:
    """Tune what is asked for, print the table; 0 if it shows what it should."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tune", nargs="+", default=[], choices=OBJECTIVES, help="tune anew to these")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--rules", type=Path, required=True, help="where the rules are kept; learned if absent")
    parser.add_argument("--start", choices=OBJECTIVES, help="start from the weights of another objective")
    parser.add_argument("--show", choices=OBJECTIVES, help="print 20 outputs of this one")
    arguments = parser.parse_args()
    simplifier = PhraseSimplifier(rules=arguments.rules if rules(arguments.rules) else None, split=True)
    if arguments.start:
        simplifier = simplifier.weighted(read_weights(HERE / "weights" / f"{arguments.start}.json"))
    words = PhraseSimplifier(split=True)
    for name in arguments.tune:
        tune(name, words if name in WORDS_ALONE else simplifier, corpus("tune"), arguments.rounds)
    test = corpus("test")
    texts = [Text.from_tokenized(found.source) for found in test]
    print(f"| | {' | '.join(COLUMNS)} | copies, % | rules a sentence |\n|---|{'---|' * (len(COLUMNS) + 2)}")
    reached: dict[str, list[float]] = {}
    for name in OBJECTIVES:
        path = HERE / "weights" / f"{name}.json"
        if not path.is_file():
            continue
        weighted = (words if name in WORDS_ALONE else simplifier).weighted(read_weights(path))
        start = process_time()
        best = [candidates[0] for candidates in weighted.candidates(texts, 1)]
        spent = process_time() - start
        reached[name] = figures(test, [candidate.text for candidate in best])
        applied = sum(candidate.features["rules"] for candidate in best) / len(best)
        row(f"ours, tuned to {name}", reached[name], f"{applied:.2f}")
        print(f"{name}: {len(best) / spent:.1f} sentences a CPU second", file=sys.stderr)
        if arguments.show == name:
            shown = "\n".join(f"- {found.source}\n  {c.text}  {c.steps}" for found, c in zip(test, best, strict=True))
            print("\n".join(shown.split("\n")[:40]), file=sys.stderr)
    for title, name in THEIRS.items():
        row(f"the authors' output: {title}", figures(test, lines(name)), "–")
    for title, values in PAPER.items():
        row(f"paper: {title}", values, "– | – | –")
    good = reached.get("sari", [0.0] * 5)[4] >= LEAST_SARI and reached.get("bleu", [0.0] * 7)[6] > 99
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
