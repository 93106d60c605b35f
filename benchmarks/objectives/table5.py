"""Table 5 of Xu et al. (TACL 2016) with the phrase simplifier tuned to BLEU, FKBLEU, SARI, and meaning + simplicity.

    python -m benchmarks.objectives.table5 [--rules FILE] [--tune OBJECTIVE …]

Rules are those that ship and those of the tune part of TurkCorpus in the authors' tokens (2,000 sentences, 8
references); ``sari_ppdb`` uses only the former. Several words are replaced where they are a constituent. Weights come
from every fourth of its sentences or fewer (``EVERY``), figures from its test part (359). ``--tune`` tunes the weights
again and writes them to ``weights/`` beside this file; without it the weights in that folder are used. The exit status
is 1 if the simplifier tuned to SARI has less SARI than the paper's, or if the one tuned to BLEU does not copy.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter, process_time

from sema_rerank.mixes import Mix
from sema_rerank.nbest import Candidate, NBest
from sema_rerank.pool import Objective
from sema_rerank.simplifiers import read_weights, weights_text
from sema_rerank.tuning import Round, Tuner
from sema_simplifier.extraction import learn_rules
from sema_simplifier.learn import read_examples
from sema_simplifier.rules import RuleTable
from sema_simplifier.simplifier import PhraseSimplifier

from benchmarks.papers.table5_2016 import COLUMNS as PAPERS_COLUMNS
from benchmarks.papers.table5_2016 import FILES, ROWS, SYSTEMS, read
from benchmarks.records import CommandLine, Figures, cells, run
from sema.datasets.folder import data_folder
from sema.languages import find_language
from sema.metrics.base import Item, Metric
from sema.metrics.sari import Sari
from sema.model.text import Text
from sema.scoring.scorer import Scorer

HERE = Path(__file__).resolve().parent
COLUMNS: Mapping[str, Metric] = {**PAPERS_COLUMNS, "SARI, pooled": Sari(tokenizer="none")}
TUNED = {"bleu": "Normal Wikipedia", "fkbleu": "SBMT (PPDB + FKBLEU)", "sari": "SBMT (PPDB + SARI)"}
PAPER = {f"tuned to {metric}": ROWS[row] for metric, row in TUNED.items()}
"""The paper's rows for its tuned systems, whose rules came from PPDB."""
AUTHORS_OUTPUTS = {row.replace(" (PPDB +", ",").removesuffix(")"): FILES[row] for row in SYSTEMS}
OBJECTIVES: Mapping[str, Mix] = {
    **{name: Mix.of(COLUMNS[name.partition("_")[0].upper()]) for name in ("bleu", "fkbleu", "sari", "sari_pro")},
    "meaning_simplicity": Mix.of("meaning+simplicity"), "sari_ppdb": Mix.of(COLUMNS["SARI"]),
}  # fmt: skip
WORDS_ALONE = ("sari_ppdb",)
"""Objectives that are tuned and decoded with the rules that ship: the words of PPDB and the rules of several words."""
EVERY = {"sari": 4, "meaning_simplicity": 32}
"""Tuning uses every eighth of the 2,000 sentences unless a step is given here; for meaning each candidate is parsed."""
ROUNDS, CANDIDATES, LEAST_SARI = 3, 20, 37.91


def corpus(part: str) -> list[NBest]:
    """Sources with their eight references."""
    references = zip(*(read(f"{part}.8turkers.tok.turk.{number}") for number in range(8)), strict=True)
    return [
        NBest(source, (Candidate(source),), own)
        for source, own in zip(read(f"{part}.8turkers.tok.norm"), references, strict=True)
    ]


def rules(path: Path) -> RuleTable:
    """The rules of the tune part; they are learned if the file does not exist."""
    if not path.is_file():
        folder = data_folder("simplification", "xu2016")
        names = [str(folder / f"tune.8turkers.tok.turk.{number}") for number in range(8)]
        examples = read_examples(str(folder / "tune.8turkers.tok.norm"), names)
        learn_rules(examples, find_language("en").parts(aligner="rules").aligner).save(path)
    return RuleTable.load(path)


