"""UCCA passages that are unchanged after reading and writing: ``python -m benchmarks.sema_ucca.roundtrip``.

Two checks, neither of which uses our reader. UCCA's own evaluator: no labelled primary, remote or implicit edge is in
one passage only. Strictly: tokens, paragraphs, units, categories, attributes and their order are equal in the XML.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

from sema_ucca.ucca_xml import read_passage, write_passage
from ucca.convert import from_standard
from ucca.evaluation import evaluate

from benchmarks.records import CommandLine, Figures, run
from sema.datasets.folder import data_folder


def strict(root: ElementTree.Element) -> list[object]:
    """Every element of the document but the tools' ``extra``, in order."""
    kept = (element for element in root.iter() if element.tag != "extra")
    return [(one.tag, sorted(pair for pair in one.items() if pair[0] not in ("slot", "layer_name"))) for one in kept]


def same_to_ucca(ours: ElementTree.Element, theirs: ElementTree.Element) -> bool:
    """Whether UCCA's evaluator finds no edge in one passage alone."""
    results = evaluate(from_standard(ours), from_standard(theirs), eval_type="labeled")["labeled"].results
    return bool(results) and all(not stats.num_only_guessed and not stats.num_only_ref for stats in results.values())


def main(argv: Sequence[str] | None = None) -> int:
    """Print the counts; 0 if every passage passes both checks."""
    most = 3 if CommandLine(__doc__).parse(argv).smoke else None
    failed = False
    table = Figures("ucca_roundtrip.passages", "corpus", digits=0)
    for corpus in ("english-ewt", "english-20k", "english-wiki"):
        files = sorted(data_folder("ucca", corpus, "xml").glob("*.xml"))[:most]
        evaluator = exact = 0
        for file in files:
            document = write_passage(read_passage(file))
            ours, theirs = ElementTree.fromstring(document), ElementTree.parse(file).getroot()
            exact += strict(ours) == strict(theirs)
            evaluator += same_to_ucca(ours, theirs)
        table.row(corpus, {"the same by UCCA's evaluator": evaluator, "strictly the same": exact}, n=len(files))
        failed |= not len(files) == evaluator == exact
    return int(failed)


if __name__ == "__main__":
    run(main)
