"""What do Scene and meaning metrics say of outputs that are plainly wrong?

    python benchmarks/judges/sanity.py [--articles 20] [--metrics meaning,sema,...]

Every output of one system (TurkCorpus test, simplification 0) is changed alike; the table has the mean score of the
outputs that a change reaches, and what the same outputs score untouched. Then articles (OneStopEnglish, elementary for
advanced), as passages: the simplification, and its words in alphabetical order.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean

from sema import Scorer
from sema.datasets.folder import data_folder

METRICS = ("meaning", "meaning_recall", "meaning_precision", "sema", "samsa", "samsa_abl")
AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|should|must|may|might)\b(?! not\b)")
CLAUSE = " , and his sister later became a famous painter in Peru"
SEED = 18
OTHERS = 60
MOST_OF_OTHERS = 12
"""Items that this last change, sixty times the text, is shown on."""


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
    """Sixty other outputs as one."""
    count = len(outputs)
    return [
        " ".join(outputs[(place + step) % count] for step in range(1, OTHERS + 1)) if place < MOST_OF_OTHERS else own
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


def turkcorpus() -> tuple[list[str], list[str]]:
    folder = data_folder("simplification", "turkcorpus")
    orig, simple = (
        (folder / f"test.truecase.detok.{part}").read_text(encoding="utf-8").splitlines() for part in ("orig", "simp.0")
    )
    return orig, simple


def articles(most: int) -> tuple[list[str], list[str]]:
    """Advanced articles and their elementary versions."""
    folder = data_folder("simplification", "onestopenglish", "Texts-SeparatedByReadingLevel")
    found = []
    for hard in sorted((folder / "Adv-Txt").glob("*.txt")):
        easy = folder / "Ele-Txt" / hard.name.replace("-adv", "-ele")
        if easy.exists() and len(found) < most:
            found.append(tuple(" ".join(path.read_text(encoding="utf-8-sig").split()) for path in (hard, easy)))
    return [hard for hard, _ in found], [easy for _, easy in found]


def means(scorer: Scorer, sources: Sequence[str], outputs: Sequence[str]) -> dict[str, float]:
    items = scorer.score(sources, outputs).systems[0].items
    return {name: fmean(item.scores[name] for item in items) for name in items[0].scores}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=20)
    parser.add_argument("--metrics", default=",".join(METRICS))
    arguments = parser.parse_args()
    names = arguments.metrics.split(",")
    sources, outputs = turkcorpus()
    scorer = Scorer("en", names)
    untouched = scorer.score(sources, outputs).systems[0].items
    print(f"signature: {scorer.signature}\n")
    print("| change | outputs | " + " | ".join(f"{name}: untouched, changed" for name in names) + " |")
    print("|---|---:|" + "---:|" * len(names))
    for what, change in CHANGES.items():
        changed = change(outputs)
        reached = [place for place, output in enumerate(outputs) if changed[place] != output]
        after = means(scorer, [sources[place] for place in reached], [changed[place] for place in reached])
        before = {name: fmean(untouched[place].scores[name] for place in reached) for name in names}
        row = " | ".join(f"{before[name]:.1f}, {after[name]:.1f}" for name in names)
        print(f"| {what} | {len(reached)} | {row} |", flush=True)
    hard, easy = articles(arguments.articles)
    own = [name for name in names if not name.startswith("samsa")]  # 0 by definition, sentence by sentence
    passages = Scorer("en", own, level="passage")
    before = means(passages, hard, easy)
    after = means(passages, hard, [" ".join(sorted(text.split())) for text in easy])
    row = " | ".join(f"{before[name]:.1f}, {after[name]:.1f}" if name in own else "" for name in names)
    print(f"| articles, words in alphabetical order | {len(hard)} | {row} |")


if __name__ == "__main__":
    main()
