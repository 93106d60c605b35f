"""Texts for the forms that raters fill in: with marks of HTML, quotation marks and two sentences in one output."""

from pathlib import Path

SOURCES = ["The <b>feline</b> slept & purred.", 'He said "perhaps", and left.', "It rained for forty days and nights."]
OUTPUTS = ["The cat slept.", 'He said "maybe". He left.', "It rained a long time."]


def rated_texts(folder: Path) -> list[str]:
    """The options of ``sema forms`` that name the texts, written to the folder."""
    for name, lines in (("source.txt", SOURCES), ("system.txt", OUTPUTS)):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ["-s", str(folder / "source.txt"), "-o", str(folder / "system.txt")]
