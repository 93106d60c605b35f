"""Keep the pairs of a training corpus that keep the meaning and reach a level; killed, it goes on where it was.

    python examples/scripts/filter_corpus.py corpus.jsonl kept.jsonl --meaning 85 --level 3

The corpus has a source and an output in each row (.jsonl, .csv, .tsv, .parquet); --level 3 is B1.
"""

import argparse
import json
from pathlib import Path

from rich.progress import Progress

import sema
from sema.files.texts import open_column


def main() -> None:
    """Score into a run beside the result, then write the pairs that pass."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("kept", type=Path)
    parser.add_argument("--meaning", type=float, default=85.0, help="the least score of meaning")
    parser.add_argument("--level", type=float, default=6.0, help="the highest CEFR level, 1 (A1) to 6 (C2)")
    given = parser.parse_args()
    source, output = open_column(given.corpus, "source"), open_column(given.corpus, "output")
    folder = given.kept.with_suffix(".run")
    with Progress() as bar:
        task = bar.add_task("scoring", total=len(source.values))
        run = sema.Scorer("en", ["meaning", "cefr"]).write(
            folder,
            source.values,
            {"output": output.values},
            resume=folder.exists(),
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    count = 0
    with given.kept.open("w", encoding="utf-8") as file:
        for item, texts in zip(run.report()["output"].items, run.all_texts(), strict=True):
            if item.error is None and item.scores["meaning"] >= given.meaning and item.scores["cefr"] <= given.level:
                row = {"source": texts["source"], "output": texts["outputs"]["output"]}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                count += 1
    print(f"{count} of {len(source.values)} pairs kept in {given.kept}; all scores are in {folder}")


if __name__ == "__main__":
    main()
