"""Do metrics notice when a good simplification is spoilt?

    python benchmarks/scoring/perturbation.py en|zh [ITEMS]

For each original a person's simplification must outscore five that went wrong: (a) another person's simplification of
the lexically closest other original, (b) itself without the words of one Participant, (c) itself with a main verb
replaced by one from another item, (d) itself with two Participants swapped between sentences, (e) its first half. The
table has, for each metric and kind, the share of pairs ranked right in percent; a tie counts half.

English: TurkCorpus test, simplification 0 of 8, with HSplit 1 for (d), whose sentences are split; Chinese: MCTS dev,
simplification 0 of 5. Metrics that need references get the other simplifications. The spoilt texts are made with the
language's default parser.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from statistics import fmean

import sema
from sema.analysis.analyser import Analyser
from sema.datasets.folder import data_path
from sema.model.scene_graph import MAIN_RELATIONS, PARTICIPANT, SceneGraph
from sema.model.text import Text

DATA = data_path("simplification")
METRICS = {
    "en": ("sema", "sema_part", "sema_base", "samsa", "samsa_abl", "sari", "bleu", "ld_source", "ld_reference"),
    "zh": ("sema", "sema_part", "sema_base", "samsa", "samsa_abl", "sari", "bleu", "ld_source", "ld_reference"),
}
KINDS = {
    "a": "another original's simplification",
    "b": "a Participant deleted",
    "c": "a main verb replaced",
    "d": "two Participants swapped",
    "e": "first half",
}


def lines(name: str) -> list[str]:
    return (DATA / name).read_text(encoding="utf-8").splitlines()


def corpus(lang: str) -> tuple[list[str], list[list[str]], list[str]]:
    """Originals, their simplifications (the first is the good one), and the good ones with split sentences for (d)."""
    if lang == "zh":
        columns = [lines(f"mcts/dataset/mcts.dev.simp.{n}") for n in range(5)]
        return lines("mcts/dataset/mcts.dev.orig"), [list(row) for row in zip(*columns, strict=True)], columns[0]
    columns = [lines(f"turkcorpus/test.truecase.detok.simp.{n}") for n in range(8)]
    originals = lines("turkcorpus/test.truecase.detok.orig")
    return originals, [list(row) for row in zip(*columns, strict=True)], lines("hsplit/hsplit.tok.1")


class Spoiler:
    """Makes the wrong simplifications out of parsed good ones."""

    def __init__(self, analyser: Analyser, lang: str) -> None:
        self.analyser = analyser
        self.space = "" if lang == "zh" else " "
        self.random = random.Random(20)

    def parse(self, texts: Sequence[str]) -> list[tuple[Text, list[SceneGraph]]]:
        segmented = self.analyser.segment(texts)
        return [
            (text, graphs if isinstance(graphs, list) else [])
            for text, graphs in zip(segmented, self.analyser.graphs(segmented), strict=True)
        ]

    def units(
        self, graphs: Sequence[SceneGraph], categories: frozenset[str], longest: int
    ) -> list[list[tuple[int, ...]]]:
        """Token indexes of the units of these categories, sentence by sentence, no longer than that many tokens."""
        result, offset = [], 0
        for graph in graphs:
            found = []
            for scene in graph.scene_units():
                for unit in graph.children(scene, categories):
                    tokens = graph.tokens_below(unit, remote=False)
                    if 0 < len(tokens) <= longest:
                        found.append(tuple(token + offset for token in tokens))
            result.append(found)
            offset += len(graph.tokens)
        return result

    def join(self, words: Sequence[str]) -> str:
        return self.space.join(word for word in words if word)

    def without_participant(self, text: Text, graphs: Sequence[SceneGraph]) -> str | None:
        choices = [unit for units in self.units(graphs, frozenset({PARTICIPANT}), 8) for unit in units]
        if not choices:
            return None
        gone = set(self.random.choice(choices))
        return self.join([word for index, word in enumerate(text.words) if index not in gone])

    def with_other_verb(self, text: Text, graphs: Sequence[SceneGraph], verbs: Sequence[str]) -> str | None:
        choices = [unit for units in self.units(graphs, MAIN_RELATIONS, 1) for unit in units]
        if not choices:
            return None
        ((place,),) = [self.random.choice(choices)]
        words = list(text.words)
        words[place] = self.random.choice([verb for verb in verbs if verb not in words])
        return self.join(words)

    def with_swap(self, text: Text, graphs: Sequence[SceneGraph]) -> str | None:
        sentences = [units for units in self.units(graphs, frozenset({PARTICIPANT}), 6) if units]
        if len(sentences) < 2:
            return None
        first, second = (self.random.choice(units) for units in self.random.sample(sentences, 2))
        words = list(text.words)
        here, there = [words[i] for i in first], [words[i] for i in second]
        if self.join(here).lower() == self.join(there).lower():
            return None
        for unit, new in ((first, there), (second, here)):
            for index in unit:
                words[index] = ""
            words[unit[0]] = self.join(new)
        return self.join(words)


def closest(texts: Sequence[Text]) -> list[int]:
    """For each text the index of the other one that shares most of its words (Jaccard)."""
    bags = [{word.lower() for word in text.words if any(map(str.isalpha, word))} for text in texts]
    return [
        max((len(bag & other) / len(bag | other or {""}), -j, j) for j, other in enumerate(bags) if j != i)[2]
        for i, bag in enumerate(bags)
    ]


def ranked_right(right: float, wrong: float) -> float:
    return 1.0 if right > wrong else 0.5 if right == wrong else 0.0


def main() -> None:
    lang, limit = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None
    originals, simplified, split = (column[:limit] for column in corpus(lang))
    scorer = sema.Scorer(lang, METRICS[lang])
    spoiler = Spoiler(scorer.engine.analyser, lang)
    good = [row[0] for row in simplified]
    parsed, parsed_split = spoiler.parse(good), spoiler.parse(split)
    verbs = sorted(
        {
            text.words[unit[0]]
            for text, graphs in parsed
            for units in spoiler.units(graphs, MAIN_RELATIONS, 1)
            for unit in units
        }
    )
    near = closest(scorer.engine.analyser.segment(originals))
    whole = [spoiler.join(text.words) for text, _ in parsed]
    spoilt: dict[str, tuple[list[str], list[str | None]]] = {
        "a": (good, [simplified[j][1] for j in near]),
        "b": (whole, [spoiler.without_participant(*one) for one in parsed]),
        "c": (whole, [spoiler.with_other_verb(*one, verbs) for one in parsed]),
        "d": (
            [spoiler.join(text.words) for text, _ in parsed_split],
            [spoiler.with_swap(*one) for one in parsed_split],
        ),
        "e": (whole, [spoiler.join(text.words[: len(text.words) // 2]) for text, _ in parsed]),
    }
    shares: dict[str, list[str]] = {name: [] for name in METRICS[lang]}
    counts = []
    for right, wrong in spoilt.values():
        kept = [index for index, text in enumerate(wrong) if text]
        counts.append(len(kept))
        outputs = {"right": [right[i] for i in kept], "wrong": [wrong[i] or "" for i in kept]}
        report = scorer.score([originals[i] for i in kept], outputs, [simplified[i][1:] for i in kept])
        pairs = list(zip(*(system.items for system in report.systems), strict=True))
        for name in METRICS[lang]:
            shares[name].append(f"{100 * fmean(ranked_right(x.scores[name], y.scores[name]) for x, y in pairs):.1f}")
    print(f"signature: {scorer.signature}\n")
    print("| metric | " + " | ".join(f"({kind}) {what}" for kind, what in KINDS.items()) + " | mean |")
    print("|---|" + "---:|" * (len(KINDS) + 1))
    for name, row in shares.items():
        print(f"| {name} | " + " | ".join(row) + f" | {fmean(map(float, row)):.1f} |")
    print("| pairs | " + " | ".join(map(str, counts)) + " | |")


if __name__ == "__main__":
    main()
