"""``sema levels``: the profile of texts by the levels of their words."""

from __future__ import annotations

import argparse
from typing import Any

from sema.cli.arguments import FILE, Picture, flag, written
from sema.cli.arguments import language as language_arguments
from sema.cli.commands import command, settings_of
from sema.cli.messages import print_columns, report_errors
from sema.cli.texts import ScoringTask, print_json, read_sources
from sema.errors import UsageError
from sema.languages import find_language
from sema.scoring.results import short_signature

SHOWN = 10  # words of each level; ``--json`` has all


@command(
    *language_arguments(aligns=False),
    FILE,
    flag("--json", "print one JSON object"),
    written("--figure", "FILE", "draw the profile to FILE.svg, .pdf or .png", kind=Picture),
)
def levels(arguments: argparse.Namespace) -> int:
    """Profile texts by level: CEFR (English) or HSK (Chinese), with the words of each level
    Figures, names and punctuation have no level.

    examples:
      sema levels --lang en original.txt
      sema levels --lang zh 原文.txt --json
      sema levels --lang en original.txt --figure profile.svg"""
    from sema.display.reports.figures import levels_figure, write_figure
    from sema.display.reports.profiles import LEVELS, LevelProfile
    from sema.scoring.scorer import Scorer

    language = find_language(arguments.lang)
    own = next((name for name in LEVELS if name in language.metrics), None)
    metric = LEVELS[0] if language.levels is not None else own
    if metric is None:
        raise UsageError(
            f"nothing reads levels in language {arguments.lang!r}; languages with levels: `sema languages`"
        )
    column, texts = read_sources(arguments.file, arguments.tokenized)
    scorer = Scorer(arguments.lang, [metric], extractor=arguments.extractor, options=settings_of(arguments))
    task = ScoringTask(scorer, column, {"sources": texts, "outputs": texts})
    profile, read, errors = LevelProfile(), [], []
    found: dict[str, Any]
    for system, item in task.items("reading levels"):
        errors += [failure.error for failure in item.failures(system)]
        evidence = item.evidence()
        found = evidence["levels"]["output"] if "levels" in evidence else {"level": None}
        if found["level"] is not None:
            read.append(found["level"])
            profile.add(evidence["source"], found["words"])
    if arguments.figure is not None:
        write_figure(levels_figure(profile), arguments.figure)
    from statistics import fmean

    level, words = (round(fmean(read), 2) if read else None), sum(profile.counts.values())
    if arguments.json:
        counts = {"lang": task.lang, "metric": metric, "signature": scorer.signature, "items": len(texts)}
        print_json({**counts, "level": level, "words": words, "profile": profile.to_list()})
    else:
        rows = [
            [label, f"{count}", f"{100 * profile.shares[label]:.0f} %", profile.commonest(label, SHOWN)]
            for label, count in profile.counts.items()
        ]
        print_columns(["level", "words", "share", f"the {SHOWN} commonest"], rows)
        signature = short_signature(scorer.signature)
        print(f"mean {metric} {'-' if level is None else level} | {len(texts)} items, {words} words | {signature}")
    return report_errors(errors)
