"""How many published UCCA passages survive reading and writing: ``python benchmarks/sema_ucca/roundtrip.py``.

Two judges, neither of which uses our reader. UCCA's own evaluator: no labelled primary, remote or implicit edge is in
one passage only. Strictly: tokens, paragraphs, units, categories, marks and their order are equal in the XML itself.
"""

from __future__ import annotations

import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from sema_ucca.ucca_xml import read_passage, write_passage
from ucca.convert import from_standard
from ucca.evaluation import evaluate

from sema.datasets.folder import data_path

ROOT = Path(__file__).resolve().parents[2]


def strict(root: ElementTree.Element) -> list[object]:
    """Every element of the document but the tools' ``extra``, in order."""
    return [
        (
            element.tag,
            sorted((key, value) for key, value in element.items() if key not in ("slot", "layer_name")),
        )
        for element in root.iter()
        if element.tag != "extra"
    ]


def same_to_ucca(ours: ElementTree.Element, theirs: ElementTree.Element) -> bool:
    """Whether UCCA's evaluator finds no edge in one passage alone."""
    results = evaluate(from_standard(ours), from_standard(theirs), eval_type="labeled")["labeled"].results
    return bool(results) and all(not stats.num_only_guessed and not stats.num_only_ref for stats in results.values())


def main() -> int:
    """Print the counts; 0 if every passage survives both."""
    data = data_path()
    failed = False
    for corpus in ("english-ewt", "english-20k"):
        files = sorted((data / "ucca" / corpus / "xml").glob("*.xml"))
        if not files:
            print(f"no passages in {data}/ucca/{corpus}; set SEMA_DATA to the folder of the data", file=sys.stderr)
            return 1
        evaluator = exact = 0
        seconds = 0.0
        for file in files:
            start = time.perf_counter()
            document = write_passage(read_passage(file), implicit=True)
            seconds += time.perf_counter() - start
            ours, theirs = ElementTree.fromstring(document), ElementTree.parse(file).getroot()
            exact += strict(ours) == strict(theirs)
            evaluator += same_to_ucca(ours, theirs)
        print(
            f"{corpus}: {len(files)} passages; the same by UCCA's evaluator: {evaluator}; strictly: {exact}; "
            f"read and written in {seconds:.1f} s"
        )
        failed |= not len(files) == evaluator == exact
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
