"""Predicted words, trees and Scenes of passages against gold ones.

Words are matched by their characters. Sentences, words, UPOS, UAS and LAS are those of the CoNLL 2018 shared task (F1;
relations without subtypes). Scenes of predicted trees are compared with Scenes of gold trees by the same rules: two
main relations, or two Participants of matched Scenes, match where their minimal centers share characters, one to one,
the largest overlap first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sema_ud.extraction import Heads, clause_heads, extract_scenes, settle_coverbs
from sema_ud.trees import ROOT, DependencyTree

from benchmarks.overlap import Overlap, overlap
from sema.model.scene_graph import Center
from sema.model.text import Text

Place = tuple[int, ...]
"""A word's characters in its passage (half-open); a word of a multiword token also has its number in the token, since a
parser of words as they are written never finds it."""
Word = tuple[str, Place | None, str]
"""UPOS, the head's place (None for a root), and the relation without subtype."""
Characters = frozenset[int]
Whole = tuple[Characters, list[Characters]]
"""A Scene or clause by its main relation or head, and its Participants or dependents."""
FUNCTION = frozenset({"punct", "mark", "cc", "aux", "case"})  # no clause is judged by them
HEADS: tuple[Heads, ...] = ("clauses", "root")
TESTS: Mapping[str, Callable[[Word, Word], bool]] = {
    "words": lambda gold, predicted: True,
    "UPOS": lambda gold, predicted: gold[0] == predicted[0],
    "UAS": lambda gold, predicted: gold[1] == predicted[1],
    "LAS": lambda gold, predicted: gold[1:] == predicted[1:],
}


@dataclass(frozen=True)
class Item:
    """A passage's trees, one for each sentence, and the places of their words."""

    trees: Sequence[DependencyTree]
    places: Sequence[Sequence[Place]]

    @classmethod
    def parsed(cls, text: Text, trees: Sequence[DependencyTree]) -> Item:
        """A segmented text with a tree for each of its sentences."""
        return cls(trees, [[(token.start, token.end) for token in text.tokens[a:b]] for a, b in text.sentences])

    def sentences(self) -> set[Place]:
        """The characters of each sentence, from its first word's first to its last word's last."""
        return {(places[0][0], places[-1][1]) for places in self.places}

    def words(self) -> dict[Place, Word]:
        """The words by place."""
        words: dict[Place, Word] = {}
        for tree, places in zip(self.trees, self.places, strict=True):
            for place, upos, head, relation in zip(places, tree.upos, tree.heads, tree.relations, strict=True):
                words[place] = (upos, None if head == ROOT else places[head], relation.partition(":")[0])
        return words

    def roots(self) -> list[Place]:
        """The place of each sentence's root."""
        return [places[tree.heads.index(ROOT)] for tree, places in zip(self.trees, self.places, strict=True)]

    def scenes(self, heads: Heads) -> list[Whole]:
        """The characters of each Scene's main relation and Participants."""
        return [
            (_of_centers(scene.main_relation, places), [_of_centers(part, places) for part in scene.participants])
            for tree, places in zip(self.trees, self.places, strict=True)
            for scene in extract_scenes(tree, heads=heads).scenes()
        ]

    def clauses(self) -> list[Whole]:
        """Clause heads, each with its dependents except function words and punctuation."""
        found: list[Whole] = []
        for tree, places in zip(self.trees, self.places, strict=True):
            tree = settle_coverbs(tree)
            for head in clause_heads(tree):
                below = [
                    characters(places[child])
                    for child, above in enumerate(tree.heads)
                    if above == head and tree.relations[child].partition(":")[0] not in FUNCTION
                ]
                found.append((characters(places[head]), below))
        return found


def characters(place: Place) -> Characters:
    """The characters of a word."""
    return frozenset(range(*place[:2]))


def _of_centers(centers: Sequence[Center], places: Sequence[Place]) -> Characters:
    return frozenset().union(*(characters(places[token]) for center in centers for token in center))


