"""What the documentation takes from elsewhere: results, model cards, help texts, the notebook, outputs, pictures.

    python docs/generate.py

writes what the commands on the pages print below them, and the pictures of texts into ``docs/pictures``: both are kept
in the repository, so that its pages are whole there. An output or a picture that still says the same stays as it is.
Results, cards, help texts and the notebook become pages when the documentation is built (:func:`everything`).
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
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from pprint import pformat
from typing import Any
from unittest import mock

SOURCE = "John got home and gave Mary a call."
SPLIT = "John got home. John gave Mary a call."
UNSPLIT = "John arrived home and called Mary."
DOCS = Path(__file__).parent
EXECUTED = ("index", "tutorial", "levels", "significance", "zh")
"""Pages whose commands are run, one after the other in a folder with the examples."""
WIDTH, SHOWN = 110, 20
"""The width of a page's output, and how many lines of a command's are shown."""


CONTENTS = {
    "index": [
        (("caption: Start", "hidden:"), ("install", "tutorial", "_generated/notebook", "choosing", "faq", "zh")),
        (
            ("caption: Understand", "hidden:"),
            ("metrics", "numbers", "five_papers", "levels", "significance", "numerics", "VARIANTS", "comparison"),
        ),
        (
            ("caption: Use", "hidden:"),
            (
                *("_generated/commands", "_generated/languages", "python", "plugs", "scale"),
                *("_generated/contributing", "api/index"),
            ),
        ),
        (("caption: Measured", "hidden:"), ("results", "data", "cards")),
    ],
    "results": [(("maxdepth: 1", "glob:"), ("_generated/results", "_generated/results/*"))],
    "cards": [(("hidden:", "glob:"), ("_generated/cards/*",))],
}
"""Options and entries of the lists of pages that only the site has, by the page that they belong to."""


def everything(root: Path, folder: Path) -> None:
    """Write everything below ``folder`` anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    copies(root, folder)
    commands(folder / "commands.md")
    languages(folder / "languages.md")
    notebook(root / "docs" / "notebook.ipynb", folder / "notebook.md")


def places_of(root: Path, folder: Path) -> dict[Path, Path]:
    """Where the site has the pages that live elsewhere in the repository."""
    places = {root / "benchmarks" / "RESULTS.md": folder / "results.md"}
    places |= {path: folder / "results" / path.name for path in (root / "benchmarks" / "results").glob("*.md")}
    places[root / "CONTRIBUTING.md"] = folder / "contributing.md"
    cards = sorted(path for part in ("parsers", "lexicons", "apps", "sema") for path in (root / part).rglob("*CARD.md"))
    places |= {path: folder / "cards" / _card_name(path) for path in cards}
    return places


def with_links(page: str, text: str, root: Path, folder: Path) -> str:
    """A page's text with links that lead to where the site has what they name."""
    path = root / "docs" / f"{page}.md"
    return _relinked(text, path, path, places_of(root, folder) | {one: one for one in path.parent.rglob("*.md")})


def copies(root: Path, folder: Path) -> None:
    """Pages that live elsewhere, with links that lead to where they now are, or to nowhere at all."""
    places = places_of(root, folder)
    known = places | {path: path for path in (root / "docs").glob("*.md")}
    for original, place in places.items():
        place.parent.mkdir(exist_ok=True)
        text = original.read_text(encoding="utf-8")
        if text.startswith("## "):
            text = re.sub(r"(?m)^#(#+ )", r"\1", text)
        place.write_text(_relinked(text, original, place, known), encoding="utf-8")


def with_contents(page: str, text: str) -> str:
    """A page's text with the lists of pages that belong to it (:data:`CONTENTS`)."""
    for options, entries in CONTENTS.get(page, ()):
        text += "\n".join(["\n```{toctree}", *(f":{option}" for option in options), *entries, "```\n"])
    return text


TABLE = re.compile(r"(<!-- (?:table |figures\n|compared\n).*?)(?=<!-- end -->)", re.DOTALL)


def with_meanings(page: str, text: str) -> str:
    """A page's text with a link to what a number means at the foot of each table of recorded figures."""
    return text if page == "numbers" else TABLE.sub(r"\1\n{doc}`What a number means </numbers>`\n", text)


CODE = re.compile(r"<!--.*?-->|<(pre|code|script|style|dt)\b.*?</\1>|<[^>]*>", re.DOTALL)


def raw_backticks(html: str) -> list[str]:
    """Lines with a backtick outside code: Markdown or reStructuredText that a page shows as it stands."""
    return [line.strip() for line in CODE.sub("", html).splitlines() if "`" in line]


