"""Chinese from raw text against gold trees: words, tags, trees, and Scenes of these trees.

``python -m benchmarks.sema_chinese.parsing [--installed] [FILE.conllu]`` (default: UD Chinese GSDSimp test).

Each sentence of the file is an item, given as raw text. Words are matched by their characters. Words, UPOS, UAS and LAS
are those of the CoNLL 2018 shared task (F1; LAS without relation subtypes). Scenes built from the parser's trees are
compared with Scenes built from the gold trees by the same rules: two main relations, or two Participants of matched
Scenes, match where their minimal centers share characters, one to one, the largest overlap first.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sema_chinese.coverbs import settle_coverbs
from sema_chinese.provider import ChineseProvider
from sema_chinese.segmentation.segmenter import ChineseSegmenter
from sema_ud.conllu import read_passage
from sema_ud.extraction import ExtractionOptions, Heads, clause_heads, extract_scenes
from sema_ud.trees import ROOT, DependencyTree

from benchmarks.records import CommandLine, Figures, run
from sema.datasets.folder import data_folder
from sema.model.scene_graph import Center, Scene
from sema.model.text import Text

DEFAULT = ("ud", "zh_gsdsimp", "zh_gsdsimp-ud-test.conllu")
AIMS = {"LAS": 65, "clause heads": 87, "dependents of matched clause heads": 77}
AIMS |= {"gold root among the predicted main relations": 91}
Span = tuple[int, int]
Characters = frozenset[int]


@dataclass(frozen=True)
class Item:
    """One raw sentence with its trees (the gold one, or as many as the segmenter found) and its words' characters."""

    trees: Sequence[DependencyTree]
    spans: Sequence[Sequence[Span]]


class F1:
    """Counts of matches, of gold elements and of predicted ones."""

    def __init__(self) -> None:
        self.right = self.gold = self.predicted = 0

    def add(self, right: int, gold: int, predicted: int) -> None:
        self.right += right
        self.gold += gold
        self.predicted += predicted

    @property
    def percent(self) -> float:
        return 200 * self.right / max(1, self.gold + self.predicted)


def gold_items(text: Text, trees: Sequence[DependencyTree]) -> tuple[list[str], list[Item]]:
    raws, items = [], []
    for (first, last), tree in zip(text.sentences, trees, strict=True):
        offset, end = text.tokens[first].start, text.tokens[last - 1].end
        raws.append(text.raw[offset:end])
        items.append(Item([tree], [[(t.start - offset, t.end - offset) for t in text.tokens[first:last]]]))
    return raws, items


def predicted_items(texts: Sequence[Text], trees: Sequence[DependencyTree]) -> list[Item]:
    remaining = iter(trees)
    items = []
    for text in texts:
        spans = [[(token.start, token.end) for token in text.tokens[first:last]] for first, last in text.sentences]
        items.append(Item([next(remaining) for _ in spans], spans))
    return items


def words_of(item: Item) -> dict[Span, tuple[str, Span | None, str]]:
    """Each word's UPOS, its head's characters (None for a root) and its relation without subtype."""
    words = {}
    for tree, spans in zip(item.trees, item.spans, strict=True):
        for index, span in enumerate(spans):
            head = tree.heads[index]
            relation = tree.relations[index].split(":")[0]
            words[span] = (tree.upos[index], None if head == ROOT else spans[head], relation)
    return words


def characters(center: Center, spans: Sequence[Span]) -> Characters:
    return frozenset(at for token in center for at in range(*spans[token]))


def scenes_of(item: Item, heads: Heads) -> list[tuple[Characters, list[Characters]]]:
    """Each Scene's main relation and Participants as sets of characters."""
    scenes = []
    for tree, spans in zip(item.trees, item.spans, strict=True):
        for scene in extract_scenes(tree, ExtractionOptions(heads=heads, rules=(settle_coverbs,))).scenes():
            scenes.append((_relation(scene, spans), [_join(p, spans) for p in scene.participants]))
    return scenes


def _relation(scene: Scene, spans: Sequence[Span]) -> Characters:
    return _join(scene.main_relation, spans)


def _join(centers: Sequence[Center], spans: Sequence[Span]) -> Characters:
    return frozenset().union(*(characters(center, spans) for center in centers)) if centers else frozenset()


def match(gold: Sequence[Characters], predicted: Sequence[Characters]) -> list[tuple[int, int]]:
    """Pairs that share characters, one to one, the largest overlap first."""
    overlaps = [
        (2 * len(a & b) / (len(a) + len(b)), i, j) for i, a in enumerate(gold) for j, b in enumerate(predicted) if a & b
    ]
    pairs: list[tuple[int, int]] = []
    for _, i, j in sorted(overlaps, key=lambda row: (-row[0], row[1], row[2])):
        if all(i != one and j != other for one, other in pairs):
            pairs.append((i, j))
    return pairs


def head_words(item: Item) -> dict[Characters, set[Characters]]:
    """Clause heads, each with its dependents other than function words and punctuation."""
    by_span = {}
    for annotated, spans in zip(item.trees, item.spans, strict=True):
        tree = settle_coverbs(annotated)
        for head in clause_heads(tree):
            below = {
                frozenset(range(*spans[index]))
                for index, above in enumerate(tree.heads)
                if above == head and tree.relations[index].split(":")[0] not in {"punct", "mark", "cc", "aux", "case"}
            }
            by_span[frozenset(range(*spans[head]))] = below
    return by_span


