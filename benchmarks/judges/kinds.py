"""Each kind of fact alone: unfaithful texts that `meaning` misses without it, and faithful texts that it flags.

    python -m benchmarks.judges.kinds en|zh [--limit 400] [--record]

Every pair is scored with all fact readers of the language and once more without each of them; a learned cross-encoder
and the check of near copies stay. A text is *flagged* if ``meaning`` is below 70, the lowest score of a text that only
lost or added details. For each fact reader:

``caught``: unfaithful texts that only its facts flag, first of the sentences of its own kind (``sentences/LANG.jsonl``,
written for this benchmark after the readers), then of all other sets: misleading versions of the graded probes,
simplifications with one damage (:mod:`benchmarks.judges.perturbation_kinds`), in English also PAWS (the last pairs of
the train file), counterfactual edits, Breaking NLI and IteraTeR's revisions that change the meaning.

``false alarms``: faithful texts that only its facts flag: human simplifications (ASSET valid, TurkCorpus tune,
OneStopEnglish; MCTS dev), the faithful sentences, good and slightly lossy versions of the graded probes, IteraTeR's
other revisions and PAWS pairs with the same meaning. ``misleading`` and ``falsely misleading``: unfaithful texts of the
other sets, and faithful texts, that score below 50 only because of its facts.

``AUC``: area under the ROC curve of faithful against unfaithful pairs without that reader, in English of PAWS, in
Chinese of the graded probes; the last row is without any reader of facts.

The first table has one row for each set: the shares of texts that are flagged with all readers of facts, that are
flagged without any, and that conflict with their source.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.judges.chinese_perturbation import chinese_perturbations
from benchmarks.judges.english_perturbation import english_perturbations
from benchmarks.judges.meaning import auc
from benchmarks.judges.perturbation import corpus, perturbed
from benchmarks.judges.perturbation_kinds import clean_examples
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import simplification
from sema.analysis.analyser import Analyser
from sema.datasets.folder import data_folder
from sema.languages import find_language
from sema.meaning import FactReader, conflicts
from sema.meaning.edits import all_conflicts
from sema.meaning.evidence import Findings
from sema.meaning.focus import Unsupported, find_unsupported, read_all
from sema.meaning.scores import word_sides
from sema.model.item import Item, Need
from sema.model.language import Parts
from sema.model.text import Text
from training.reader.english.examples import PAWS_HELD_OUT, detokenized, rows

SEED, BATCH = 1, 50
FLAGGED, MISLEADING = 70.0, 50.0
"""Below the first score a text lost or changed something that matters; below the second it misleads."""
KEPT = frozenset(["clarity", "fluency", "coherence", "style"])
"""Intents of IteraTeR's revisions that keep the meaning."""
DAMAGES = ("relation_replaced", "participants_swapped", "negated", "number_changed", "name_changed", "antonym")
"""Damages that change the meaning; the others omit or add something."""
COLUMNS = ("caught, of its own", "of", "caught, of others", "false alarms", "misleading", "falsely misleading")
SENTENCES = Path(__file__).parent / "sentences"

Pairs = list[tuple[str, str | Text]]


@dataclass
class Sets:
    """Pairs of source and output by the name of their set."""

    unfaithful: dict[str, Pairs] = field(default_factory=dict)
    faithful: dict[str, Pairs] = field(default_factory=dict)


def references(path: str, count: int) -> Pairs:
    """Originals with each of their references."""
    originals = simplification(f"{path}.orig")
    columns = [simplification(f"{path}.simp.{number}") for number in range(count)]
    return [pair for column in columns for pair in zip(originals, column, strict=True) if pair[1].strip()]


def onestopenglish() -> Pairs:
    """Sentences of a harder and of an easier version of an article."""
    pairs: Pairs = []
    for file in sorted(data_folder("simplification", "onestopenglish", "Sentence-Aligned").glob("*.txt")):
        for block in file.read_text(encoding="utf-8").split("*******"):
            lines = [line.strip() for line in block.splitlines() if line.strip()]
            pairs += [(lines[0], lines[1])] if len(lines) == 2 else []
    return pairs


def entailment(name: str, *labels: str) -> Pairs:
    """Premises with hypotheses of some labels."""
    return [(row["premise"], row["hypothesis"]) for row in rows("dev", f"{name}.tsv.gz") if row["label"] in labels]


