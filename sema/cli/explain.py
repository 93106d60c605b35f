"""``sema explain``: why an item scored as it did."""

from __future__ import annotations

import argparse
from typing import Any

from sema.cli.common import natural, whole_words_of
from sema.cli.inputs import read_inputs, saved_run, score_inputs
from sema.cli.score import add_scoring_arguments
from sema.display.visible import to_json
from sema.errors import InputError, UsageError

HELP = """Show why an item scored as it did: its Scenes, where they went, what was kept and what was lost
Reads a saved run (`sema score --save RUN`), or takes the same files and settings as `sema score`.

examples:
  sema explain RUN --item 3
  sema explain --lang en -s original.txt -o system.txt --item 0 --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema explain``."""
    parser.add_argument("run_folder", nargs="?", metavar="RUN", help="a saved run, in place of texts")
    add_scoring_arguments(parser, required=False)
    parser.add_argument("--item", type=natural, required=True, metavar="N", help="number of the item, from 0")
    parser.add_argument("--system", metavar="NAME", help="only this system (default: all; with --json the first)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print the evidence of one item."""
    saved = saved_run(arguments)
    if saved is not None:
        lang, scores, evidence = saved.head["lang"], saved.scores(arguments.item), saved.evidence(arguments.item)
    else:
        lang, scores, evidence = _from_texts(arguments)
    names = list(evidence)
    if arguments.system is not None:
        if arguments.system not in names:
            raise UsageError(f"no system is called {arguments.system!r}; the systems are {', '.join(names)}")
        names = [arguments.system]
    if arguments.json:
        from sema.scoring.item_scores import plain_scores

        found = evidence[names[0]]
        print(to_json({"item": arguments.item, "scores": plain_scores(scores[names[0]]), **found}))
        return 0
    from sema.display.terminal import print_evidence

    whole_words = whole_words_of(lang)
    for name in names:
        print_evidence(evidence[name], scores[name], name, whole_words)
    return 0


def _from_texts(arguments: argparse.Namespace) -> tuple[str, dict[str, dict[str, float]], dict[str, dict[str, Any]]]:
    inputs = read_inputs(arguments).only(arguments.item)
    report = score_inputs(inputs, keep_items=True)
    for _, item in report.failed:
        raise InputError(item.error or "") from item.cause
    scores = {system.name: system.items[0].scores for system in report.systems}
    return arguments.lang, scores, report.evidence(0)