def compare(gold: Sequence[Item], predicted: Sequence[Item]) -> dict[str, float]:
    """All figures, in percent."""
    names = ["words UPOS UAS LAS", "clause heads", "dependents of matched clause heads"]
    counts = {name: F1() for name in [*names[0].split(), *names[1:]]}
    scene_counts = {(heads, what): F1() for heads in ("clauses", "root") for what in ("relation", "participants")}
    covered = Counter[str]()
    for truth, guess in zip(gold, predicted, strict=True):
        _compare_words(counts, words_of(truth), words_of(guess))
        _compare_heads(counts, head_words(truth), head_words(guess))
        for heads in ("clauses", "root"):
            _compare_scenes(
                scene_counts[heads, "relation"],
                scene_counts[heads, "participants"],
                scenes_of(truth, heads),
                scenes_of(guess, heads),
            )
        tree, spans = truth.trees[0], truth.spans[0]
        root = frozenset(range(*spans[tree.heads.index(ROOT)]))
        covered["root"] += any(root & relation for relation, _ in scenes_of(guess, "clauses"))
        covered["root as root"] += any(root & relation for relation, _ in scenes_of(guess, "root"))
    figures = {name: count.percent for name, count in counts.items()}
    for heads in ("clauses", "root"):
        figures[f"heads={heads}: main relations F1"] = scene_counts[heads, "relation"].percent
        figures[f"heads={heads}: Participants F1"] = scene_counts[heads, "participants"].percent
    figures["gold root among the predicted main relations"] = 100 * covered["root"] / len(gold)
    figures["gold root is the predicted root"] = 100 * covered["root as root"] / len(gold)
    return figures


def _compare_words(counts: dict[str, F1], gold: dict[Span, tuple], predicted: dict[Span, tuple]) -> None:
    shared = [span for span in gold if span in predicted]
    tests: dict[str, Callable[[tuple, tuple], bool]] = {
        "words": lambda a, b: True,
        "UPOS": lambda a, b: a[0] == b[0],
        "UAS": lambda a, b: a[1] == b[1],
        "LAS": lambda a, b: a[1:] == b[1:],
    }
    for name, test in tests.items():
        right = sum(test(gold[span], predicted[span]) for span in shared)
        counts[name].add(right, len(gold), len(predicted))


def _compare_heads(
    counts: dict[str, F1], gold: dict[Characters, set[Characters]], predicted: dict[Characters, set[Characters]]
) -> None:
    truths, guesses = list(gold), list(predicted)
    pairs = match(truths, guesses)
    counts["clause heads"].add(len(pairs), len(truths), len(guesses))
    for i, j in pairs:
        below, guessed = list(gold[truths[i]]), list(predicted[guesses[j]])
        counts["dependents of matched clause heads"].add(len(match(below, guessed)), len(below), len(guessed))


def _compare_scenes(relations: F1, participants: F1, gold: list, predicted: list) -> None:
    pairs = match([relation for relation, _ in gold], [relation for relation, _ in predicted])
    relations.add(len(pairs), len(gold), len(predicted))
    right = sum(len(match(gold[i][1], predicted[j][1])) for i, j in pairs)
    participants.add(right, sum(len(p) for _, p in gold), sum(len(p) for _, p in predicted))


def measure(
    path: Path, *, prefer_shipped: bool, most: int | None
) -> tuple[str, dict[str, dict[str, float]], dict[str, float]]:
    """The models' signature, figures from raw text and from gold words, and seconds a part."""
    text, trees = read_passage(path)
    raws, gold = (items[:most] for items in gold_items(text, trees))
    trees = trees[:most]
    segmenter = ChineseSegmenter(prefer_shipped=prefer_shipped, threads=1)
    provider = ChineseProvider(prefer_shipped=prefer_shipped, threads=1)
    segmenter.segment(raws[:2])
    provider.parse([trees[0].words])
    seconds = {}
    start = time.perf_counter()
    texts = segmenter.segment(raws)
    seconds["words"] = time.perf_counter() - start
    start = time.perf_counter()
    parsed = provider.parse([words for one in texts for words in one.sentence_words])
    seconds["trees"] = time.perf_counter() - start
    start = time.perf_counter()
    for tree in parsed:
        extract_scenes(tree).scenes()
    seconds["Scenes"] = time.perf_counter() - start
    from_words = [
        Item([tree], item.spans)
        for tree, item in zip(provider.parse([tree.words for tree in trees]), gold, strict=True)
    ]
    figures = {"raw text": compare(gold, predicted_items(texts, parsed)), "gold words": compare(gold, from_words)}
    return provider.signature, figures, {name: len(raws) / value for name, value in seconds.items()}


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="by default UD Chinese GSDSimp test")
    parser.add_argument(
        "--installed", action="store_true", help="the user's own Stanza models instead of the shipped ones"
    )
    arguments = parser.parse(argv)
    path = arguments.file or data_folder(*DEFAULT)
    most = 4 if arguments.smoke else None
    signature, figures, speed = measure(path, prefer_shipped=not arguments.installed, most=most)
    print(f"{path.name}, {signature}\n")
    aims = {(name, "from raw text"): aim for name, aim in AIMS.items()}
    digits = {"from raw text": 1, "from gold words": 1}
    table = Figures("chinese_parsing.figures", "", digits=digits, aims=aims, data=path.stem)
    for name, value in figures["raw text"].items():
        table.row(name, dict(zip(digits, (value, figures["gold words"][name]), strict=True)))
    print()
    rates = Figures("chinese_parsing.speed", "one thread", digits=0, data=path.stem)
    for name, value in speed.items():
        rates.row(name, {"sentences/s": value})


if __name__ == "__main__":
    run(main)
