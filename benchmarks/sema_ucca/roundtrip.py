"""UCCA passages that are unchanged after reading and writing: ``python -m benchmarks.sema_ucca.roundtrip``.

By UCCA's own evaluator, which does not use our reader: no labelled primary, remote or implicit edge is in one passage
only.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

from sema_ucca.ucca_xml import read_passage, write_passage
from ucca.convert import from_standard
from ucca.evaluation import evaluate

from benchmarks.records import CommandLine, Figures, run
from sema.datasets.folder import data_folder


def same_to_ucca(ours: ElementTree.Element, theirs: ElementTree.Element) -> bool:
    """Whether UCCA's evaluator finds no edge in one passage alone."""
    results = evaluate(from_standard(ours), from_standard(theirs), eval_type="labeled")["labeled"].results
    return bool(results) and all(not stats.num_only_guessed and not stats.num_only_ref for stats in results.values())


def main(argv: Sequence[str] | None = None) -> int:
    """Print the counts; 0 if every passage is unchanged."""
    most = 3 if CommandLine(__doc__).parse(argv).smoke else None
    failed = False
    table = Figures("ucca_roundtrip.passages", "corpus", digits=0)
    for corpus in ("english-ewt", "english-20k", "english-wiki"):
        files = sorted(data_folder("ucca", corpus, "xml").glob("*.xml"))[:most]
        same = 0
        for file in files:
            document = write_passage(read_passage(file))
            ours, theirs = ElementTree.fromstring(document), ElementTree.parse(file).getroot()
            same += same_to_ucca(ours, theirs)
        table.row(corpus, {"the same by UCCA's evaluator": same}, n=len(files))
        failed |= same < len(files)
    return int(failed)


if __name__ == "__main__":
    run(main)
