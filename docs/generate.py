"""What the documentation takes from elsewhere: results, model cards, help texts, the notebook, pictures of texts.

Pictures are drawn, commands and the notebook run when the documentation is built, so that pages show what this version
says.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from pprint import pformat
from typing import Any
from unittest import mock

SOURCE = "John got home and gave Mary a call."
SPLIT = "John got home. John gave Mary a call."
UNSPLIT = "John arrived home and called Mary."
LOSSY = "John got home."
FIRST = (
    "Because heavy rain flooded the road, the school, which has 300 pupils, closed for two days in March.",
    "The school, which has 300 pupils, closed for two years in March because of a fire.",
)
"""The pair of the first page."""
EXECUTED = ("index", "tutorial", "levels", "significance", "zh")
"""Pages whose commands are run, one after the other in a folder with the examples."""
WIDTH, SHOWN = 110, 40
"""The width of a page's output, and how many lines of a command's are shown."""


def everything(root: Path, folder: Path) -> None:
    """Write everything below ``folder`` anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    copies(root, folder)
    commands(folder / "commands.md")
    languages(folder / "languages.md")
    notebook(root / "docs" / "notebook.ipynb", folder / "notebook.md")
    pictures(folder)
    figures(folder)


def copies(root: Path, folder: Path) -> None:
    """Pages that live elsewhere, with links that lead to where they now are, or to nowhere at all."""
    places = {root / "benchmarks" / "RESULTS.md": folder / "results.md"}
    places |= {path: folder / "results" / path.name for path in (root / "benchmarks" / "results").glob("*.md")}
    places[root / "CONTRIBUTING.md"] = folder / "contributing.md"
    cards = sorted(path for part in ("parsers", "lexicons", "apps", "sema") for path in (root / part).rglob("*CARD.md"))
    places |= {path: folder / "cards" / _card_name(path) for path in cards}
    known = places | {path: path for path in (root / "docs").glob("*.md")}
    for original, place in places.items():
        place.parent.mkdir(exist_ok=True)
        text = original.read_text(encoding="utf-8")
        if text.startswith("## "):
            text = re.sub(r"(?m)^#(#+ )", r"\1", text)
        place.write_text(_relinked(text, original, place, known), encoding="utf-8")


TABLE = re.compile(r"(<!-- (?:table |figures\n|compared\n).*?)(?=<!-- end -->)", re.DOTALL)


def with_meanings(page: str, text: str) -> str:
    """A page's text with a link to what a number means at the foot of each table of recorded figures."""
    return text if page == "numbers" else TABLE.sub(r"\1\n{doc}`What a number means </numbers>`\n", text)


CODE = re.compile(r"<!--.*?-->|<(pre|code|script|style|dt)\b.*?</\1>|<[^>]*>", re.DOTALL)


def raw_backticks(html: str) -> list[str]:
    """Lines with a backtick outside code: Markdown or reStructuredText that a page shows as it stands."""
    return [line.strip() for line in CODE.sub("", html).splitlines() if "`" in line]


def with_outputs(page: str, text: str, root: Path) -> str:
    """A page's text with what its commands print below them.

    Raises:
        RuntimeError: a command fails.
    """
    if page not in EXECUTED:
        return text
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(root / "examples", Path(folder) / "examples")
        with contextlib.chdir(folder):
            return re.sub(r"(?ms)^```sh\n(.*?)^```$", lambda block: block[0] + _outputs(block[1]), text)


def _outputs(block: str) -> str:
    printed = "\n\n".join(filter(None, (output_of(line) for line in block.splitlines())))
    return f"\n\n```text\n{printed}\n```" if printed else ""


def output_of(command: str) -> str:
    """The first lines that a command prints."""
    from sema.cli.main import main

    printed, said = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(stream, "utf-8", write_through=True) for stream in (printed, said)]
    width = mock.patch.dict(os.environ, COLUMNS=str(WIDTH))
    with width, contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        try:
            status = main(shlex.split(command)[1:])
        except SystemExit as end:  # of argparse
            status = end.code
    if status:
        raise RuntimeError(f"{command}: {said.getvalue().decode()}")
    lines = [line.rstrip() for line in printed.getvalue().decode().strip("\n").splitlines()]
    return "\n".join([*lines[:SHOWN], *(["…"] if len(lines) > SHOWN else [])])


def _card_name(path: Path) -> str:
    """A name for a card's page, of its folders from the package on: a package has several cards."""
    parts = path.with_suffix("").parts
    package = max(place for place, part in enumerate(parts) if part.startswith("sema"))
    return "-".join(parts[package:]).lower() + ".md"


def _relinked(text: str, original: Path, place: Path, known: dict[Path, Path]) -> str:
    def relink(link: re.Match[str]) -> str:
        words, target = link.groups()
        if "://" in target or target.startswith("#"):
            return link[0]
        path, _, anchor = target.partition("#")
        there = known.get((original.parent / path).resolve())
        if there is None:
            return words
        return f"[{words}]({os.path.relpath(there, place.parent)}{'#' + anchor if anchor else ''})"

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", relink, text)


