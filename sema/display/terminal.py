"""Prints tables, evidence and links to standard output; plain text if that is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
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


class ShownWords:
    """The tokens of a text or sentence, grouped by the language's ``whole_words``; without it each is a word."""

    def __init__(self, tokens: Sequence[str], whole_words: WholeWords | None) -> None:
        self._tokens = tokens
        spans = [(place, place + 1) for place in range(len(tokens))] if whole_words is None else whole_words(tokens)
        self._word = [number for number, (start, end) in enumerate(spans) for _ in range(start, end)]

    def runs(self, tokens: Iterable[int]) -> Iterator[list[int]]:
        """Group token numbers, in their order, into runs of adjacent tokens of one word."""
        for _, run in groupby(enumerate(tokens), key=lambda pair: (self._word[pair[1]], pair[1] - pair[0])):
            yield [token for _, token in run]

    def text(self, run: Iterable[int]) -> str:
        """The tokens of a run, joined without spaces."""
        return "".join(self._tokens[token] for token in run)

    def line(self, tokens: Iterable[int] | None = None) -> str:
        """The words of given tokens (default: all), with spaces between."""
        return " ".join(map(self.text, self.runs(range(len(self._tokens)) if tokens is None else tokens)))


def escape(text: str) -> str:
    """Foreign text for the console, with markup and control characters escaped."""
    return escape_markup(visible(text))


def width_of_terminal() -> int | None:
    """The terminal's width; ``None`` for a file or a pipe."""
    return Console().width if sys.stdout.isatty() else None


def _console() -> Console:
    # Tables in a file or a pipe must not be wrapped at a terminal's width.
    return Console(width=None if sys.stdout.isatty() else 10_000, highlight=False, emoji=False, soft_wrap=True)


def _print_hanging(console: Console, prefix: str, body: Text) -> None:
    """Print a line with a hanging indent; it wraps between words at the terminal's width."""
    width = width_of_terminal()
    if width is None:
        console.print(Text(prefix).append_text(body))
        return
    for line in body.wrap(console, max(20, width - len(prefix))):
        line.rstrip()
        console.print(Text(prefix).append_text(line))
        prefix = " " * len(prefix)


def print_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of texts without rules."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in header:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    _console().print(table)


def print_tables(tables: Iterable[NumberTable], form: str) -> None:
    """Tables in one of the forms of :data:`sema.display.tables.FORMATS`; as text they fit the terminal."""
    width = width_of_terminal()
    print("\n\n".join(to_text(table, width) if form == "text" else FORMATS[form](table) for table in tables))


def print_table(summary: Summary) -> None:
    """Systems down, metrics across, in blocks that fit the terminal; below it the failed items and the signature."""
    console = _console()
    rows = [[name, *(number(scores[metric]) for metric in summary.metrics)] for name, scores in summary.scores.items()]
    table = NumberTable("", ["system", *summary.metrics], rows)
    console.print(escape_markup(to_text(table, width_of_terminal())))
    for line in missing_scores(summary):
        console.print(escape(line))
    console.print(escape(f"{counted(summary.items, 'item')} | {summary.signature}"), style="dim")


MARKS = {LOST: ("[-", "-]", "red"), ADDED: ("{+", "+}", "magenta"), WRONG: ("[!", "!]", "bold red")}
"""What stands before and after words of each state, and their style."""


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
    _print_problems(console, evidence)
    _print_hanging(console, "  source    ", _marked(word for run in view.source for word in run.words))
    for count, run in enumerate(view.output, start=1):
        _print_hanging(console, f"  output {count}  ", _marked(run.words))
    if brief:
        return
    if "levels" in evidence:
        _print_levels(console, evidence["levels"])
    words = ShownWords(evidence["source"], whole_words[0])
    sentences = [ShownWords(sentence, whole_words[1]) for sentence in evidence["sentences"]]
    for index, scene in enumerate(view.scenes, start=1):
        console.print(f"  [bold]Scene {index}[/bold] -> {_place(scene)}")
        target = None if scene.sentence is None else sentences[scene.sentence]
        for role, centers in scene.units:
            _print_hanging(console, f"    {role:<14}", _unit(centers, words, target))
    for fact in evidence.get("facts", ()):
        console.print(escape(f"  the same  {fact['source']} = {fact['output']}"))


