"""The list of names from jieba's dictionary: ``python -m training.chinese.word_lists``.

Broken Chinese sentences exchange these (:mod:`training.reader.chinese.breaks`). jieba: MIT licence.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from training.chinese.dictionary import jieba_words, wordnet_words
from training.reader.chinese.breaks import TABLES

NAMES = frozenset(["nr", "ns", "nrt", "nrfg"])
"""Parts of speech of people and places."""
PLACE = "ns"
OFTEN = 10
"""The least frequency of a name."""
VERB = "v"


def names() -> list[str]:
    """People and places of three or four characters, places of two, none of them a verb in a wordnet; sorted."""
    senses = wordnet_words()
    return sorted(
        word
        for word, (frequency, tag) in jieba_words().items()
        if tag in NAMES
        and frequency > OFTEN
        and (len(word) in (3, 4) or (len(word) == 2 and tag == PLACE))
        and VERB not in senses.get(word, ())
    )


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=TABLES, help="folder of the list")
    arguments = parser.parse_args()
    (arguments.to / "names.txt").write_text("\n".join(names()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