BLOCK = re.compile(r"(?ms)^```sh\n(?P<commands>.*?)^```$(?:\n\n```text\n(?P<printed>.*?)\n```$)?")
"""Commands, and what they print."""


def with_outputs(page: str, text: str, root: Path) -> str:
    """A page's text with what its commands print below them; an output that still says the same stays.

    Raises:
        RuntimeError: a command fails.
    """

    def fresh(block: re.Match[str]) -> str:
        printed = "\n\n".join(filter(None, map(output_of, block["commands"].splitlines())))
        if block["printed"] and alike(block["printed"], printed):
            return block[0]
        shown = f"\n\n```text\n{printed}\n```" if printed else ""
        return f"```sh\n{block['commands']}```{shown}"

    if page not in EXECUTED:
        return text
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(root / "examples", Path(folder) / "examples")
        with contextlib.chdir(folder):
            return BLOCK.sub(fresh, text)


NUMBER = re.compile(r"(?<![\w.])\d+\.\d+\b")
"""A number that is no count, and no part of a name such as *B1*."""
P_VALUE = re.compile(r"\d+\.\d{4}")
DIGEST = re.compile(r"( · [\w-]+ · )[0-9a-f]{6}\b")


def alike(shown: str, printed: str) -> bool:
    """Whether two outputs have the same words and counts, and scores that differ by 1 at most (p by .05).

    Scores of networks differ a little between processors, and the digest of a signature between commits.
    """
    ours, theirs = (DIGEST.sub(r"\1", text) for text in (shown, printed))
    if [part.split() for part in NUMBER.split(ours)] != [part.split() for part in NUMBER.split(theirs)]:
        return False
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=True)
    return all(abs(float(one) - float(other)) <= (0.05 if P_VALUE.fullmatch(one) else 1) for one, other in pairs)


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
    text = re.sub(r"\.dev\d+(?= · )", "", printed.getvalue().decode().strip("\n"))
    lines = [line.rstrip() for line in text.splitlines()]
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


def pictures() -> Iterator[tuple[str, str]]:
    """Names and texts of the pictures: a scene graph, word links, and what other metrics count."""
    from sema import Alignment, Scorer

    report = Scorer("en", ["sema"]).score([SOURCE], {"split": [SPLIT], "unsplit": [UNSPLIT]})
    for system in report.systems:
        (scored,) = system.items
        item = scored.item
        assert item is not None
        alignment = Alignment(item.source.words, item.output.sentence_words, item.links)
        yield f"links-{system.name}", alignment.to_svg()
    (graph,) = report.systems[0].items[0].item.graphs  # type: ignore[union-attr]
    yield "scenes", graph.to_svg()
    yield from figures()


def figures() -> Iterator[tuple[str, str]]:
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
    yield "sari", words_svg("Words kept, added and deleted", rows)
    words = ["The", "feline", "perambulated", "the", "perimeter"]
    bars = [(word, float(count_syllables(word.lower()))) for word in words]
    yield "fkgl", bars_svg("Syllables of each word", bars, unit="syllables")
    yield "bleu", worked.bleu_svg()
    yield "meteor", worked.meteor_svg()
    yield "bertscore", worked.bertscore_svg()
    yield "hsk", worked.hsk_svg()
    scorer = Scorer("en", ["simplicity"])
    (scored,) = scorer.score([SOURCE], [SPLIT]).systems[0].items
    assert isinstance(scored.item, Item)
    verdict = Simplicity().bind(scorer.engine.parts).verdict(scored.item)
    yield "judge", bars_svg("What moved the judge of simplicity", verdict.drivers(6), unit="points")


MEASURED = ("judge",)


def same_picture(name: str, kept: str, drawn: str) -> bool:
    """Whether two pictures say the same: to the letter, or for the judge's, whose features a network's numbers rank, in
    the words outside tags."""
    words = [re.sub(r"<[^>]*>", " ", svg) for svg in (kept, drawn)]
    return alike(*words) if name in MEASURED else kept == drawn


def main() -> None:
    """Write outputs and pictures that no longer say the same."""
    sys.path[:0] = [str(DOCS.parent), *(str(DOCS.parent / part) for part in ("parsers", "lexicons", "apps"))]
    for page in EXECUTED:
        path = DOCS / f"{page}.md"
        text = path.read_text(encoding="utf-8")
        path.write_text(with_outputs(page, text, DOCS.parent), encoding="utf-8")
    for name, svg in pictures():
        path = DOCS / "pictures" / f"{name}.svg"
        if not (path.exists() and same_picture(name, path.read_text(encoding="utf-8"), svg)):
            path.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
