"""How do Scene and meaning metrics score outputs that are obviously wrong?

    python -m benchmarks.judges.sanity [--articles 20] [--metrics meaning,sema,...]

Every output (TurkCorpus test, simplification 0) is changed in the same way; the table has the mean score of the changed
outputs and of the same outputs unchanged. The last row has articles as passages (OneStopEnglish, elementary for
advanced): the simplification, and its words in alphabetical order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import turkcorpus
from sema import Scorer
from training.data.onestopenglish import articles

METRICS = ("meaning", "meaning_recall", "meaning_precision", "sema", "samsa", "samsa_abl")
AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|should|must|may|might)\b(?! not\b)")
CLAUSE = " , and his sister later became a famous painter in Peru"
SEED = 18
OTHERS = 60
OTHERS_ITEMS = 12
"""The number of items for the change ``others``, whose texts are sixty times as long."""


def negated(outputs: Sequence[str]) -> list[str]:
    return [AUXILIARY.sub(r"\1 not", output) for output in outputs]


def numbers_changed(outputs: Sequence[str]) -> list[str]:
    return [re.sub(r"[0-9]", lambda digit: str((int(digit[0]) + 3) % 10), output) for output in outputs]


def clause_added(outputs: Sequence[str]) -> list[str]:
    return [re.sub(r"\s*([.!?]?)\s*$", rf"{CLAUSE} \1", output, count=1) for output in outputs]


def repeated(outputs: Sequence[str]) -> list[str]:
    return [" ".join([output] * 3) for output in outputs]


def shuffled(outputs: Sequence[str]) -> list[str]:
    random = Random(SEED)
    return [" ".join(random.sample(words := output.split(), len(words))) for output in outputs]


def others(outputs: Sequence[str]) -> list[str]:
    """Sixty other outputs joined into one."""
    count = len(outputs)
    return [
        " ".join(outputs[(place + step) % count] for step in range(1, OTHERS + 1)) if place < OTHERS_ITEMS else own
        for place, own in enumerate(outputs)
    ]


CHANGES: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "every auxiliary negated": negated,
    "numbers changed": numbers_changed,
    "a made-up clause added": clause_added,
    "repeated three times": repeated,
    "words shuffled": shuffled,
    "sixty other sentences as one output": others,
}


def means(scorer: Scorer, sources: Sequence[str], outputs: Sequence[str]) -> dict[str, float]:
    items = scorer.score(sources, outputs).systems[0].items
    return {name: fmean(item.scores[name] for item in items) for name in items[0].scores}


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--articles", type=int, default=20)
    parser.add_argument("--metrics", default=",".join(METRICS))
    arguments = parser.parse(argv)
    names = arguments.metrics.split(",")
    most = 5 if arguments.smoke else None
    sources, outputs = (column[:most] for column in turkcorpus("test"))
    scorer = Scorer("en", names)
    untouched = scorer.score(sources, outputs).systems[0].items
    print(f"signature: {scorer.signature}\n")
    table = Figures("meaning.sanity", "change", digits=1, data="TurkCorpus test; OneStopEnglish")

    def row(what: str, before: dict[str, float], after: dict[str, float], count: int) -> None:
        cells: dict[str, float | None] = {}
        for name in names:
            cells |= {f"{name}, untouched": before.get(name), f"{name}, changed": after.get(name)}
        table.row(what, cells, n=count)

    for what, change in CHANGES.items():
        changed = change(outputs)
        reached = [place for place, output in enumerate(outputs) if changed[place] != output]
        if reached:
            after = means(scorer, [sources[place] for place in reached], [changed[place] for place in reached])
            before = {name: fmean(untouched[place].scores[name] for place in reached) for name in names}
            row(what, before, after, len(reached))
    texts = articles()
    hard, easy = (texts[level][: 1 if arguments.smoke else arguments.articles] for level in ("adv", "ele"))
    own = [name for name in names if not name.startswith("samsa")]  # 0 by definition, sentence by sentence
    passages = Scorer("en", own, level="passage")
    alphabetical = [" ".join(sorted(text.split())) for text in easy]
    row(
        "articles, words in alphabetical order",
        means(passages, hard, easy),
        means(passages, hard, alphabetical),
        len(hard),
    )


if __name__ == "__main__":
    run(main)
