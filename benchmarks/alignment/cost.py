"""The cost of scoring with each aligner, by step, on one core.

    python -m benchmarks.alignment.cost [--pairs 400]

Milliseconds of processor time a pair for the metric `sema` over MTRef dev (tokenized) and TurkCorpus test with its
first reference, with loaded models and uncached sentences and words. `learned, apart`: the aligner has its own encoder,
so sources are encoded once for parsing and once for alignment; `learned, shared`: one pass serves both. `again`:
another system's outputs (the second reference; for MTRef the outputs without their last word) for the same sources. The
lexicon's share covers candidates, grids and kinds of links, but not the rule aligner's own look-ups.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

from sema_english.aligner import _Model, learned_aligner
from sema_english.relations import rule_aligner
from sema_english.word_grids import WordGrids
from sema_ucca.encoder import UccaEncoder
from sema_ucca.network import Network
from sema_ucca.parser import UccaParser

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import turkcorpus
from sema import Scorer
from sema.alignment import Aligner
from sema.alignment.relations import WordRelations
from sema.datasets.folder import data_folder
from sema.model.text import Text

STEPS = ("parse", "encode", "grid network", "lexicon")
COLUMNS = ("all", *STEPS, "rest", "again")
Columns = tuple[Sequence[Any], Sequence[Any], Sequence[Any]]
spent: defaultdict[str, float] = defaultdict(float)


def timed(owner: type, method: str, step: Callable[..., str]) -> Any:
    """A patch that adds the processor time of a method to the step that ``step`` names for its arguments."""
    plain = getattr(owner, method)

    def measured(self: Any, *arguments: Any, **options: Any) -> Any:
        start = time.process_time()
        try:
            return plain(self, *arguments, **options)
        finally:
            spent[step(*arguments, **options)] += time.process_time() - start

    return patch.object(owner, method, measured)


def mtref() -> Columns:
    file = data_folder("alignment", "mtref-dev.tsv")
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    sources, outputs = ([row[column].split() for row in rows] for column in (1, 3))
    columns = sources, outputs, [words[:-1] or words for words in outputs]
    first, second, third = ([Text.from_sentences([words]) for words in column] for column in columns)
    return first, second, third


def turk() -> Columns:
    first, second, third = turkcorpus("test", references=2)
    return first, second, third


def parts(name: str) -> tuple[UccaParser, Aligner]:
    encoder = UccaEncoder(threads=1)
    if name == "rules":
        return UccaParser(encoder=encoder), rule_aligner()
    own = UccaEncoder(threads=1) if name == "learned, apart" else encoder
    return UccaParser(encoder=encoder), learned_aligner(threads=1, encoder=own)


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--pairs", type=int, default=400, help="pairs a set")
    arguments = parser.parse(argv)
    most = 3 if arguments.smoke else arguments.pairs
    with ExitStack() as patches:
        margins = timed(Network, "run", lambda batch, outputs: "encode" if list(outputs) == ["states"] else "parse")
        patches.enter_context(margins)
        patches.enter_context(timed(_Model, "run", lambda *arguments: "grid network"))
        for owner, method in ((WordRelations, "related"), (WordRelations, "classify"), (WordGrids, "grid")):
            patches.enter_context(timed(owner, method, lambda *arguments: "lexicon"))
        for title, load in (("MTRef dev", mtref), ("TurkCorpus test", turk)):
            measure(title, load(), most)


def measure(title: str, columns: Columns, most: int) -> None:
    """Print the rows of one set."""
    sources, outputs, others = (column[:most] for column in columns)
    scores = {}
    table = Figures("alignment.cost", "set, aligner; ms a pair", digits=dict.fromkeys(COLUMNS, 2), data=title)
    for name in ("rules", "learned, apart", "learned, shared"):
        extractor, aligner = parts(name)
        scorer = Scorer("en", ("sema",), extractor=extractor, aligner=aligner)
        scorer.score(["Loading takes time."], ["It takes long."])
        spent.clear()
        figures = []
        for column in (outputs, others):
            start = time.process_time()
            report = scorer.score(sources, column)
            total = time.process_time() - start
            figures.append((total, spent.copy(), report.systems[0].scores))
            spent.clear()
        (total, shares, _), (again, _, _) = figures
        scores[name] = [score for _, _, score in figures]
        seconds = [total, *(shares[step] for step in STEPS), total - sum(shares.values()), again]
        times = [1000 * value / len(sources) for value in seconds]
        table.row(f"{title}, {name}", dict(zip(COLUMNS, times, strict=True)), n=len(sources))
    assert scores["learned, apart"] == scores["learned, shared"], "sharing must not change a score"


if __name__ == "__main__":
    run(main)
