"""``sema tsar``: the table of the TSAR shared task for whole folders of runs."""

from __future__ import annotations

import argparse

from sema.cli.arguments import FORMAT, WORKERS, Picture, argument, read, repeated, sampling, written
from sema.cli.commands import chosen, command, setting_values
from sema.cli.messages import progress_bar, report_errors
from sema.cli.texts import print_json


@command(
    read("submissions", "SUBMISSIONS", "folders of runs, or files with a run each", nargs="+"),
    read("--gold", "FILE", "originals, targets and references (default: the first run has them itself)"),
    argument("--lang", "CODE", "language of the texts (default: en)", default="en"),
    repeated("--set", "COMPONENT.OPTION=VALUE", "any option of a metric or of a language's part", dest="settings"),
    *sampling("resamplings of the originals"),
    *FORMAT,
    written("--figure", "FILE", "draw meaning against level to FILE.svg, .pdf or .png", kind=Picture),
    WORKERS,
)
def tsar(arguments: argparse.Namespace) -> int:
    """The table of the TSAR 2025 shared task: levels against targets, meaning, rank, for all runs of a folder
    A run is a file of JSON lines with text_id and simplified; --gold names the task's file with text_id, original,
    target_cefr and reference. Runs in a team's folder are called Team/run. Runs are ranked as in the task: the mean of
    their ranks by RMSE of levels, meaning kept from the source and BERTScore with the reference (AutoRank).

    examples:
      sema tsar submissions/ --gold tsar2025_test.jsonl
      sema tsar submissions/OurTeam --gold tsar2025_test.jsonl --json
      sema tsar submissions/ --gold tsar2025_test.jsonl --figure meaning_level.svg
      sema tsar team1.jsonl team2.jsonl"""
    from sema.display.reports.figures import trade_figure, write_figure
    from sema.display.terminal import print_tables
    from sema.options import Settings
    from sema.scoring.results import short_signature
    from sema_tsar.runs import check_known, read_gold, read_runs, run_files
    from sema_tsar.scoring import score_runs
    from sema_tsar.table import task_picture, task_table, task_tables

    origin = arguments.gold or run_files(arguments.submissions)[0][1]
    gold, runs = read_gold(origin), read_runs(arguments.submissions)
    for run in runs:
        check_known(run, gold, origin)
    options = {"options": Settings(setting_values(arguments.settings)), "workers": arguments.workers}
    with progress_bar("scoring") as progress:
        runs_scored = score_runs(runs, gold, lang=arguments.lang, progress=progress, **options)
    status = report_errors(runs_scored.errors)
    sampled = chosen(arguments, "samples", "seed")
    rows = task_table(runs_scored.items, texts=len(gold), **sampled)
    if arguments.figure is not None:
        write_figure(trade_figure(task_picture(rows), "cefr"), arguments.figure)
    if arguments.format == "json":
        about = {"signature": runs_scored.signature, "texts": len(gold)}
        print_json({**about, **sampled, "runs": [row.to_dict() for row in rows]})
    else:
        settings = f"{arguments.samples} samples, seed {arguments.seed}"
        signature = short_signature(runs_scored.signature)
        print_tables(task_tables(rows, texts=len(gold), signature=signature, settings=settings), arguments.format)
    return status
