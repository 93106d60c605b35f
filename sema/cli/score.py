"""``sema score`` and ``sema explain``: scores of one or more systems, and why an item scored as it did."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sema.cli.arguments import PER_ITEM, SIGNATURE, argument, choice, flag, natural, repeated, scored, written
from sema.cli.commands import command
from sema.cli.inputs import ScoringTask, read_inputs, saved_run
from sema.cli.messages import report_errors
from sema.cli.texts import print_json, whole_words_of
from sema.errors import InputError, SemaError, UsageError
from sema.files.formats import write_items
from sema.files.ids import labelled

if TYPE_CHECKING:
    from sema.files.texts import Column
    from sema.scoring.results import Report
    from sema.scoring.runs import Run

Explained = Mapping[str, tuple[Mapping[str, float], Mapping[str, Any]]]
"""An item's scores and evidence, by system."""


@command(
    *scored(),
    choice(
        "--format",
        ("tsar",),
        "read -o (and -s) as submissions to the TSAR shared task: JSON lines with text_id, original, target_cefr, "
        "reference, simplified",
        dest="input_format",
    ),
    flag("--json", "print one JSON object instead of the table"),
    SIGNATURE,
    written("--save", "RUN", "keep everything in the folder RUN, for the other commands to read"),
    flag("--resume", "continue the unfinished run in the folder of --save"),
    flag("--overwrite", "replace the run in the folder of --save, if there is one"),
    *PER_ITEM,
    repeated("--explain", "ITEM", "show the evidence for item number ITEM (from 0)", type=natural),
)
def score(arguments: argparse.Namespace) -> int:
    """Score simplifications: a table of systems by metrics
    Files are UTF-8 text with one item a line, or .jsonl, .csv, .tsv, .parquet (FILE:COLUMN names a column);
    each may be compressed (.gz, .bz2, .xz, .zip).

    examples:
      sema score --lang en -s original.txt -o system.txt
      sema score --lang en -s original.txt -o a.txt -o b.txt -r ref0.txt ref1.txt --metrics sema,samsa,sari,bleu
      sema score --lang zh --level passage -s 原文.txt -o 简化.txt --json --per-item scores.jsonl
      sema score --lang en -s original.txt -o system.txt --scenes ucca_xml/ --links links.jsonl --explain 0
      sema score --lang en -s test.orig -o system.txt --select-references hsplit turk asset --metrics bleu,sari
      sema score --lang en -s original.txt -o system.txt --metrics cefr,cefr_hit,meaning --set cefr.target=A2
      sema score --lang en --format tsar -o team1.jsonl -o team2.jsonl"""
    if arguments.resume and not arguments.save:
        raise UsageError("--resume goes on with a saved run; name its folder with --save")
    task = read_inputs(arguments)
    last = len(task.source.values) - 1
    for index in arguments.explain:
        if index > last:
            raise InputError(f"--explain {index}: items are numbered from 0 to {last}", file=task.source.path)
    if arguments.save:
        saved = task.save(arguments.save, resume=arguments.resume, overwrite=arguments.overwrite)
        summary, explained = saved.summary, [_kept(saved, index) for index in arguments.explain]
    else:
        report = task.report()
        summary, explained = report.summary, [_explained(task, index) for index in arguments.explain]
    if arguments.json:
        evidence = [{"system": name, **shown} for item in explained for name, (_, shown) in item.items()]
        print_json({**summary.to_dict(), **({"evidence": evidence} if explained else {})})
    else:
        from sema.display.terminal import print_table

        print_table(replace(summary, signature=shown_signature(arguments, summary.signature)))
        for item in explained:
            _print(item, summary.lang)
    status = report_errors([failure.error for failure in summary.failed])
    if arguments.per_item:
        write_per_item(arguments, saved.report() if arguments.save else report, task.source)
    return status


