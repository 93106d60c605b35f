"""``sema explain``: why items scored as they did, one by number or id, or the worst of all."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from sema.cli.arguments import RUN, argument, decimal, flag, natural, positive, scored
from sema.cli.commands import command
from sema.cli.messages import note, report_errors
from sema.cli.texts import ScoringTask, print_json, read_inputs, saved_run
from sema.errors import MOST_NAMES, InputError, UsageError
from sema.files.ids import spelled
from sema.languages import known_language
from sema.model.item import Item
from sema.model.meaning import quoted
from sema.model.text import visible
from sema.scoring.item_scores import ItemScore, plain_scores
from sema.scoring.results import RankedOutput, Report, item_name
from sema.scoring.run_files import plain_text

if TYPE_CHECKING:
    from sema.scoring.runs import Run


class Explained(NamedTuple):
    """One output as it was scored, the object that ``--json`` prints of it, and both texts as they were given."""

    scored: ItemScore
    shown: dict[str, Any]
    texts: tuple[str, str]


@command(
    RUN,
    *scored(required=False),
    argument("--item", "N", "number of the item, from 0", type=natural),
    argument("--id", "ID", "id of the item in its file"),
    argument(
        "--worst", "N", "the N items with the lowest scores, the worst first, each by its worst output", type=positive
    ),
    argument(
        "--under", "SCORE", "the outputs that score less, the worst first (more, where less is better)", type=decimal
    ),
    argument("--by", "METRIC", "the metric of --worst and --under (default: the first)"),
    argument("--system", "NAME", "only this system (default: all; with --item and --json the first)"),
    flag("--facts", "show what both texts write in different signs, such as numbers, too (texts only, not RUN)"),
    flag("--json", "print one JSON object (with --worst and --under one for each output)"),
)
def explain(arguments: argparse.Namespace) -> int:
    """Show why an item scored as it did: verdict, problems, both texts with marks, and where its Scenes went
    Reads a saved run (`sema score --save RUN`), or takes the same files and settings as `sema score`. In the texts
    [-missing-], {+added+} and [!wrong!] words are marked.

    examples:
      sema explain RUN --item 3
      sema explain RUN --worst 10
      sema explain RUN --under 60 --by meaning
      sema explain --lang en -s original.txt -o system.txt --item 0 --json
      sema explain --lang en -s original.txt -o system.txt --item 0 --facts"""
    ranked = arguments.worst is not None or arguments.under is not None
    if [arguments.item is not None, arguments.id is not None, ranked].count(True) != 1:
        raise UsageError("name one thing to explain: --item N, --id ID, --worst N or --under SCORE")
    saved = saved_run(arguments)
    if saved is not None and arguments.facts:
        raise UsageError(
            "--facts reads texts: give --lang, -s and -o in place of a saved run", file=arguments.run_folder
        )
    given = saved or read_inputs(arguments, explains=True)
    system = arguments.system
    if ranked:
        report = given.report()
        _check_system(system, report.names)
        outputs = _worst(report, arguments)
        for output in outputs:
            shown = explained(given, output.item, facts=arguments.facts)[output.system]
            if arguments.json:
                print_json({"system": output.system, **shown.shown})
            else:
                _print_explained({output.system: shown}, given.lang, brief=True)
        if not outputs:
            note("no output is that bad" if arguments.under is not None else "no output has a score")
        return report_errors([one.error for one in report.summary.failed if system in (None, one.system)])
    index = arguments.item
    if index is None:
        index = _numbered(arguments.id, given.ids, arguments.run_folder or arguments.source)
    item = explained(given, index, facts=arguments.facts)
    _check_system(system, item)
    names = [system] if system is not None else [*item][: 1 if arguments.json else None]
    asked = {name: item[name] for name in names}
    if not any(one.scored.rows for one in asked.values()):
        broken = asked[names[0]].scored
        raise InputError(broken.error or "") from broken.cause
    if arguments.json:
        print_json(asked[names[0]].shown)
    else:
        _print_explained(asked, given.lang)
    return report_errors([failure.error for name, one in asked.items() for failure in one.scored.failures(name)])


def _worst(report: Report, arguments: argparse.Namespace) -> list[RankedOutput]:
    """The outputs that the arguments ask for, the worst first; with ``--worst`` each item by its worst output."""
    listed = report.worst_first(arguments.by or report.metrics[0], arguments.under)
    if arguments.system is not None:
        listed = [output for output in listed if output.system == arguments.system]
    if arguments.worst is None:
        return listed
    first = {output.item: output for output in reversed(listed)}
    return [output for output in listed if first[output.item] is output][: arguments.worst]


def _check_system(name: str | None, known: Iterable[str]) -> None:
    if name is not None and name not in known:
        raise UsageError(f"no system is called {name!r}; the systems are {', '.join(known)}")


def _numbered(given: str, ids: Iterable[str | None] | None, file: str) -> int:
    """The number of the item with an id."""
    if ids is None:
        raise InputError("has no ids; name the item by its number: --item N", file=file)
    wanted = spelled(given)
    found = [number for number, known in enumerate(ids) if known is not None and spelled(known) == wanted]
    if not found:
        raise InputError(f"has no id {given!r}; check it", file=file)
    if len(found) > 1:
        numbers = ", ".join(map(str, found[:MOST_NAMES]))
        raise InputError(
            f"has the id {given!r} several times; name one of the items {numbers} with --item N", file=file
        )
    return found[0]


def explained(given: Run | ScoringTask, index: int, *, facts: bool = False) -> dict[str, Explained]:
    """An item's outputs by system as the run has them; an item of a task is scored again, alone and with its evidence.

    With ``facts`` a task's evidence has what both texts write differently, whatever metrics were asked for.
    """
    if isinstance(given, ScoringTask):
        known, recorded = None if given.ids is None else given.ids[index], {}
    else:
        kept, recorded = given.texts(index), given.evidence(index)
        known = kept.get("id")
    label = {"item": index} if known is None else {"item": index, "id": known}
    found = {}
    for system, item in given.item(index).items():
        if not isinstance(given, ScoringTask):
            evidence, texts = recorded[system], (plain_text(kept["source"]), plain_text(kept["outputs"][system]))
        else:
            evidence, texts = item.evidence(), ("", "")
            if item.item is not None:
                texts = item.item.source.raw, item.item.output.raw
                evidence |= {"facts": _facts(given, item.item)} if facts else {}
        shown = {**label, "scores": plain_scores(item.scores), **evidence, **label}
        found[system] = Explained(item, shown, texts)
    return found


def _facts(task: ScoringTask, item: Item) -> list[dict[str, Any]]:
    """What both texts of an item write in different signs: the words of each, and the numbers of their tokens."""
    parts = task.scorer.engine.parts
    if parts.reader is None:
        raise UsageError(f"{parts.language.name} has no reader of notation; leave out --facts")
    return [
        {
            "source": quoted(item.source, source),
            "output": quoted(item.output, output),
            "source_tokens": list(source),
            "output_tokens": list(output),
        }
        for source, output in parts.reader.notation(item.source, item.output)
    ]


def _print_explained(item: Mapping[str, Explained], lang: str, *, brief: bool = False) -> None:
    """Print an item's outputs for people; ``brief``: verdict, problems and texts alone."""
    from sema.display.terminal import print_evidence

    language = known_language(lang)
    sides = (None, None) if language is None else (language.of_sources.whole_words, language.whole_words)
    for system, (one, shown, texts) in item.items():
        name = item_name(shown["item"], shown.get("id"))
        print_evidence(shown, one.scores, f"{name} of {system}", texts, sides, brief=brief)
        for metric, reason in shown.get("unexplained", {}).items():
            print(visible(f"  {metric} is not explained: {reason}"))
