"""Machine translations with their post-edits (MLQE-PE, Fomicheva et al., LREC 2022) as training pairs.

The post-edit says what should be there; the words that it changes are the errors of the translation. The originals give
pairs across languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

from training.data.tables import table
from training.data.text import detokenized
from training.reader.example import ENTAILED, NEUTRAL, UNKNOWN, Example, labelled
from training.reader.stories import differing

ENGLISH = ("ro", "ru", "et", "ne", "si")
"""Languages that were translated into English."""
_COPIES = 0.05
"""The share of unedited translations that are kept; half of the Russian ones are unedited."""
_GROUPS = count(30_000_000)


def all_translations(rng: Random) -> Iterator[Example]:
    """Post-edit and translation; original and post-edit, or original and the translation of another."""
    for name in (*(f"{code}-en" for code in ENGLISH), "en-zh"):
        into_english = name != "en-zh"
        rows = list(table("translation", f"{name}.train.tsv.gz"))
        for row in rows:
            good, output = (
                detokenized(row[part]) if into_english else "".join(row[part].split()) for part in ("post_edit", "mt")
            )
            if not good or not output or not row["source"]:
                continue
            changed, group = float(row["hter"]), next(_GROUPS)
            same = max(0.0, 1 - 1.2 * changed)
            if changed or rng.random() < _COPIES:
                known = differing(good, output) if into_english and 0 < changed < 0.4 else ((), ())
                yield Example("translations", good, output, same, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, *known,
                              group=group, graded=0.0)  # fmt: skip
            source = detokenized(row["source"]) if name == "en-zh" else row["source"]
            if rng.random() < 0.3:
                known = labelled(source), labelled(good)
                pair = Example("translations", source, good, 0.97, 0.97, 0.97, ENTAILED, ENTAILED, UNKNOWN, *known)
                yield pair if rng.random() < 0.5 else pair.turned()
            if rng.random() < 0.05:
                other = rng.choice(rows)["mt"]
                other = detokenized(other) if into_english else "".join(other.split())
                yield Example("translations", source, other, 0.01, 0.02, 0.03, NEUTRAL, NEUTRAL)
