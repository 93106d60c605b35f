"""Which Chinese words may replace each other: designs compared on people's substitutes for hard words.

    python -m benchmarks.alignment.chinese_synonyms

Recall is over the substitutes that six people gave for the hard words of one half of ``lexical_simplification``; false
pairs are hard words with words of other sentences in the same part of speech, and words of MCTS sources with words of
unrelated simplifications. Each design is fitted, and its threshold set, on the other half: at most .1 % and .3 % of
each kind of false pairs exceed it there. Then what ships: the table's pairs, and all relations of the rule aligner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from sema_chinese.glosses import GlossLexicon
from sema_chinese.relations import chinese_lexicon, relations

from benchmarks.records import CommandLine, Figures, run
from training.chinese.glosses import SIGNALS, Floats, Glosses
from training.chinese.substitutes import Sets, read_sets
from training.chinese.synonyms import Scorer, fit, signals_of, threshold

SHARES = (0.001, 0.003)
KINDS = ("substitutes", "same class", "unrelated")
AIM = 35.0
DATA = "lexical_simplification, MCTS dev; the half that nothing was fitted to"
DIGITS = {KINDS[0]: 1, **dict.fromkeys(KINDS[1:], 2)}
FITTED: Mapping[str, Sequence[str]] = {
    "glosses": SIGNALS[:3],
    "glosses, characters": SIGNALS[:5],
    "glosses, characters, embeddings of pieces": SIGNALS,
}


def kinds(sets: Sets) -> list[Sequence[tuple[str, str]]]:
    """The pairs of a half in the order of ``KINDS``."""
    return [sets.true, sets.same_class, sets.unrelated]


def designs(rows: Sequence[Floats]) -> dict[str, Scorer]:
    """Each signal alone, and regressions fitted to the given half."""

    def alone(column: int) -> Scorer:
        return lambda signals: signals[:, column]

    scorers = {name: alone(column) for column, name in enumerate(SIGNALS)}
    for name, used in FITTED.items():
        scorers[name] = fit(rows[0], rows[1:], [SIGNALS.index(signal) for signal in used])
    return scorers


def shares(rows: Sequence[Floats], score: Scorer, least: float) -> list[float]:
    """The percentage of each kind of pairs above a score."""
    return [100 * float((score(signals) > least).mean()) for signals in rows]


def linked(sets: Sets, related: Callable[[str, str], bool]) -> dict[str, float]:
    """The percentage of each kind of pairs that are related."""
    return {
        kind: 100 * float(np.mean([related(*pair) for pair in pairs]))
        for kind, pairs in zip(KINDS, kinds(sets), strict=True)
    }


def main(argv: Sequence[str] | None = None) -> None:
    arguments = CommandLine(__doc__).parse(argv)
    halves = [read_sets(0), read_sets(1)]
    aims = {("rules", KINDS[0]): AIM}
    table = Figures("chinese_alignment.synonyms", "linked by", digits=DIGITS, data=DATA, aims=aims)
    counts = dict(zip(KINDS, map(len, kinds(halves[1])), strict=True))
    lexicon = chinese_lexicon()
    assert isinstance(lexicon, GlossLexicon)
    every, without = relations(lexicon), relations(lexicon.base)
    table.row("rules without the table", linked(halves[1], lambda a, b: without.kind(a, b) is not None), n=counts)
    table.row("the table", linked(halves[1], lambda a, b: b in lexicon.paraphrases(a)), n=counts)
    table.row("rules", linked(halves[1], lambda a, b: every.kind(a, b) is not None), n=counts)
    if arguments.smoke:
        return
    glosses = Glosses()
    fitted, held = ([signals_of(glosses, pairs) for pairs in kinds(half)] for half in halves)
    for share in SHARES:
        print(f"\nThresholds let {share:.1%} of the fitted half's false pairs through:\n")
        curve = Figures(f"chinese_alignment.designs_{share * 1000:.0f}", "by", digits=DIGITS, data=DATA)
        for name, score in designs(fitted).items():
            figures = shares(held, score, threshold(score, fitted[1:], share))
            curve.row(name, dict(zip(KINDS, figures, strict=True)), n=counts)


if __name__ == "__main__":
    run(main)
