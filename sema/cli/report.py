"""``sema report``: saved runs as a page, or as Markdown."""

from __future__ import annotations

import argparse
from pathlib import Path

from sema.cli.common import positive, progress_bar
from sema.errors import UsageError

HELP = """Turn saved runs into a page to look at: scores with intervals, what was kept and lost, items worth a look
Runs of the same sources, scored alike, are shown side by side; others as chapters of their own.

examples:
  sema report RUN -o report.html
  sema report OURS BASELINE --metric sema -o report.html
  sema report RUN --markdown -o appendix.md"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema report``."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folders that `sema score --save` wrote")
    parser.add_argument("-o", "--output", metavar="FILE", help="where the report goes (--markdown: default is stdout)")
    parser.add_argument("--markdown", action="store_true", help="Markdown, for a paper's appendix, instead of a page")
    parser.add_argument("--metric", metavar="NAME", help="the metric that picks the items (default: the run's first)")
    parser.add_argument("--title", default="", metavar="TEXT", help="the report's heading")
    parser.add_argument(
        "--show",
        type=positive,
        default=6,
        metavar="N",
        help="how many best, worst and disputed items (default: 6)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Read the runs and write the report."""
    if arguments.output is None and not arguments.markdown:
        raise UsageError("a report needs a file; name one with -o, as in -o report.html")
    from sema.display.reports.chapters import read_chapters
    from sema.display.reports.fonts import cache_outside_home
    from sema.files.replacing import replacing

    cache_outside_home()
    with progress_bar("comparing the systems") as progress:
        chapters = read_chapters(arguments.runs, arguments.metric, progress)
        if arguments.markdown:
            from sema.display.reports.markdown import report_markdown

            text = report_markdown(chapters, title=arguments.title, shown=arguments.show)
        else:
            from sema.display.reports.html import report_html

            text = report_html(chapters, title=arguments.title, shown=arguments.show)
    if arguments.output is None:
        print(text, end="")
        return 0
    with replacing(Path(arguments.output)) as file:
        file.write(text.encode())
    return 0