def _marked(words: Iterable[WordView]) -> Text:
    """Words as they were written, with those that are missing, added or wrong between marks."""
    line = Text()
    on_a_line = (replace(word, gap=" ") if "\n" in word.gap else word for word in words)
    for state, group in groupby(_with_marks(on_a_line), key=attrgetter("state")):
        run = list(group)
        text = "".join(f"{word.gap}{word.text}" for word in run)
        begin, end, style = MARKS.get(state, ("", "", ""))
        gap = run[0].gap if line else ""
        line.append(visible(gap)).append(visible(f"{begin}{text[len(run[0].gap) :]}{end}"), style)
    return line


def _with_marks(words: Iterable[WordView]) -> list[WordView]:
    """The words; a punctuation mark takes the state of its neighbours if they agree."""
    shown = [word if word.state in MARKS else replace(word, state="") for word in words]
    return [
        replace(word, state=before.state) if is_punctuation(word.text) and before.state == after.state else word
        for before, word, after in zip([*shown[:1], *shown], shown, [*shown[1:], *shown[-1:]], strict=False)
    ]


def _print_problems(console: Console, evidence: Mapping[str, Any]) -> None:
    """The problems, the worst first, with the points that each costs."""
    for problem in problems_of(evidence):
        line = f"{visible(str(problem))}  {problem.cost}".rstrip()
        _print_hanging(console, "    ", Text(line, style=MARKS[STATES[problem.kind]][2]))
    rest = points_text(100 * evidence.get("not_attributed", 0))
    if evidence.get("findings") and rest:
        console.print(Text(f"    not attributed  {rest}", style="dim"))


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
        console.print(f"    {part['label']}  {escape(part['what']):<26}  {escape(part['text'])}")


def _unit(centers: Sequence[Sequence[CenterWord]], words: ShownWords, target: ShownWords | None) -> Text:
    """A unit's minimal centers: each run of words with the words that one kind of link leads to.

    Words without a link are shown as lost, unless there are findings and none of them covers the words.
    """
    line = Text()
    if not centers:
        line.append("(implicit)", style="dim")
    for center in centers:
        shown = {word.token: word for word in center}
        for run in words.runs(shown):
            for fate, group in groupby(run, key=lambda token: shown[token].fate):
                tokens = list(group)
                text = visible(words.text(tokens))
                places = [place for token in tokens if (place := shown[token].place) is not None]
                if target is None or not places:
                    line.append(f"{text} ({fate})  ", style="red" if fate == LOST else "dim")
                else:
                    linked = visible(target.line(places))
                    line.append(f"{text} = {linked} ({fate})  ", style=KIND_STYLES[LinkKind(fate)])
    return line


def print_links(row: dict[str, Any]) -> None:
    """One item of ``sema align`` for people: every sentence with its links in the colour of their kind."""
    console = _console()
    if "error" in row:
        console.print(f"[bold]item {row['item']}[/bold]: {escape(row['error'])}")
        return
    console.print(f"[bold]item {row['item']}[/bold]  {escape(' '.join(row['source']))}")
    for place, sentence in enumerate(row["sentences"], start=1):
        styles = {output: KIND_STYLES[LinkKind(kind)] for _, output, kind in sentence["links"]}
        words = [(f"{visible(token)} ", styles.get(index, "dim")) for index, token in enumerate(sentence["tokens"])]
        console.print(Text.assemble(f"  output {place}  ", *words))
        for source, output, kind in sentence["links"]:
            if kind != LinkKind.EXACT:
                text = f"{row['source'][source]} = {sentence['tokens'][output]} ({kind})"
                console.print(Text(f"            {visible(text)}", style=KIND_STYLES[LinkKind(kind)]))
    console.print(Text.assemble("  ", *((f"{kind} ", style) for kind, style in KIND_STYLES.items())))
