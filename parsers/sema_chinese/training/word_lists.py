"""Lists of words from jieba's dictionary: ``python -m sema_chinese.training.word_lists``.

The frequent words and the names that the meaning metric's detectors read (``meaning/LISTS_CARD.md``). jieba: MIT
licence.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from sema_chinese.meaning import lists
from sema_chinese.training.dictionary import jieba_words, wordnet_words

COMMON = 4000
NAMES = frozenset(["nr", "ns", "nrt", "nrfg"])
"""Parts of speech of people and places."""
PLACE = "ns"
NOT_COMMON = NAMES | {"nt", "nz", "j"}
"""… and those of organisations, other names, and abbreviations."""
OFTEN = 10
"""How often a name has to have been met."""
VERB = "v"


def common_words() -> list[str]:
    """The most frequent words that are no names, sorted."""
    words = [(frequency, word) for word, (frequency, tag) in jieba_words().items() if tag not in NOT_COMMON]
    return sorted(word for _, word in sorted(words, reverse=True)[:COMMON])


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
    """Write both lists."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=Path(lists.__file__).parent, help="folder of the lists")
    arguments = parser.parse_args()
    for name, words in (("common.txt", common_words()), ("names.txt", names())):
        (arguments.to / name).write_text("\n".join(words) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
