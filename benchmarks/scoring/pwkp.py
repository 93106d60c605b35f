"""The 100 PWKP originals against every system, and the systems' ranks against people's (Table 4 of the SAMSA paper).

    python benchmarks/scoring/pwkp.py

Prints the command whose table it shows. Of the six rated systems five are public; Reference is rated as well and left
out of the ranks, as in the paper.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from scipy.stats import spearmanr

from sema.datasets.folder import data_path

DATA = data_path()
RATED = {
    "TSM": "TSM.tok",
    "RevILP": "QG+ILP.tok",
    "PBMT-R": "PBMT-R.tok",
    "Hybrid": "Hybrid.tok.low",
    "UNSUP": "UNSUP.tok",
}
METRICS = ("sema", "sema_part", "sema_base", "samsa", "samsa_abl")
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"


def sheet(path: Path) -> list[list[str]]:
    """The cells of an OpenDocument sheet as texts; runs of equal cells are stored once with a count."""
    with zipfile.ZipFile(path) as archive:
        root = ElementTree.fromstring(archive.read("content.xml"))
    result = []
    for row in root.iter(f"{TABLE}table-row"):
        cells: list[str] = []
        for cell in row.iter(f"{TABLE}table-cell"):
            times = int(cell.get(f"{TABLE}number-columns-repeated", "1"))
            cells.extend(["".join(cell.itertext()).strip()] * min(times, 64))
        result.append(cells)
    return result


def human_scores() -> dict[str, dict[str, float]]:
    """Grammaticality G, meaning P, simplicity S and their average by system (section 5.2 of the paper)."""
    answers: dict[str, list[list[float]]] = defaultdict(list)
    system = ""
    for cells in sheet(DATA / "ratings/samsa2018/Human_evaluation_benchmark.ods")[2:]:
        system = cells[0] or system
        numbers = [float(cell) for cell in cells[2:22] if cell]
        if len(numbers) == 20:
            answers[system.split(" (")[0]].append(numbers)
    found = {}
    for name, rows in answers.items():
        question = [fmean(row[annotator * 4 + q] for row in rows for annotator in range(5)) for q in range(4)]
        g, p, s = question[0], ((4 - question[1]) + (4 - question[2])) / 2, question[3]
        found[name] = {"G": g, "P": p, "S": s, "AvgHuman": fmean((g, p, s))}
    return found


def padded(path: Path, folder: str, items: int) -> Path:
    """A copy with blank lines added at the end: two of the files have lost an empty last output."""
    lines = path.read_text(encoding="utf-8").split("\n")[:items]
    copy = Path(folder, path.name)
    copy.write_text("\n".join([*lines, *[""] * (items - len(lines))]) + "\n", encoding="utf-8")
    return copy


def main() -> None:
    systems = sorted((DATA / "simplification/system_outputs/pwkp").iterdir())
    source = DATA / "simplification/pwkp/pwkp.test.orig"
    with tempfile.TemporaryDirectory() as folder:
        copies = [padded(path, folder, 100) for path in systems]
        scores = Path(folder, "scores.csv")
        command = [sys.executable, "-m", "sema", "score", "--lang", "en", "-s", str(source), "-o"]
        command += [*map(str, copies), "--metrics", ",".join(METRICS), "--per-item", str(scores)]
        print("$ sema score --lang en -s pwkp.test.orig -o " + " ".join(path.name for path in systems), flush=True)
        subprocess.run(command, check=True)
        with scores.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    human = human_scores()
    print(f"\nSpearman's rank correlation with people over {len(RATED)} systems: {', '.join(RATED)}\n")
    print("| metric | G | P | S | AvgHuman |\n|---|---:|---:|---:|---:|")
    for metric in METRICS:
        means = [fmean(float(row[metric]) for row in rows if row["system"] == file) for file in RATED.values()]
        values = [
            spearmanr(means, [human[name][key] for name in RATED]).statistic for key in ("G", "P", "S", "AvgHuman")
        ]
        print(f"| {metric} | " + " | ".join(f"{value:.2f}" for value in values) + " |")


if __name__ == "__main__":
    main()
