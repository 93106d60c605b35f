"""The CEFR levels of English words: ``tables/cefr_words.txt``, a level and a word a line.

    python -m training.english.cefr_words [--to FOLDER]

From the CEFR-J vocabulary profile (A1 to B2) and Octanove's for C1 and C2. A word that is listed several times,
say as noun and verb, has the lowest of its levels, at which a learner first meets it.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

from sema_english.words import TABLES

from sema.model.levels import CEFR
from training.command import command
from training.data.tables import table

LISTS = ("cefrj_vocabulary", "octanove_c1c2")


def entries() -> Iterator[tuple[str, str]]:
    """Each word of the lists with its level; alternatives (*a.m./am*) are words of their own, phrases are left out."""
    for name in LISTS:
        for row in table("readability", f"{name}.tsv.gz"):
            words = (word.strip().lower() for word in row["headword"].split("/"))
            yield from ((word, row["CEFR"]) for word in words if word and " " not in word)


@command
def main(to: Path = TABLES) -> None:
    """Write the table."""
    levels = dict(sorted(entries(), key=itemgetter(1), reverse=True))  # the lowest level comes last
    lines = [f"{level} {word}\n" for level in CEFR for word in sorted(levels) if levels[word] == level]
    (to / "cefr_words.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
