"""What scoring costs with each aligner, and where the time goes, on one core.

    python benchmarks/alignment/cost.py [--pairs 400]

Milliseconds of CPU a pair for the metric `sema` over MTRef dev (tokenized) and TurkCorpus test with its first
reference; models loaded, sentences and words not met before. `learned, apart`: the aligner has an encoder of its own,
so that sources are encoded once to be parsed and once to be aligned; `learned, shared`: the parser's pass serves both.
`again`: another system's outputs (the second reference; for MTRef the outputs without their last word) for the same
sources. The lexicon's share is that of candidates, grids and kinds, without the rule aligner's own questions.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from sema_english.aligner import _Model, learned_aligner
from sema_english.relations import rule_aligner
from sema_english.word_grids import WordGrids
from sema_ucca.encoder import UccaEncoder
from sema_ucca.network import Network
from sema_ucca.parser import UccaParser

from sema import Scorer
from sema.alignment import Aligner
from sema.alignment.relations import WordRelations
from sema.datasets.folder import data_path
from sema.model.text import Text

DATA = data_path()
ROOMS = ("parse", "encode", "grid network", "lexicon")
Columns = tuple[Sequence[Any], Sequence[Any], Sequence[Any]]
spent: defaultdict[str, float] = defaultdict(float)


def timed(owner: type, method: str, room: Callable[..., str]) -> None:
    """Count the CPU time of a method under the name that ``room`` gives its arguments."""
    plain = getattr(owner, method)

    def measured(self: Any, *arguments: Any, **options: Any) -> Any:
        start = time.process_time()
        try:
            return plain(self, *arguments, **options)
        finally:
            spent[room(*arguments, **options)] += time.process_time() - start

    setattr(owner, method, measured)


def mtref() -> Columns:
    rows = [line.split("\t") for line in (DATA / "alignment/mtref-dev.tsv").read_text(encoding="utf-8").splitlines()]
    sources, outputs = ([row[column].split() for row in rows] for column in (1, 3))
    columns = sources, outputs, [words[:-1] or words for words in outputs]
    first, second, third = ([Text.from_sentences([words]) for words in column] for column in columns)
    return first, second, third


def turkcorpus() -> Columns:
    folder = DATA / "simplification/turkcorpus"
    names = ("orig", "simp.0", "simp.1")
    files = [folder / f"test.truecase.detok.{name}" for name in names]
    first, second, third = (file.read_text(encoding="utf-8").splitlines() for file in files)
    return first, second, third


def parts(name: str) -> tuple[UccaParser, Aligner]:
    encoder = UccaEncoder(threads=1)
    if name == "rules":
        return UccaParser(encoder=encoder), rule_aligner()
    own = UccaEncoder(threads=1) if name == "learned, apart" else encoder
    return UccaParser(encoder=encoder), learned_aligner(threads=1, encoder=own)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=400, help="pairs a set")
    most = options.parse_args().pairs
    if not DATA.is_dir():
        print(f"{DATA} is absent; set SEMA_DATA to the data folder", file=sys.stderr)
        return 1
    timed(Network, "run", lambda batch, outputs: "parse" if "margins" in outputs else "encode")
    timed(_Model, "run", lambda *arguments: "grid network")
    for owner, method in ((WordRelations, "related"), (WordRelations, "classify"), (WordGrids, "grid")):
        timed(owner, method, lambda *arguments: "lexicon")
    print("| set | aligner | ms a pair | " + " | ".join(ROOMS) + " | rest | again |")
    print("|---|---|" + "---:|" * (len(ROOMS) + 3))
    for title, load in (("MTRef dev", mtref), ("TurkCorpus test", turkcorpus)):
        sources, outputs, others = load()
        scores = {}
        for name in ("rules", "learned, apart", "learned, shared"):
            extractor, aligner = parts(name)
            scorer = Scorer("en", ("sema",), extractor=extractor, aligner=aligner)
            scorer.score(["Loading takes time."], ["It takes long."])
            spent.clear()
            figures = []
            for column in (outputs, others):
                start = time.process_time()
                report = scorer.score(sources[:most], column[:most])
                total = time.process_time() - start
                figures.append((total, spent.copy(), report.systems[0].scores))
                spent.clear()
            (total, shares, _), (again, _, _) = figures
            scores[name] = [found for _, _, found in figures]
            columns = [total, *(shares[room] for room in ROOMS), total - sum(shares.values()), again]
            size = len(sources[:most])
            print(f"| {title} | {name} | " + " | ".join(f"{1000 * value / size:.2f}" for value in columns) + " |")
        assert scores["learned, apart"] == scores["learned, shared"], "sharing must not change a score"
    return 0


if __name__ == "__main__":
    sys.exit(main())
