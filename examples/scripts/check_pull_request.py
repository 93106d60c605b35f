"""A check for pull requests: fails when a system keeps less of the meaning than before.

    python examples/scripts/check_pull_request.py original.txt before.txt after.txt --points 1

The exit status is 1 if the outputs after the change score at least so many points less, and significantly so.
"""

import argparse
import sys
from pathlib import Path

import sema
from sema.evaluation.clusters import same_sources
from sema.evaluation.comparison import compare


def main() -> int:
    """Compare the outputs before and after the change."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("original", "before", "after"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--points", type=float, default=1.0, help="a loss that matters")
    given = parser.parse_args()
    sources, before, after = (
        path.read_text(encoding="utf-8").splitlines() for path in (given.original, given.before, given.after)
    )
    report = sema.Scorer("en", ["meaning"]).score(sources, {"before": before, "after": after}, keep_items=False)
    (pair,) = compare(report, clusters=same_sources(sources)).pairs
    change, p = -pair.difference.value, max(pair.difference.p_bootstrap, pair.difference.p_randomization)
    fell = change <= -given.points and p < 0.05
    print(f"meaning {report['before'].scores['meaning']:.1f} -> {report['after'].scores['meaning']:.1f} (p = {p:.3f})")
    if fell:
        worst = ", ".join(str(item) for item, _ in pair.first_wins[:5])
        print(f"meaning fell by {-change:.1f} points; look at items {worst}")
    return int(fell)


if __name__ == "__main__":
    sys.exit(main())
