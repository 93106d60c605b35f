"""Prints tables, evidence and links to standard output; plain text if that is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.markup import escape as escape_markup
from rich.table import Table
from rich.text import Text

from sema.display.pictures.items import ADDED, LOST, STATES, WRONG, CenterWord, ShownScene, WordView, view_item
from sema.display.pictures.verdicts import points_text, problems_of, verdict_of
from sema.display.tables import FORMATS, missing_scores, number, to_text
from sema.display.tables import Table as NumberTable
from sema.errors import counted
from sema.model.language import WholeWords
from sema.model.links import LinkKind
from sema.model.text import is_punctuation, visible
from sema.scoring.results import Summary

KIND_STYLES = {
    LinkKind.EXACT: "green",
    LinkKind.FORM: "cyan",
    LinkKind.SYNONYM: "blue",
    LinkKind.PARAPHRASE: "magenta",
    LinkKind.CONTEXTUAL: "yellow",
    LinkKind.HYPONYMY: "bright_red",
}
MARKS = {LOST: ("[-", "-]", "red"), ADDED: ("{+", "+}", "magenta"), WRONG: ("[!", "!]", "bold red")}
"""What stands before and after words of each state, and their style."""


def width_of_terminal() -> int | None:
    """The terminal's width; ``None`` for a file or a pipe."""
    return Console().width if sys.stdout.isatty() else None


def _console() -> Console:
    # Tables in a file or a pipe must not be wrapped at a terminal's width.
    return Console(width=None if sys.stdout.isatty() else 10_000, highlight=False, emoji=False, soft_wrap=True)


def _print_hanging(console: Console, prefix: str, body: Text) -> None:
    """Print a line with a hanging indent; it wraps between words at the terminal's width."""
    width = width_of_terminal()
    lines = [body] if width is None else body.wrap(console, max(20, width - len(prefix)))
    for line in lines:
        line.rstrip()
        console.print(Text(prefix).append_text(line))
        prefix = " " * len(prefix)


def print_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of texts without rules."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in header:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(escape_markup(visible(cell)) for cell in row))
    _console().print(table)


def print_tables(tables: Iterable[NumberTable], form: str) -> None:
    """Tables in one of the forms of :data:`sema.display.tables.FORMATS`; as text they fit the terminal."""
    width = width_of_terminal()
    print("\n\n".join(to_text(table, width) if form == "text" else FORMATS[form](table) for table in tables))


def print_table(summary: Summary) -> None:
    """Systems down, metrics across, in blocks that fit the terminal; below it the failed items and the signature."""
    rows = [[name, *(number(scores[metric]) for metric in summary.metrics)] for name, scores in summary.scores.items()]
    print_tables([NumberTable("", ["system", *summary.metrics], rows)], "text")
    console = _console()
    for line in missing_scores(summary):
        console.print(Text(visible(line)))
    console.print(Text(visible(f"{counted(summary.items, 'item')} | {summary.signature}"), style="dim"))


def print_evidence(
    evidence: Mapping[str, Any],
    scores: Mapping[str, float],
    title: str,
    texts: tuple[str, str] = ("", ""),
    whole_words: tuple[WholeWords | None, WholeWords | None] = (None, None),
    *,
    brief: bool = False,
) -> None:
    """An item's evidence: verdict, problems, both texts with marks; then its level, and each Scene with its centers.

    Args:
        evidence: plain data, as results and saved runs have it (:func:`sema.scoring.item_scores.evidence_of`).
        scores: by metric.
        title: what the item is called.
        texts: source and output as they were given, for the blanks between words.
        whole_words: functions that group the tokens of the source, and those of the output, into words.
        brief: leave out level and Scenes.
    """
    console = _console()
    shown = "  ".join(f"{name} {number(value)}" for name, value in scores.items())
    console.print(Text.assemble("\n", (visible(title), "bold"), f": {shown or visible(evidence['error'])}"))
    if "source" not in evidence:
        return
    view = view_item(evidence, source_text=texts[0], output_text=texts[1])
    verdict = verdict_of(evidence, scores, view)
    if verdict.sentence:
        _print_hanging(console, "  ", Text(visible(verdict.sentence), style="bold"))
    for problem in problems_of(evidence):
        line = f"{visible(str(problem))}  {problem.cost}".rstrip()
        _print_hanging(console, "    ", Text(line, style=MARKS[STATES[problem.kind]][2]))
    if rest := points_text(evidence.get("not_attributed", 0)):
        console.print(Text(f"    not attributed  {rest}", style="dim"))
    _print_hanging(console, "  source    ", _marked(view.source))
    for count, words in enumerate(view.output, start=1):
        _print_hanging(console, f"  output {count}  ", _marked(words))
    if brief:
        return
    if "levels" in evidence:
        _print_levels(console, evidence["levels"])
    wholes = _wholes(evidence["source"], whole_words[0])
    for index, scene in enumerate(view.scenes, start=1):
        console.print(f"  [bold]Scene {index}[/bold] -> {_place(scene)}")
        target = () if scene.sentence is None else evidence["sentences"][scene.sentence]
        for role, centers in scene.units:
            _print_hanging(console, f"    {role:<14}", _unit(centers, wholes, target, _wholes(target, whole_words[1])))
    for fact in evidence.get("facts", ()):
        console.print(Text(visible(f"  the same  {fact['source']} = {fact['output']}")))