def paws(label: str) -> Pairs:
    """Pairs of PAWS that train nothing, with spaces as people write them."""
    last = list(rows("train", "paws.tsv.gz"))[-PAWS_HELD_OUT:]
    return [(detokenized(row["premise"]), detokenized(row["hypothesis"])) for row in last if row["label"] == label]


def sentences(lang: str) -> list[dict[str, str]]:
    """The sentences that were written for this benchmark: kind, source, a faithful version and two unfaithful ones.

    Of the unfaithful versions, ``near`` differs from the source in a word or two, ``free`` from the faithful version.
    """
    lines = (SENTENCES / f"{lang}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def graded(lang: str, *versions: str) -> Pairs:
    """The graded probes with some of their versions."""
    lines = data_folder("probes", f"graded_{lang}.jsonl").read_text(encoding="utf-8").splitlines()
    return [(probe["source"], probe[version]) for version in versions for probe in map(json.loads, lines)]


def damaged(lang: str, texts: int) -> Pairs:
    """Human simplifications damaged in one way each."""
    perturbations = english_perturbations() if lang == "en" else chinese_perturbations()
    analyser = Analyser(find_language(lang).parts(), {Need.GRAPHS})
    originals, simple, _ = zip(*corpus(lang)[:texts], strict=True)
    outputs = analyser.segment(simple)
    parsed = [graph if isinstance(graph, list) else [] for graph in analyser.graphs(outputs)]
    ready = clean_examples(outputs, parsed, analyser.segment(originals), perturbations)
    return [
        (originals[number], Text.from_sentences([words]))
        for damage in DAMAGES
        for number, words in perturbed(ready, perturbations, damage, texts)
    ]


def sets(lang: str, texts: int) -> Sets:
    """The sets of a language; ``texts``: simplifications that are damaged."""
    collected = Sets(
        {"graded, misleading": graded(lang, "bad"), "damaged": damaged(lang, texts)},
        {"graded, good and minor": graded(lang, "good", "minor")},
    )
    if lang == "zh":
        collected.faithful["MCTS"] = references("mcts/dataset/mcts.dev", 5)
        return collected
    collected.faithful |= {
        "ASSET": references("asset/asset.valid", 10),
        "TurkCorpus": references("turkcorpus/tune.truecase.detok", 8),
        "OneStopEnglish": onestopenglish(),
        "IteraTeR, the rest": entailment("iterater", *KEPT),
        "PAWS, the same": paws("1"),
    }
    collected.unfaithful |= {
        "IteraTeR, meaning changed": entailment("iterater", "meaning-changed"),
        "PAWS, not the same": paws("0"),
        "counterfactual": entailment("counterfactual", "contradiction"),
        "Breaking NLI": entailment("breaking_nli", "contradiction"),
    }
    return collected


def name_of(reader: FactReader) -> str:
    """The name of a fact reader in the tables and in ``sentences``: its class in lower case."""
    return type(reader).__name__.lower()


@dataclass(frozen=True)
class Outcome:
    """One pair: ``meaning`` with all readers, without any, and without each whose facts conflict, by name."""

    whole: float
    bare: float
    without: Mapping[str, float]

    def found_by(self, limit: float = FLAGGED) -> set[str]:
        """Each reader without which the score would not be below a limit."""
        return {name for name, score in self.without.items() if self.whole < limit <= score}


def _differ(item: Item) -> bool:
    return bool(item.source.words and item.output.words) and item.source.words != item.output.words


class Ablation:
    """Scores pairs with and without each fact reader of a language."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._analyser = Analyser(parts, {Need.LINK_WEIGHTS, Need.GRAPHS, Need.OUTPUT_SCENES})

    def outcomes(self, pairs: Pairs) -> Iterator[Outcome]:
        """An outcome for each pair that can be analysed and is no copy."""
        for start in range(0, len(pairs), BATCH):
            sources, outputs = zip(*pairs[start : start + BATCH], strict=True)
            (items,) = self._analyser.prepare(sources, [outputs], segment=False)
            yield from self._scored([item for item in items if isinstance(item, Item) and _differ(item)])

    def _scored(self, items: Sequence[Item]) -> Iterator[Outcome]:
        reader, readers = self.parts.cross_encoder, self.parts.fact_readers
        sides = [word_sides(item, self.parts.function_words) for item in items]
        unsupported = [Unsupported()] * len(items) if reader is None else find_unsupported(reader, items, sides)
        readings = [None] * len(items) if reader is None else read_all(reader, items, unsupported)
        scale = reader.scale if reader else None
        for item, both, reading, apart in zip(items, sides, readings, unsupported, strict=True):

            def score(some: Iterable[FactReader], item=item, both=both, reading=reading, apart=apart) -> float:  # type: ignore[no-untyped-def]
                conflicts = all_conflicts(item, tuple(some), both, reader)
                return Findings(item, both, conflicts, reading, scale, (), apart).scores["meaning"]

            speaking = [one for one in readers if conflicts(item, [one])]
            without = {name_of(one): score(other for other in readers if other is not one) for one in speaking}
            yield Outcome(score(readers), score(()), without)


def area(faithful: Sequence[Outcome], other: Sequence[Outcome], score: Callable[[Outcome], float]) -> float:
    """The chance that a faithful text scores above another."""
    return auc([score(one) for one in (*faithful, *other)], [True] * len(faithful) + [False] * len(other))


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("lang", nargs="?", choices=("en", "zh"), default="en")
    parser.add_argument("--limit", type=int, default=400, help="pairs of each set, drawn at random")
    arguments = parser.parse(argv)
    lang, most = arguments.lang, 2 if arguments.smoke else arguments.limit
    ablation = Ablation(find_language(lang).parts())
    table = Figures(f"kinds.sets_{lang}", "texts", digits=1)

    def measured(name: str, pairs: Pairs) -> list[Outcome]:
        outcomes = list(ablation.outcomes(Random(SEED).sample(pairs, min(most, len(pairs)))))
        flagged = {
            "flagged, %": sum(one.whole < FLAGGED for one in outcomes),
            "without facts, %": sum(one.bare < FLAGGED for one in outcomes),
            "conflicts, %": sum(bool(one.without) for one in outcomes),
        }
        table.row(name, {column: 100 * n / len(outcomes) for column, n in flagged.items()}, n=len(outcomes))
        return outcomes

    own, sets_ = Counter[str](), sets(lang, 6 if arguments.smoke else max(100, most))
    written = sentences(lang)
    by_kind = {kind: [one for one in written if one["kind"] == kind] for kind in {one["kind"] for one in written}}
    for kind, some in sorted(by_kind.items()):
        wrong = [(one["source"], one[version]) for version in ("near", "free") for one in some]
        outcomes = measured(f"sentences: {kind}", wrong)
        own[kind] = sum(kind in outcome.found_by() for outcome in outcomes)
    unfaithful = {name: measured(name, pairs) for name, pairs in sets_.unfaithful.items()}
    sets_.faithful["sentences, faithful"] = [(one["source"], one["faithful"]) for one in written]
    faithful = {name: measured(name, pairs) for name, pairs in sets_.faithful.items()}
    wrong_texts = [outcome for outcomes in unfaithful.values() for outcome in outcomes]
    right_texts = [outcome for outcomes in faithful.values() for outcome in outcomes]
    counts = [
        Counter(kind for outcome in some for kind in outcome.found_by(limit))
        for limit in (FLAGGED, MISLEADING)
        for some in (wrong_texts, right_texts)
    ]
    print()
    kinds = Figures(f"kinds.{lang}", "fact reader", digits={"AUC": 3} | dict.fromkeys(COLUMNS, 0))
    rated = unfaithful["graded, misleading"], faithful["graded, good and minor"]
    if lang == "en":
        rated = unfaithful["PAWS, not the same"], faithful["PAWS, the same"]
    for name in (*map(name_of, ablation.parts.fact_readers), "all of them"):
        chance = area(rated[1], rated[0], lambda one, name=name: one.without.get(name, one.whole))  # type: ignore[misc]
        if name == "all of them":
            chance = area(rated[1], rated[0], lambda one: one.bare)
        figures = own[name], 2 * len(by_kind.get(name, ())), *(count[name] for count in counts)
        row = {column: float(figure) for column, figure in zip(COLUMNS, figures, strict=True)}
        kinds.row(name, {**row, "AUC": chance}, n=len(wrong_texts) + len(right_texts))


if __name__ == "__main__":
    run(main)
