"""``sema explain``: why items scored as they did, one by number or id, or the worst of all."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sema.cli.arguments import RUN, argument, decimal, flag, natural, positive, scored
from sema.cli.commands import command
from sema.cli.inputs import ScoringTask, read_inputs, saved_run
from sema.cli.messages import note, report_errors
from sema.cli.texts import print_json
from sema.errors import InputError, UsageError
from sema.files.ids import spelled
from sema.languages import known_language
from sema.model.meaning import quoted
from sema.scoring.item_scores import ItemScore, plain_scores
from sema.scoring.results import Report, item_name
from sema.scoring.run_files import plain_text

if TYPE_CHECKING:
    from sema.scoring.runs import Run


@dataclass(frozen=True)
class Explained:
    """One output as it was scored, its evidence, and both texts as they were given; the item's id if it has one."""

    id: str | None
    scored: ItemScore
    evidence: Mapping[str, Any]
    source: str = ""
    output: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The object that ``sema explain --json`` prints."""
        known = {} if self.id is None else {"id": self.id}
        return {"item": self.evidence["item"], **known, "scores": plain_scores(self.scored.scores), **self.evidence}


Found = Mapping[str, Explained]  # an item's outputs by system


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
        raise UsageError("name what to explain: --item N, --id ID, --worst N or --under SCORE")
    saved = saved_run(arguments)
    if saved is not None and arguments.facts:
        raise UsageError(
            "--facts reads texts: give --lang, -s and -o in place of a saved run", file=arguments.run_folder
        )
    given = saved or read_inputs(arguments)
    found = partial(explained, given, facts=arguments.facts)
    if ranked:
        return _explain_worst(arguments, given.report(), found, given.lang)
    index = arguments.item
    if index is None:
        index = _numbered(arguments.id, given.ids, arguments.run_folder or arguments.source)
    item = found(index)
    _check_system(arguments.system, item)
    names = [arguments.system] if arguments.system is not None else [*item][: 1 if arguments.json else None]
    shown = {name: item[name] for name in names}
    if not any(one.scored.rows for one in shown.values()):
        broken = shown[names[0]].scored
        raise InputError(broken.error or "") from broken.cause
    if arguments.json:
        print_json(shown[names[0]].to_dict())
    else:
        print_explained(shown, given.lang)
    return report_errors([failure.error for name, one in shown.items() for failure in one.scored.failures(name)])


def _explain_worst(arguments: argparse.Namespace, report: Report, found: Callable[[int], Found], lang: str) -> int:
    """Show the worst outputs."""
    _check_system(arguments.system, report.names)
    metric = arguments.by or report.metrics[0]
    listed = report.worst_first(metric, arguments.under)
    if arguments.system is not None:
        listed = [output for output in listed if output.system == arguments.system]
    if arguments.worst is not None:  # each item by its worst output
        first = {output.item: output for output in reversed(listed)}
        listed = [output for output in listed if first[output.item] is output][: arguments.worst]
    for output in listed:
        shown = found(output.item)[output.system]
        if arguments.json:
            print_json({"system": output.system, **shown.to_dict()})
        else:
            print_explained({output.system: shown}, lang, brief=True)
    if not listed:
        note("no output is that bad" if arguments.under is not None else "no output has a score")
    failed = report.summary.failed
    return report_errors([one.error for one in failed if arguments.system in (None, one.system)])


def _check_system(name: str | None, known: Any) -> None:
    if name is not None and name not in known:
        raise UsageError(f"no system is called {name!r}; the systems are {', '.join(known)}")


def _numbered(given: str, ids: Any, file: str) -> int:
    """The number of the item with an id."""
    if ids is None:
        raise InputError("has no ids; name the item by its number: --item N", file=file)
    wanted = spelled(given)
    number = next((number for number, known in enumerate(ids) if known is not None and spelled(known) == wanted), None)
    if number is None:
        raise InputError(f"has no id {given!r}; check it", file=file)
    return number


def explained(given: Run | ScoringTask, index: int, *, facts: bool = False) -> Found:
    """An item as the run has it; an item of a task is scored again, alone and with its evidence.

    With ``facts`` a task's evidence has what both texts write differently, whatever metrics were asked for.
    """
    if not isinstance(given, ScoringTask):
        scored, kept = given.item(index), given.texts(index)
        raw = {system: plain_text(output) for system, output in kept["outputs"].items()}
        return {
            system: Explained(kept.get("id"), scored[system], shown, plain_text(kept["source"]), raw[system])
            for system, shown in given.evidence(index).items()
        }
    parts = given.scorer.engine.parts
    reader = parts.reader if facts else None
    if facts and reader is None:
        raise UsageError(f"{parts.language.name} has no reader of notation; leave out --facts")
    known = None if given.ids is None else given.ids[index]
    found = {}
    for system, item in given.item(index).items():
        evidence = {**item.evidence(given.scorer.metrics), "item": index}
        texts = () if item.item is None else (item.item.source, item.item.output)
        if reader is not None and texts:
            source, output = texts
            evidence["facts"] = [
                {
                    **{"source": quoted(source, old), "output": quoted(output, new)},
                    **{"source_tokens": list(old), "output_tokens": list(new)},
                }
                for old, new in reader.notation(source, output)
            ]
        found[system] = Explained(known, item, evidence, *(text.raw for text in texts))
    return found


def print_explained(item: Found, lang: str, *, brief: bool = False) -> None:
    """Print an item's outputs for people; ``brief``: verdict, problems and texts alone."""
    from sema.display.terminal import print_evidence

    language = known_language(lang)
    sides = (None, None) if language is None else (language.of_sources.whole_words, language.whole_words)
    for system, shown in item.items():
        name = item_name(shown.evidence["item"], shown.id)
        texts = (shown.source, shown.output)
        print_evidence(shown.evidence, shown.scored.scores, f"{name} of {system}", texts, sides, brief=brief)