def commands(path: Path) -> None:
    """Every command with its help."""
    from sema.cli.main import build_parser

    os.environ["COLUMNS"] = "100"
    parser = build_parser()
    parts = ["# Commands", "What `sema COMMAND --help` prints."]
    for name, command in _commands(parser):
        parts += [f"## sema {name}", f"```text\n{command.format_help().strip()}\n```"]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def languages(path: Path) -> None:
    """The table of `sema languages`, each language's parts one below the other."""
    from sema.cli.installed import language_table

    table = language_table()
    parts = ["# Languages", "What each language has; `sema languages` prints this table."]
    names = [f"`{row[0]}`" for row in table.rows]
    rows = [[what, *(str(row[place]) for row in table.rows)] for place, what in enumerate(table.header[1:-1], 1)]
    parts.append("\n".join(f"| {' | '.join(row)} |" for row in (["", *names], ["---"] * (len(names) + 1), *rows)))
    parts.append("`any:<code>` is what `--lang fr` means for a language without a package of its own.")
    parts.append("`en-to-es` is what `--source-lang en --lang es` means: each side has the parts of its language.")
    parts += ["## Languages with figures", with_figures()]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def with_figures() -> str:
    """A table of the languages whose words, trees and roots were measured, in percent, with what each has."""
    from sema_ud.networks import figures

    from sema.languages import find_language

    names = list(next(iter(figures().values())))
    rows = [["code", "language", *names, "Scenes", "lexicon", "metrics of its own"]]
    rows.append(["---", "---", *["---:"] * len(names), *["---"] * 3])
    for code, measured in sorted(figures().items()):
        language = find_language(code)
        own = ", ".join(f"`{name}`" for name in language.metrics)
        has = [" ".join(language.extractors), "yes" if language.lexicon is not None else "", own]
        rows.append([f"`{code}`", language.name, *(f"{measured[name]:.1f}" for name in names), *has])
    text = "Of raw text, on test parts (Arabic, Czech, Hindi, Polish and Thai: on sentences held out); "
    text += "every figure by treebank is on the [page of trees](results/parsing.md)."
    return text + "\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows)


def readability() -> str:
    """The table of readability formulas, each with its language and its weights; ``fk`` marks a language's own."""
    from sema_reader.languages import codes
    from sema_ud.formulas import default_formula, formulas

    rows = [["metric", "language", "formula", "easier", "by"], ["---"] * 5]
    for name, formula in formulas().items():
        language = codes()[formula.language] if formula.language else "any with spaces"
        own = ", `fk`" if default_formula(formula.language) == name else ""
        terms = [f"{weight:+.5g} x {quantity}" for quantity, weight in formula.terms.items()]
        weights = " ".join([*([f"{formula.constant:g}"] if formula.constant else []), *terms]).removeprefix("+")
        shown = re.sub(r"(?<= )([+-])", r"\1 ", weights)
        rows.append([f"`{name}`{own}", language, shown, formula.easier, f"{formula.title}: {formula.reference}"])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def notebook(original: Path, path: Path) -> None:
    """The notebook as a page: text, code, and what the code shows when it is run."""
    parts, names = [], dict[str, Any]()
    for cell in json.loads(original.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        *before, last = ast.parse(text).body
        assert isinstance(last, ast.Expr)
        exec(compile(ast.Module(before, []), original.name, "exec"), names)
        shown = eval(compile(ast.Expression(last.value), original.name, "eval"), names)
        html = getattr(shown, "_repr_html_", None)
        parts += [f"```python\n{text}\n```", _raw(html()) if html else f"```text\n{pformat(shown, width=WIDTH)}\n```"]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _raw(html: str) -> str:
    return f"````{{raw}} html\n{html}\n````"


def pictures(folder: Path) -> None:
    """A scene graph, word links and evidence of a few outputs."""
    from sema import Alignment, Scorer

    outputs = {"split": SPLIT, "unsplit": UNSPLIT, "lossy": LOSSY}
    scorer = Scorer("en", ["meaning", "meaning_recall", "meaning_precision", "sema", "samsa"])
    report = scorer.score([SOURCE], {name: [text] for name, text in outputs.items()})
    for system in report.systems:
        (scored,) = system.items
        item = scored.item
        assert item is not None
        alignment = Alignment(item.source.words, item.output.sentence_words, item.links)
        _write(folder / f"links-{system.name}.svg", alignment.to_svg())
    _write(folder / "evidence-lossy.html", report["lossy"].items[0]._repr_html_())
    (graph,) = report.systems[0].items[0].item.graphs  # type: ignore[union-attr]
    _write(folder / "scenes.svg", graph.to_svg())
    (first,) = Scorer("en").score([FIRST[0]], [FIRST[1]]).systems[0].items
    _write(folder / "evidence-first.html", first._repr_html_())


def figures(folder: Path) -> None:
    """SARI's words, a grade's syllables, what moved a judge, and the worked pictures of other metrics."""
    import worked
    from drawings import bars_svg, words_svg
    from sema_english.syllables import count_syllables

    from sema import Item, Scorer
    from sema.judges.metrics import Simplicity

    kept = [(word, "kept") for word in ["slept", "on", "the", "mat"]]
    rows = {
        "source": [("the", "kept"), ("feline", "deleted"), *kept],
        "output": [("the", "kept"), ("cat", "added"), *kept],
        "reference": [(word, "") for word in ["the", "cat", "slept", "on", "the", "mat"]],
    }
    _write(folder / "sari.svg", words_svg("Words kept, added and deleted", rows))
    words = ["The", "feline", "perambulated", "the", "perimeter"]
    bars = [(word, float(count_syllables(word.lower()))) for word in words]
    _write(folder / "fkgl.svg", bars_svg("Syllables of each word", bars, unit="syllables"))
    for name in ("bleu", "meteor", "bertscore", "hsk"):
        _write(folder / f"{name}.svg", getattr(worked, f"{name}_svg")())
    scorer = Scorer("en", ["simplicity"])
    (scored,) = scorer.score([SOURCE], [SPLIT]).systems[0].items
    assert isinstance(scored.item, Item)
    verdict = Simplicity().bind(scorer.engine.parts).verdict(scored.item)
    title = "What moved the judge of simplicity"
    _write(folder / "judge.svg", bars_svg(title, verdict.drivers(6), unit="points"))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
