"""Find a system's ten worst items, and say of each in one sentence what is wrong.

python examples/scripts/worst_items.py
"""

from pathlib import Path

import sema
from sema.display.pictures.items import view_item
from sema.display.pictures.verdicts import verdict_of

FOLDER = Path(__file__).resolve().parents[1] / "en"
SHOWN = 10


def main() -> None:
    """Print the worst items with their verdicts."""
    sources, outputs = (
        (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in ("original", "changed")
    )
    system = sema.Scorer("en", ["meaning"]).score(sources, outputs)["output"]
    for item in sorted(system.items, key=lambda item: item.scores["meaning"])[:SHOWN]:
        evidence = item.evidence()
        verdict = verdict_of(evidence, item.scores, view_item(evidence))
        print(f"{item.index:3} {verdict.score:5.1f}  {verdict.sentence}\n          {outputs[item.index]}")


if __name__ == "__main__":
    main()
