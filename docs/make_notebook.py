"""Write and run the notebook of the documentation: `make notebook`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).with_name("notebook.ipynb")

CELLS = (
    "# In a notebook\n\nScene graphs, word links, items and reports draw themselves.",
    ">import sema\n\n"
    'scorer = sema.Scorer("en", ["meaning", "sema", "samsa"])\n'
    'source = "John got home and gave Mary a call."\n'
    'outputs = {"split": ["John got home. John gave Mary a call."], "lossy": ["John got home."]}\n'
    "report = scorer.score([source], outputs)\n"
    "report",
    "An item with its evidence: what is lost is struck out, what was added is boxed, colours and numbers say which\n"
    "sentence a Scene went to.",
    ">lossy = report.systems[1].items[0]\nlossy",
    "Word links, as arcs from the source to the sentences of the output:",
    ">item = report.systems[0].items[0].item\n"
    "sema.Alignment(item.source.words, item.output.sentence_words, item.links)",
    "The scene graph behind it. Dashed lines are remote: John is in both Scenes.",
    ">item.graphs[0]",
    "The same as plain data:",
    '>report.evidence(0)["lossy"]["scenes"][0]',
)
"""Texts, and code after a ``>``."""


def cells() -> list[tuple[str, str]]:
    """Kind and source of every cell."""
    return [("code", text[1:]) if text.startswith(">") else ("markdown", text) for text in CELLS]


def main() -> int:
    """Run the cells and write the notebook."""
    import nbformat
    from nbclient import NotebookClient

    make: dict[str, Any] = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
    made = [make[kind](text, id=f"cell-{place}") for place, (kind, text) in enumerate(cells())]
    notebook = nbformat.v4.new_notebook(cells=made)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    NotebookClient(notebook, timeout=600, kernel_name="python3", record_timing=False).execute()
    notebook.metadata.pop("language_info", None)
    NOTEBOOK.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