@command(
    argument("run_folder", "RUN", "a saved run, in place of texts", nargs="?"),
    *scored(required=False),
    argument("--item", "N", "number of the item, from 0", type=natural, required=True),
    argument("--system", "NAME", "only this system (default: all; with --json the first)"),
    flag("--facts", "show what both texts write in different signs, such as numbers, too (texts only, not RUN)"),
    flag("--json", "print one JSON object"),
)
def explain(arguments: argparse.Namespace) -> int:
    """Show why an item scored as it did: its Scenes, where they went, what was kept and what was lost
    Reads a saved run (`sema score --save RUN`), or takes the same files and settings as `sema score`.

    examples:
      sema explain RUN --item 3
      sema explain --lang en -s original.txt -o system.txt --item 0 --json
      sema explain --lang en -s original.txt -o system.txt --item 0 --facts"""
    saved = saved_run(arguments)
    if saved is None:
        task = read_inputs(arguments)
        lang, item = arguments.lang, _explained(task, arguments.item, must=True)
        if arguments.facts:
            item = _with_facts(item, task, arguments.item)
    elif arguments.facts:
        raise UsageError(
            "--facts reads texts: give --lang, -s and -o in place of a saved run", file=arguments.run_folder
        )
    else:
        lang, item = saved.head["lang"], _kept(saved, arguments.item)
    if arguments.system is not None:
        if arguments.system not in item:
            raise UsageError(f"no system is called {arguments.system!r}; the systems are {', '.join(item)}")
        item = {arguments.system: item[arguments.system]}
    if arguments.json:
        from sema.scoring.item_scores import plain_scores

        scores, evidence = next(iter(item.values()))
        print_json({"item": arguments.item, "scores": plain_scores(scores), **evidence})
    else:
        _print(item, lang)
    return 0


def _kept(saved: Run, index: int) -> Explained:
    scores = saved.scores(index)
    return {name: (scores[name], evidence) for name, evidence in saved.evidence(index).items()}


def _explained(task: ScoringTask, index: int, *, must: bool = False) -> Explained:
    """The item once more, alone and with its evidence; with ``must`` the error of a broken item is raised."""
    report = task.only(index).report(keep_items=True)
    for _, item in report.failed if must else ():
        raise InputError(item.error or "") from item.cause
    evidence = report.evidence(0)
    systems = report.systems
    return {system.name: (system.items[0].scores, {**evidence[system.name], "item": index}) for system in systems}


def _with_facts(item: Explained, task: ScoringTask, index: int) -> Explained:
    """The evidence with what both texts state in different signs, whatever metrics were asked for."""
    from sema.analysis.analyser import Analyser
    from sema.model.meaning import quoted

    parts, given = task.scorer.engine.parts, task.only(index).given
    reader = parts.reader
    if reader is None:
        raise UsageError(f"{parts.language.name} has no reader of notation; leave out --facts")
    analyser = Analyser(parts)
    texts: Any = (given.sources, list(given.systems.values()))
    explained = {}
    for name, (read,) in zip(given.systems, analyser.prepare(*texts, segment=False, scenes=given.scenes), strict=True):
        if isinstance(read, SemaError):
            raise read
        scores, evidence = item[name]
        facts = [
            {
                "source": quoted(read.source, old), "output": quoted(read.output, new),
                "source_tokens": list(old), "output_tokens": list(new),
            }
            for old, new in reader.notation(read.source, read.output)
        ]  # fmt: skip
        explained[name] = (scores, {**evidence, "facts": facts})
    return explained


def _print(item: Explained, lang: str) -> None:
    from sema.display.terminal import print_evidence

    whole_words = whole_words_of(lang)
    for name, (scores, evidence) in item.items():
        print_evidence(evidence, scores, name, whole_words)


def write_per_item(arguments: argparse.Namespace, report: Report, source: Column | None = None) -> None:
    """Write the rows that were asked for, with the ids of ``source``; what was printed before stands if that fails."""
    if arguments.per_item:
        sys.stdout.flush()
        label, rows = (None, report.rows()) if source is None else labelled(report.rows(), source)
        write_items(rows, report.metrics, arguments.per_item, label=label, raw_cells=arguments.raw_cells)


def shown_signature(arguments: argparse.Namespace, signature: str) -> str:
    """The signature as it was asked for."""
    from sema.scoring.results import short_signature

    return signature if arguments.signature == "long" else short_signature(signature)