def tune(name: str, simplifier: PhraseSimplifier, tuning: Sequence[NBest], rounds: int) -> None:
    chosen = tuning[:: EVERY.get(name, 8)]
    mix = OBJECTIVES[name]
    scorer = Scorer("en", mix.metrics)
    tuner = Tuner(Objective(scorer, mix, Text.from_tokenized), method="pro" if name.endswith("_pro") else "search")
    texts = [Text.from_tokenized(example.source) for example in chosen]
    start = perf_counter()

    def decode(weights: Mapping[str, float]) -> Sequence[Sequence[Candidate]]:
        return simplifier.weighted(weights).candidates(texts, CANDIDATES)

    def report(made: Round) -> None:
        print(f"{name} {made.to_dict()} {perf_counter() - start:.0f} s", file=sys.stderr, flush=True)

    tuned = tuner.tune(chosen, decode, simplifier.weights, rounds=rounds, progress=report)
    about = {"objective": mix.name, "rounds": [made.to_dict() for made in tuned.rounds], "best": tuned.best}
    print(f"{name}: {tuned.collapse or 'no collapse'}", file=sys.stderr)
    (HERE / "weights" / f"{name}.json").write_text(weights_text(tuned.weights, about), encoding="utf-8")


def figures(test: Sequence[NBest], outputs: Sequence[str]) -> dict[str, float | None]:
    """The columns of the table, and the share of copies."""
    pairs = list(zip(test, outputs, strict=True))
    items = [
        Item(Text.from_tokenized(own.source), Text.from_tokenized(output), own.references) for own, output in pairs
    ]
    copies = sum(own.source == output for own, output in pairs) / len(test)
    return {name: metric.corpus(metric.rows(items)) for name, metric in COLUMNS.items()} | {"copies, %": 100 * copies}


def main(argv: Sequence[str] | None = None) -> int:
    """Tune the named objectives and print the table; 0 if the table is as expected."""
    parser = CommandLine(__doc__)
    parser.add_argument("--tune", nargs="+", default=[], choices=OBJECTIVES, help="objectives to tune to again")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--rules", type=Path, help="file of rules; they are learned if it does not exist")
    arguments = parser.parse(argv)
    if arguments.smoke:
        return decoded(WORDS_ALONE, None, 5)
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.rules or Path(folder) / "rules.tsv.gz"
        simplifier = PhraseSimplifier(rules=path if rules(path) else None, split=True, check=False)
        for name in arguments.tune:
            words = PhraseSimplifier(split=True, check=False)
            tune(name, words if name in WORDS_ALONE else simplifier, corpus("tune"), arguments.rounds)
        return decoded(tuple(OBJECTIVES), simplifier, None)


def decoded(names: Sequence[str], simplifier: PhraseSimplifier | None, most: int | None) -> int:
    """Print the table for some objectives; 0 if it is as expected."""
    test = corpus("test")[:most]
    texts = [Text.from_tokenized(example.source) for example in test]
    table = Figures("objectives.xu2016", "simplifier", digits=2, peers=cells(PAPER, PAPERS_COLUMNS),
                    peer_source="Xu et al. (2016), Table 5", data="TurkCorpus test, the authors' tokens")  # fmt: skip
    reached: dict[str, dict[str, float | None]] = {}
    for name in names:
        used = simplifier if simplifier and name not in WORDS_ALONE else PhraseSimplifier(split=True, check=False)
        weighted = used.weighted(read_weights(HERE / "weights" / f"{name}.json"))
        start = process_time()
        best = [candidates[0] for candidates in weighted.candidates(texts, 1)]
        spent = process_time() - start
        reached[name] = figures(test, [candidate.text for candidate in best])
        applied = sum(candidate.features["rules"] for candidate in best) / len(best)
        work = {"rules a sentence": applied, "sentences a processor second": len(best) / spent}
        table.row(f"tuned to {name}", reached[name] | work, n=len(test))
    for title, name in AUTHORS_OUTPUTS.items():
        table.row(f"the authors' output: {title}", figures(test, read(name, most)) | dict.fromkeys(work), n=len(test))
    if most:
        return 0
    return int((reached["sari"]["SARI"] or 0) < LEAST_SARI or (reached["bleu"]["copies, %"] or 0) <= 99)


if __name__ == "__main__":
    run(main)
