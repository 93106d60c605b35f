"""Speed of our metrics beside sacreBLEU's, in one run, on TurkCorpus test with ASSET's 10 references and one system.

Single-threaded CPU time, the best of five rounds. SARI is timed after tokenization, with empty caches and with the
references already counted (a second system); then tokenization itself, new and repeated.

    python -m benchmarks.metrics.speed
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from time import process_time

from sacrebleu.metrics import BLEU
from sacrebleu.metrics.base import Metric as SacreMetric

from benchmarks.records import CommandLine, Figures, best_time, run
from benchmarks.sets import read_references, simplification
from sema.metrics import bleu, sari
from sema.metrics.token_metric import get_tokenizer
from sema.runtime.caching import BUDGET


def main(argv: Sequence[str] | None = None) -> None:
    arguments = CommandLine(__doc__).parse(argv)
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    sources, columns = read_references()["asset"]
    outputs = simplification("system_outputs/turkcorpus/ACCESS")
    count = 10 if arguments.smoke else 359
    texts = [*sources[:count], *outputs[:count], *(text for column in columns for text in column[:count])]
    cut = get_tokenizer("13a").batch(texts)
    by_column = [cut[start : start + count] for start in range(0, len(cut), count)]
    items = [(source, output, tuple(references)) for source, output, *references in zip(*by_column, strict=True)]

    def our_sari() -> list[float]:
        return [sari.sari(*item).score for item in items]

    def our_bleu() -> float:
        rows = [bleu.statistics(output, references) for _, output, references in items]
        return bleu.bleu_score([sum(column) for column in zip(*rows, strict=True)], corpus=True)

    joined, *streams = ([" ".join(words) for words in column] for column in by_column[1:])
    theirs: SacreMetric = BLEU(tokenize="none", force=True)

    def sacre_bleu() -> float:
        return float(theirs.corpus_score(joined, streams).score)

    def sacre_sentences() -> list[float]:
        pairs = zip(joined, *streams, strict=True)
        return [float(theirs.sentence_score(text, references).score) for text, *references in pairs]

    assert round(our_bleu(), 10) == round(sacre_bleu(), 10)
    tokenizer, forget = get_tokenizer("moses"), BUDGET.empty
    best = partial(best_time, clock=process_time)
    results = {
        "sari, everything new": best(our_sari, forget),
        "sari, references counted before": best(our_sari, our_sari),
        "bleu, items and corpus": best(our_bleu, forget),
        "sacreBLEU, corpus only": best(sacre_bleu),
        "sacreBLEU, items only": best(sacre_sentences),
        "moses tokens of 12 texts, new": best(lambda: tokenizer.batch(texts), forget),
        "moses tokens of 12 texts, repeated": best(lambda: tokenizer.batch(texts)),
    }
    table = Figures("metrics.speed", "work", digits=4, data="ASSET's references, ACCESS")
    for name, seconds in results.items():
        table.row(name, {"ms of processor time an item": 1000 * seconds / count}, n=count)


if __name__ == "__main__":
    run(main)
