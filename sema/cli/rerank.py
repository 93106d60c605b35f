"""``sema rerank``: the best candidate of each n-best list."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sema.cli.common import add_language_arguments, positive, progress_bar, settings_of
from sema.cli.messages import note, report_errors
from sema.errors import UsageError

if TYPE_CHECKING:
    from sema.rerank.reranking import Ranking

SHOWN_REASONS = 10
HELP = """Choose the best candidate of each n-best list by any metric or mix, with the reason
NBEST is a .jsonl file (or -) with a line for each source: {"source": "…", "candidates": ["…", {"text": "…", "score":
-1.2}], "references": ["…"]}; scores and references are optional. Prints the best texts, one a line; with --json why.

examples:
  sema rerank nbest.jsonl --lang en --by meaning
  sema rerank nbest.jsonl --lang en --by '0.6*meaning+0.4*simplicity' --json
  sema rerank nbest.jsonl --lang en --by meaning --at-most cefr=3
  sema rerank nbest.jsonl --lang en --by sari --mbr > best.txt"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema rerank``."""
    parser.add_argument("nbest", metavar="NBEST", help="n-best lists, .jsonl or - for standard input")
    add_language_arguments(parser)
    parser.add_argument(
        "--by",
        default="meaning",
        metavar="MIX",
        help="a metric, or weighted ones: 0.7*meaning+0.3*samsa; `model` is the candidates' own score "
        "(default: meaning)",
    )
    parser.add_argument(
        "--at-most",
        action="append",
        default=[],
        metavar="METRIC=LIMIT",
        help="prefer candidates at or below this score, such as cefr=3 or cefr=B1; repeat for more",
    )
    parser.add_argument(
        "--mbr", action="store_true", help="judge each candidate by the others (minimum Bayes risk), not by references"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object for each list, with the reason")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes that score in parallel")


def run(arguments: argparse.Namespace) -> int:
    """Rank and print."""
    from sema.display.visible import to_json
    from sema.errors import SemaError
    from sema.rerank.mixes import Mix
    from sema.rerank.nbest import NBest, read_nbest
    from sema.rerank.reranking import Reranker

    mix = Mix.of(arguments.by)
    lists = read_nbest(arguments.nbest)
    limits = _limits(arguments.at_most)
    names = [*(metric for metric in mix.metrics if isinstance(metric, str)), *limits]
    reranker = Reranker(
        arguments.lang,
        mix,
        at_most=limits,
        mbr=arguments.mbr,
        tokenized=arguments.tokenized,
        extractor=arguments.extractor,
        aligner=arguments.aligner,
        options=settings_of(arguments, names),
        workers=arguments.workers,
    )
    errors: list[str] = []
    with progress_bar("reranking", prints=True) as progress:
        for ranking, found in zip(reranker.stream(lists), lists, strict=True):
            texts = [candidate.text for candidate in found.candidates] if isinstance(found, NBest) else []
            if ranking.error is not None:
                errors.append(_place(ranking.error, arguments.nbest, ranking.index))
            if arguments.json:
                print(to_json(ranking.to_dict(texts)))
            else:
                # A list that could not be ranked keeps its line, so that the lines still fit the sources.
                print("" if isinstance(ranking.error, SemaError) else " ".join(texts[ranking.best].split("\n")))
                _say_why(ranking, len(texts))
            progress(ranking.index + 1, len(lists))
    report_errors(errors)
    return 1 if errors else 0


def _say_why(ranking: Ranking, candidates: int) -> None:
    """The reason of each of the first choices, beside the texts themselves; ``--json`` has all."""
    if ranking.error is None and ranking.index < SHOWN_REASONS:
        note(f"item {ranking.index}: candidate {ranking.best} of {candidates}: {ranking.reason()}")
    elif ranking.index == SHOWN_REASONS:
        note("… --json has the reasons of all")


def _limits(given: list[str]) -> dict[str, float]:
    """The limits by metric; the name of a CEFR level stands for all that is read as this level."""
    import math

    from sema.model.levels import CEFR

    found = {}
    for text in given:
        name, sign, value = (part.strip() for part in text.partition("="))
        if name.startswith("cefr") and value.upper() in CEFR:
            found[name] = math.nextafter(CEFR.index(value.upper()) + 1.5, 0)
            continue
        try:
            limit = float(value)
        except ValueError:
            limit = math.nan
        if not name or not sign or not math.isfinite(limit):
            raise UsageError(f"--at-most {text!r} is no limit; write cefr=3, say")
        found[name] = limit
    return found


def _place(error: Exception, path: str, index: int) -> str:
    from sema.errors import InputError

    if isinstance(error, InputError) and error.file is not None:
        return str(error)
    return str(InputError(getattr(error, "message", str(error)), file=path, line=index + 1))
