"""Score a Hugging Face dataset on disk, and save it again with a column for each metric.

    python examples/scripts/score_dataset.py FOLDER SCORED --source original --output simplified

FOLDER is what `Dataset.save_to_disk` wrote.
"""

import argparse

import datasets

import sema

METRICS = ["meaning", "fkgl"]


def main() -> None:
    """Add the scores to the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("scored")
    parser.add_argument("--source", default="source")
    parser.add_argument("--output", default="output")
    given = parser.parse_args()
    rows = datasets.load_from_disk(given.folder)
    report = sema.Scorer("en", METRICS).score(
        list(rows[given.source]), list(rows[given.output]), collect_errors=True, keep_items=False
    )
    frame = report.to_frame()
    for name in METRICS:
        rows = rows.add_column(name, frame[name].astype(float).tolist())
    rows.save_to_disk(given.scored)
    print(", ".join(f"{name} {value:.1f}" for name, value in report["output"].scores.items()))


if __name__ == "__main__":
    main()