def _marked(words: Sequence[WordView]) -> Text:
    """Words as they were written, with those that are missing, added or wrong between marks, each problem by itself.

    A punctuation mark is marked like its neighbours if these are marked alike.
    """
    marks = [(word.state, word.finding) if word.state in MARKS else ("", None) for word in words]
    shown = [
        before if is_punctuation(word.text) and before == after else own
        for word, before, own, after in zip(words, [*marks[:1], *marks], marks, [*marks[1:], *marks[-1:]], strict=False)
    ]
    line = Text()
    for (state, _), group in groupby(range(len(words)), key=shown.__getitem__):
        first, *others = (words[place] for place in group)
        text = first.text + "".join(f"{_gap(word)}{word.text}" for word in others)
        begin, end, style = MARKS.get(state, ("", "", ""))
        line.append(_gap(first) if line else "").append(visible(f"{begin}{text}{end}"), style)
    return line


def _gap(word: WordView) -> str:
    """The blank before a word, on one line."""
    return word.gap and " "


def _place(scene: ShownScene) -> str:
    """Where a Scene's words are, and where the published scores looked for it if that is elsewhere."""
    shown, counted = (
        "no output sentence" if place is None else f"output {place + 1}" for place in (scene.sentence, scene.counted)
    )
    return shown if shown == counted else f"{shown} (counted in {counted}, as published)"


def _print_levels(console: Console, levels: Mapping[str, Any]) -> None:
    """Both texts' levels, and the words and constructions that make the output hard."""
    output, source = (
        f"{level['label']} ({level['level']:.2f})" if level["label"] else "-"
        for level in (levels["output"], levels["source"])
    )
    target = "" if levels["target"] is None else f", target {levels['target']}"
    console.print(f"  [bold]level[/bold]     output {output}, source {source}{target}")
    for part in levels["output"]["hard"]:
        console.print(Text(visible(f"    {part['label']}  {part['what']:<26}  {part['text']}")))


def _wholes(tokens: Sequence[str], whole_words: WholeWords | None) -> Sequence[int]:
    """For each token the number of the word that it is part of."""
    if whole_words is None:
        return range(len(tokens))
    return [number for number, (start, end) in enumerate(whole_words(tokens)) for _ in range(start, end)]


def _unit(
    centers: Sequence[Sequence[CenterWord]], wholes: Sequence[int], target: Sequence[str], target_wholes: Sequence[int]
) -> Text:
    """A unit's minimal centers: each run of words with the words that one kind of link leads to.

    Words without a link have their state, which is that of their finding where there are findings. ``target`` are
    the tokens of the output sentence; adjacent tokens of one word are joined.
    """

    def piece(pair: tuple[int, CenterWord]) -> tuple[int, int, str]:
        place, word = pair
        fate = word.kind or (word.state if word.state in MARKS else "no link")
        return wholes[word.token], word.token - place, fate

    line = Text() if centers else Text("(implicit)", style="dim")
    for center in centers:
        for (_, _, fate), group in groupby(enumerate(center), key=piece):
            words = [word for _, word in group]
            text = visible("".join(word.text for word in words))
            places = [word.place for word in words if word.place is not None]
            if not places:
                line.append(f"{text} ({fate})  ", style=MARKS[fate][2] if fate in MARKS else "dim")
                continue
            runs = groupby(enumerate(places), key=lambda pair: (target_wholes[pair[1]], pair[1] - pair[0]))
            linked = " ".join("".join(target[place] for _, place in run) for _, run in runs)
            line.append(f"{text} = {visible(linked)} ({fate})  ", style=KIND_STYLES[LinkKind(fate)])
    return line


def print_links(row: dict[str, Any]) -> None:
    """One item of ``sema align`` for people: every sentence with its links in the colour of their kind."""
    console = _console()
    title = (f"item {row['item']}", "bold")
    if "error" in row:
        console.print(Text.assemble(title, visible(f": {row['error']}")))
        return
    console.print(Text.assemble(title, visible(f"  {' '.join(row['source'])}")))
    for place, sentence in enumerate(row["sentences"], start=1):
        styles = {output: KIND_STYLES[LinkKind(kind)] for _, output, kind in sentence["links"]}
        words = [(f"{visible(token)} ", styles.get(index, "dim")) for index, token in enumerate(sentence["tokens"])]
        console.print(Text.assemble(f"  output {place}  ", *words))
        for source, output, kind in sentence["links"]:
            if kind != LinkKind.EXACT:
                text = f"{row['source'][source]} = {sentence['tokens'][output]} ({kind})"
                console.print(Text(f"            {visible(text)}", style=KIND_STYLES[LinkKind(kind)]))
    console.print(Text.assemble("  ", *((f"{kind} ", style) for kind, style in KIND_STYLES.items())))