def match(gold: Sequence[Characters], predicted: Sequence[Characters]) -> list[tuple[int, int]]:
    """Pairs that share an element, one to one, the largest overlap first."""
    shares = [
        (2 * len(a & b) / (len(a) + len(b)), i, j) for i, a in enumerate(gold) for j, b in enumerate(predicted) if a & b
    ]
    pairs: dict[int, int] = {}
    for _, i, j in sorted(shares, key=lambda row: (-row[0], row[1], row[2])):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return list(pairs.items())


def compare_words(gold: Sequence[Item], predicted: Sequence[Item]) -> dict[str, float]:
    """F1 of words, UPOS, UAS and LAS, in percent."""
    counts = dict.fromkeys(TESTS, Overlap())
    for truth, guess in zip(gold, predicted, strict=True):
        wanted, found = truth.words(), guess.words()
        shared = wanted.keys() & found.keys()
        for name, test in TESTS.items():
            counts[name] += Overlap(sum(test(wanted[at], found[at]) for at in shared), len(found), len(wanted))
    return {name: 100 * count.f1 for name, count in counts.items()}


def compare_sentences(gold: Sequence[Item], predicted: Sequence[Item]) -> tuple[float, float]:
    """F1 of sentences, and the share of gold sentences whose root is that of a predicted one, in percent."""
    found, truth = ([item.sentences() for item in items] for items in (predicted, gold))
    roots = overlap([item.roots() for item in predicted], [item.roots() for item in gold])
    return 100 * overlap(found, truth).f1, 100 * roots.recall


def compare_scenes(gold: Sequence[Item], predicted: Sequence[Item]) -> dict[str, float]:
    """Clauses, Scenes, and gold roots among main relations, in percent."""
    clauses = dependents = Overlap()
    relations, participants = dict.fromkeys(HEADS, Overlap()), dict.fromkeys(HEADS, Overlap())
    found = Counter[tuple[str, Heads]]()
    for truth, guess in zip(gold, predicted, strict=True):
        wholes, parts = _matches(truth.clauses(), guess.clauses(), matched=True)
        clauses, dependents = clauses + wholes, dependents + parts
        for heads in HEADS:
            scenes = {"gold": truth.scenes(heads), "predicted": guess.scenes(heads)}
            wholes, parts = _matches(*scenes.values(), matched=False)
            relations[heads], participants[heads] = relations[heads] + wholes, participants[heads] + parts
            for name, those in scenes.items():
                covered = frozenset().union(*(relation for relation, _ in those))
                found[name, heads] += sum(not covered.isdisjoint(characters(root)) for root in truth.roots())
    figures = {"clause heads": 100 * clauses.f1, "dependents of matched clause heads": 100 * dependents.f1}
    for heads in HEADS:
        figures[f"heads={heads}: main relations F1"] = 100 * relations[heads].f1
        figures[f"heads={heads}: Participants F1"] = 100 * participants[heads].f1
    sentences = sum(len(item.trees) for item in gold)
    figures["gold root among the predicted main relations"] = 100 * found["predicted", "clauses"] / sentences
    figures["gold root among the gold ones"] = 100 * found["gold", "clauses"] / sentences
    figures["gold root is the predicted root"] = 100 * found["predicted", "root"] / sentences
    return figures


def _matches(gold: Sequence[Whole], predicted: Sequence[Whole], *, matched: bool) -> tuple[Overlap, Overlap]:
    """The matches of wholes and, within matched wholes, of their parts; parts of all count unless ``matched``."""
    pairs = match([whole for whole, _ in gold], [whole for whole, _ in predicted])
    wholes = Overlap(len(pairs), len(predicted), len(gold))
    right = sum(len(match(gold[i][1], predicted[j][1])) for i, j in pairs)
    if matched:
        gold, predicted = [gold[i] for i, _ in pairs], [predicted[j] for _, j in pairs]
    return wholes, Overlap(right, sum(len(below) for _, below in predicted), sum(len(below) for _, below in gold))
