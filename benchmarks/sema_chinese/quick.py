"""Chinese without Stanza's Python: the same words, tags, trees and scores as Stanza's own, and what it costs.

    python benchmarks/sema_chinese/quick.py identity [FILE.conllu ...]
    python benchmarks/sema_chinese/quick.py scores
    python benchmarks/sema_chinese/quick.py speed [--rounds 5] [--metrics sema,samsa]
    python benchmarks/sema_chinese/quick.py cold [--rounds 5]

``identity``: every sentence of the Chinese treebanks, from gold words and from raw text, and every text of MCTS dev,
through Stanza as it comes and through ``sema_ud.quick``. ``scores``: all scores of MCTS dev's pairs by both, to the
last digit. ``speed``: those pairs by both in turn, in one process; a warm scorer that has not seen them. Wall and
processor time; the floor is that of the old path in the same run. ``cold``: one pair in a process of its own, start
included, by both in turn.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from sema_chinese import chinese
from sema_chinese.language import facts, lexicon, rules
from sema_chinese.provider import ChineseProvider
from sema_chinese.segmenter import MODEL_CODE, ChineseSegmenter
from sema_ud.conllu import read_sentences
from sema_ud.models import find_models
from sema_ud.stanza_provider import DependencyExtractor, parsing_pipeline

import sema
from sema.datasets.folder import data_path
from sema.model.language import Language

DATA = data_path()
CHUNK = 400
REFERENCES = 5


def by_stanza() -> Language:
    """Chinese as it is, but run by Stanza itself."""

    def extractor() -> DependencyExtractor:
        return DependencyExtractor(MODEL_CODE, provider=ChineseProvider(prefer_shipped=True, quick=False))

    def segmenter() -> ChineseSegmenter:
        return ChineseSegmenter(prefer_shipped=True, quick=False)

    return Language(
        "zh", "Chinese by Stanza", segmenter=segmenter, extractors={"ud": extractor}, aligners={"rules": rules},
        lexicon=lexicon, facts=facts,
    )  # fmt: skip


LANGUAGES = {"Stanza": by_stanza, "quick": chinese}


def mcts() -> tuple[list[str], list[list[str]]]:
    folder = DATA / "simplification/mcts/dataset"
    names = ("orig", *(f"simp.{number}" for number in range(REFERENCES)))
    originals, *references = (folder.joinpath(f"mcts.dev.{name}").read_text("utf-8").splitlines() for name in names)
    return originals, references


def chunks(items: Iterable[Any]) -> Iterable[list[Any]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk


class Identity:
    """Compares the two paths on the same texts."""

    def __init__(self) -> None:
        self.quick = ChineseSegmenter(prefer_shipped=True), ChineseProvider(prefer_shipped=True)
        self.stanza = (
            ChineseSegmenter(prefer_shipped=True, quick=False),
            ChineseProvider(prefer_shipped=True, quick=False),
        )
        model = parsing_pipeline(find_models(MODEL_CODE, prefer_shipped=True)).processors["depparse"].trainer.model
        model.__dict__.pop("decode_graph_predictions")  # Stanza's own decoder

    def trees(self, sentences: Sequence[Sequence[str]]) -> tuple[int, int, int]:
        """Sentences, words, and sentences with a tag, feature, head or relation that differs."""
        found = self.quick[1].parse(sentences), self.stanza[1].parse(sentences)
        different = [one for one, other in zip(*found, strict=True) if one != other]
        for tree in different:
            print("differs:", " ".join(tree.words), flush=True)
        return len(sentences), sum(map(len, sentences)), len(different)

    def words(self, texts: Sequence[str]) -> tuple[list[Sequence[str]], int]:
        """The sentences found, and the number of texts with other words or sentences."""
        found = self.quick[0].segment(texts), self.stanza[0].segment(texts)
        different = [one for one, other in zip(*found, strict=True) if one != other]
        for text in different:
            print("differs:", text.raw, flush=True)
        return [words for text in found[1] for words in text.sentence_words], len(different)

    def row(self, name: str, texts: Iterable[str], gold: Iterable[Sequence[str]] = ()) -> None:
        size = {"texts": 0, "other words": 0}
        parsed = [0, 0, 0]
        for chunk in chunks(texts):
            words, different = self.words(chunk)
            size = {"texts": size["texts"] + len(chunk), "other words": size["other words"] + different}
            parsed = [a + b for a, b in zip(parsed, self.trees(words), strict=True)]
        annotated = [0, 0, 0]
        for sentences in chunks(gold):
            annotated = [a + b for a, b in zip(annotated, self.trees(sentences), strict=True)]
        cells = [name, *size.values(), *parsed, *(annotated if annotated[0] else ["", "", ""])]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def identity(files: Sequence[Path]) -> None:
    compare = Identity()
    columns = ["file", "texts", "other words", *["sentences", "words", "other trees"] * 2]
    print(f"| {' | '.join(columns)} |\n|---|" + "---:|" * 8, flush=True)
    if not files:
        originals, references = mcts()
        compare.row("mcts.dev.orig", originals)
        compare.row("mcts.dev.simp.0-4", (text for column in references for text in column))
    for path in files or sorted(DATA.glob("ud/zh_*/*.conllu")):
        sentences = list(read_sentences(path, version_1="ud1.3" in path.name))
        compare.row(path.name, (one.text for one in sentences), (one.tree.words for one in sentences))


def scores() -> None:
    originals, references = mcts()
    systems = {f"reference {number}": column for number, column in enumerate(references)}
    metrics = ("meaning", "sema", "sema_part", "sema_base", "samsa", "samsa_abl")
    reports = [sema.Scorer(language, metrics).score(originals, systems) for language in (chinese(), by_stanza())]
    pairs = different = 0
    for one, other in zip(*(report.systems for report in reports), strict=True):
        for mine, theirs in zip(one.items, other.items, strict=True):
            pairs += 1
            different += mine.scores != theirs.scores or mine.evidence() != theirs.evidence()
    print(f"{pairs} pairs, {len(metrics)} metrics: {different} pairs with a score or evidence that differs")
    print(f"signatures equal: {reports[0].signature == reports[1].signature}")


def speed(rounds: int, metrics: Sequence[str]) -> None:
    originals, references = mcts()
    languages = {name: language() for name, language in LANGUAGES.items()}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in languages}
    for language in languages.values():
        sema.Scorer(language, metrics).score(originals[:2], references[0][:2])  # loads the models
    for _ in range(rounds):
        for name, language in languages.items():
            scorer = sema.Scorer(language, metrics)
            scorer.score(["今天天气好，我们去公园。"], ["今天天气好。"])
            gc.collect()
            wall, processor = time.perf_counter(), time.process_time()
            scorer.score(originals, references[0])
            taken[name].append((time.perf_counter() - wall, time.process_time() - processor))
    print(f"{len(originals)} pairs, {','.join(metrics)}, {rounds} rounds in turn; median (best)\n")
    print("| path | wall s | pairs/s | processor s | pairs a processor second |\n|---|---:|---:|---:|---:|")
    for name, spent in taken.items():
        walls, processors = zip(*spent, strict=True)
        wall, processor = statistics.median(walls), statistics.median(processors)
        pairs = f"{len(originals) / wall:.0f} ({len(originals) / min(walls):.0f})"
        print(
            f"| {name} | {wall:.2f} ({min(walls):.2f}) | {pairs} | {processor:.2f} ({min(processors):.2f}) "
            f"| {len(originals) / processor:.0f} |"
        )


def cold(rounds: int) -> None:
    taken: dict[str, list[tuple[float, float, float]]] = {name: [] for name in LANGUAGES}
    for _ in range(rounds):
        for name, spent in taken.items():
            start = time.perf_counter()
            process = subprocess.Popen([sys.executable, __file__, "once", name])
            _, status, used = os.wait4(process.pid, 0)
            assert status == 0
            spent.append((time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))
    print(f"one pair, cold, {rounds} rounds in turn; median\n")
    print("| path | wall s | processor s | highest resident set |\n|---|---:|---:|---:|")
    for name, spent in taken.items():
        wall, processor, memory = (statistics.median(column) for column in zip(*spent, strict=True))
        print(f"| {name} | {wall:.2f} | {processor:.2f} | {memory:.0f} MB |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("identity").add_argument("files", nargs="*", type=Path)
    commands.add_parser("scores")
    timing = commands.add_parser("speed")
    timing.add_argument("--rounds", type=int, default=5)
    timing.add_argument("--metrics", default="sema,samsa")
    commands.add_parser("cold").add_argument("--rounds", type=int, default=5)
    commands.add_parser("once").add_argument("path", choices=LANGUAGES)
    options = parser.parse_args()
    if options.command == "identity":
        identity(options.files)
    elif options.command == "scores":
        scores()
    elif options.command == "cold":
        cold(options.rounds)
    elif options.command == "once":
        sema.Scorer(LANGUAGES[options.path](), ("sema", "samsa")).score(["今天天气好，我们去公园。"], ["今天天气好。"])
    else:
        speed(options.rounds, options.metrics.split(","))


if __name__ == "__main__":
    main()
