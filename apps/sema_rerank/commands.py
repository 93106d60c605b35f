"""``sema rerank``, ``sema tune`` and ``sema simplify``: candidates, the best of them, and weights for a model."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sema.cli.arguments import (
    WORKERS,
    Argument,
    Weights,
    argument,
    choice,
    decimal,
    flag,
    grouped,
    language,
    positive,
    read,
    repeated,
    several,
    source,
    written,
)
from sema.cli.commands import chosen, command, setting_values, settings_of
from sema.cli.messages import note, print_columns, progress_bar, report_errors, warn
from sema.cli.texts import place_error, print_json, read_sources, readable, results, usable, write_text
from sema.errors import InputError, SemaError, UsageError
from sema.files.ids import in_order_of
from sema.files.texts import Column, read_column, reference_rows
from sema.languages import find_language
from sema.model.forms import segmented
from sema.model.language import Language, base_code
from sema.model.levels import CEFR
from sema.model.text import Text, visible
from sema.options import Settings
from sema_rerank.nbest import Candidate, NBest, read_nbest
from sema_rerank.simplifiers import Simplifier, find_simplifier, weights_text

if TYPE_CHECKING:
    from sema_rerank.tuning import Round, Tuned, Tuner

SHOWN_REASONS, SHOWN_WEIGHTS = 10, 12


@command(
    read("nbest", "NBEST", "n-best lists, .jsonl or - for standard input"),
    *language(),
    argument(
        "--by",
        "MIX",
        "a metric, or weighted ones: 0.7*meaning+0.3*samsa; `model` is the candidates' own score (default: meaning)",
        default="meaning",
    ),
    repeated(
        "--at-most",
        "METRIC=LIMIT",
        "prefer candidates at or below this score, such as cefr=3 or cefr=B1; repeat for more",
    ),
    flag("--mbr", "judge each candidate by the others (minimum Bayes risk), not by references"),
    flag("--json", "print a JSON object for each list, with the reason"),
    WORKERS,
)
def rerank(arguments: argparse.Namespace) -> int:
    """Choose the best candidate of each n-best list by any metric or mix, with the reason
    NBEST is a .jsonl file (or -) with a line for each source: {"source": "…", "candidates": ["…", {"text": "…",
    "score": -1.2}], "references": ["…"]}; scores and references are optional. Prints the best texts, one a line; with
    --json why.

    examples:
      sema rerank nbest.jsonl --lang en --by meaning
      sema rerank nbest.jsonl --lang en --by '0.6*meaning+0.4*simplicity' --json
      sema rerank nbest.jsonl --lang en --by meaning --at-most cefr=3
      sema rerank nbest.jsonl --lang en --by sari --mbr > best.txt"""
    from sema_rerank.mixes import Mix
    from sema_rerank.reranking import Reranker

    mix = Mix.of(arguments.by)
    lists = read_nbest(arguments.nbest)
    limits = _limits(arguments.at_most)
    options = chosen(arguments, "mbr", "tokenized", "extractor", "aligner", "workers")
    reranker = Reranker(arguments.lang, mix, at_most=limits, options=settings_of(arguments), **options)
    column = Column(arguments.nbest, (), range(1, len(lists) + 1))
    errors: list[str] = []
    with progress_bar("reranking", prints=True) as progress:
        for ranking, nbest in zip(reranker.stream(lists), lists, strict=True):
            texts = nbest.texts if isinstance(nbest, NBest) else []
            if ranking.error is not None:
                errors.append(place_error(ranking.error, column, ranking.index))
            if arguments.json:
                print_json(ranking.to_dict(texts))
            else:
                # A list that could not be ranked keeps its line, so that the lines still fit the sources.
                print("" if ranking.error is not None else " ".join(texts[ranking.best].split("\n")))
                if ranking.error is None and ranking.index < SHOWN_REASONS:
                    note(f"item {ranking.index}: candidate {ranking.best} of {len(texts)}: {ranking.reason()}")
                elif ranking.index == SHOWN_REASONS:
                    note("… --json has the reasons of all")
            progress(ranking.index + 1, len(lists))
    return report_errors(errors)


def _limits(given: list[str]) -> dict[str, float]:
    """The limits by metric; the name of a CEFR level allows every score that rounds to it or less."""
    limits = {}
    for text in given:
        name, _, value = (part.strip() for part in text.partition("="))
        if name.startswith("cefr") and value.upper() in CEFR:
            limits[name] = math.nextafter(CEFR.index(value.upper()) + 1.5, 0)
            continue
        try:
            limits[name] = decimal(value if name else "")
        except (ValueError, argparse.ArgumentTypeError):
            raise UsageError(f"--at-most {text!r} is not a limit; write cefr=3, say") from None
    return limits


def _simplifier(default: str | None) -> list[Argument]:
    """Arguments that choose a simplifier, its rules and its weights."""
    return [
        argument("--simplifier", "NAME", "an installed simplifier (shipped: ppdb, English)", default=default),
        read("--rules", "FILE", "learned rules (see `python -m sema_simplifier.learn`)"),
        read("--weights", "FILE", "weights, as `sema tune` writes them"),
    ]


def _make_simplifier(arguments: argparse.Namespace, given: dict[str, object], **defaults: object) -> Simplifier:
    """The simplifier that the arguments name, with the settings of its own that are ``given``."""
    values = dict(given)
    for option in ("rules", "weights"):
        if path := getattr(arguments, option):
            if not Path(path).is_file():
                raise InputError("there is no such file; check the name", file=path)
            values[f"{arguments.simplifier}.{option}"] = path
    simplifier = find_simplifier(arguments.simplifier, Settings(values, defaults))
    lang = getattr(simplifier, "lang", None)
    if lang is not None and base_code(arguments.lang) != lang:
        raise UsageError(f"the simplifier {arguments.simplifier!r} is for language {lang!r}, not {arguments.lang!r}")
    return simplifier


Given = str | Sequence[str] | Text
"""A text, its sentences, or its tokens."""


def _segmented(language: Language, texts: Sequence[Given]) -> list[Text]:
    raw = [text if isinstance(text, str | Text) else " ".join(text) for text in texts]
    cut = iter(segmented(language.parts().of_sources.segmenter, [text for text in raw if isinstance(text, str)]))
    return [text if isinstance(text, Text) else next(cut) for text in raw]


@command(
    read("source", "SOURCE", "the original texts, one a line, or - for standard input"),
    argument("--lang", "CODE", "language of the texts", required=True),
    *_simplifier("ppdb"),
    flag("--tokenized", "tokens are separated by spaces; a line is a sentence"),
    argument("--nbest", "N", "print the N best with scores, features and steps", type=positive),
    repeated("--set", "NAME.OPTION=VALUE", "option of the simplifier", dest="settings"),
)
def simplify(arguments: argparse.Namespace) -> int:
    """Simplify texts with an installed simplifier (ppdb: English, by phrase rules and a tunable model)
    A small system to try `sema rerank` and `sema tune` on: ppdb replaces words by more common synonyms where the
    encoder finds that they fit the sentence, and does little else (--set ppdb.check=no: wherever a rule allows it).
    Prints a text a line; with --nbest the n-best lists that the two commands read.

    examples:
      sema simplify original.txt --lang en
      sema simplify original.txt --lang en --nbest 20 > nbest.jsonl
      sema simplify original.txt --lang en --rules rules.json.gz --weights weights.json --set ppdb.split=yes"""
    language = find_language(arguments.lang)
    simplifier = _make_simplifier(arguments, setting_values(arguments.settings))
    column, texts = read_sources(arguments.source, arguments.tokenized)

    def simplified(texts: Sequence[Given]) -> Iterator[NBest]:
        cut = _segmented(language, texts)
        yield from map(NBest, (text.raw for text in cut), simplifier.candidates(cut, arguments.nbest or 1))

    errors: list[str] = []
    with progress_bar("simplifying", prints=True) as progress:
        for index, result in results({"text": texts}, simplified, language, progress):
            if isinstance(result, SemaError):
                errors.append(place_error(result, column, index))
            if arguments.nbest:
                print_json({"error": errors[-1]} if isinstance(result, SemaError) else result.to_dict())
            else:
                print("" if isinstance(result, SemaError) else Text.from_tokenized(result.candidates[0].text).raw)
    return report_errors(errors)


ROUNDS, CANDIDATES = 4, 40
"""How often a simplifier that is tuned decodes again, and its candidates for each source, by default."""
TUNED = (
    *_simplifier(None),
    source(required=False),
    several("-r --reference", "REFERENCE", "people's simplifications"),
    argument("--rounds", "N", f"times it is decoded again (default: {ROUNDS})", type=positive),
    argument("--candidates", "N", f"for each source (default: {CANDIDATES})", type=positive),
)
"""What only the tuning of a simplifier reads."""


@command(
    read("nbest", "NBEST", "n-best lists with features (.jsonl)", nargs="?"),
    *language(),
    argument("--objective", "MIX", "a metric, or weighted ones: 0.7*meaning+sari", required=True),
    written("--to", "FILE.json", "where the weights are written", kind=Weights, required=True),
    choice("--method", ("search", "pro"), "(default: search, by CMA-ES)", default="search"),
    argument("--restarts", "N", "from other seeds (default: 3)", type=positive, default=3),
    argument("--seed", "N", "(default: 0)", type=int, default=0),
    flag("--json", "print the curve as one JSON object"),
    *grouped(
        "tuning a simplifier",
        *TUNED,
    ),
)
def tune(arguments: argparse.Namespace) -> int:
    """Tune the weights of a linear model to any metric or mix
    On n-best lists with features (see `sema rerank`), or on a simplifier that is decoded again every round. Every fifth
    source is held out; the weights of the round that is best on those are written. Prints the learning curve.

    examples:
      sema tune nbest.jsonl --lang en --objective sari --to weights.json
      sema tune --simplifier ppdb -s tune.txt -r ref0.txt -r ref1.txt --lang en --objective sari --to weights.json
      sema tune nbest.jsonl --lang en --objective '0.5*meaning+0.5*simplicity' --method pro --to weights.json"""
    from sema import Scorer
    from sema_rerank.mixes import Mix
    from sema_rerank.pool import Objective
    from sema_rerank.tuning import Tuner

    if (arguments.nbest is None) == (arguments.simplifier is None):
        raise UsageError("give either n-best lists, or --simplifier with -s and -r")
    for names, _, _ in TUNED if arguments.nbest is not None else ():
        if getattr(arguments, names[-1].lstrip("-")):
            message = f"{names[-1]} is for tuning a simplifier; leave it out, or give --simplifier instead of lists"
            raise UsageError(message, file=arguments.nbest)
    settings = settings_of(arguments)
    own = {name: value for name, value in settings.values.items() if name.startswith(f"{arguments.simplifier}.")}
    settings.values = {name: value for name, value in settings.values.items() if name not in own}
    mix = Mix.of(arguments.objective)
    scorer = Scorer(arguments.lang, mix.metrics, **chosen(arguments, "extractor", "aligner"), options=settings)
    objective = Objective(scorer, mix, Text.from_tokenized if arguments.tokenized else str)
    tuner = Tuner(objective, **chosen(arguments, "method", "restarts", "seed"))
    if arguments.nbest is None:
        tuned = _tune_simplifier(arguments, tuner, own)
    else:  # a broken list is an error, so that weights are not tuned on a part of the file
        lists = usable(read_nbest(arguments.nbest))
        try:
            tuned = tuner.tune_lists(lists)
        except InputError as error:
            line = None if error.item is None else error.item + 1
            raise InputError(error.message, file=arguments.nbest, line=line) from error
    about = {"objective": arguments.objective, "method": arguments.method, "signature": objective.signature}
    write_text(arguments.to, weights_text(tuned.weights, {**about, **tuned.rounds[tuned.best].to_dict()}))
    if arguments.json:
        rounds = [made.to_dict() for made in tuned.rounds]
        print_json({**about, "best": tuned.best, "collapse": tuned.collapse, "rounds": rounds})
    else:
        header = ["round", "tuned", "held out", "copies", "length", "candidates", "oracle", "found (restarts)", ""]
        print_columns(header, [_cells(made, made.number == tuned.best) for made in tuned.rounds])
        heaviest = sorted(tuned.weights.items(), key=lambda entry: -abs(entry[1]))[:SHOWN_WEIGHTS]
        shown = ", ".join(f"{name} {value:+.3f}" for name, value in heaviest) or "none"
        print("\n" + visible(f"heaviest weights: {shown}"))
    for warning in filter(None, (tuned.unchanged, tuned.collapse)):
        warn(warning)
    return 0


def _tune_simplifier(arguments: argparse.Namespace, tuner: Tuner, values: dict[str, object]) -> Tuned:
    if arguments.source is None:
        raise UsageError("name the texts to tune on with -s SOURCE, and references with -r")
    originals = read_column(arguments.source, "source")
    columns = in_order_of(originals, [read_column(path, "reference") for path in arguments.reference])
    raw: list[Given] = usable(readable(originals, "source", arguments.tokenized))
    texts = _segmented(find_language(arguments.lang), raw)
    references = reference_rows(columns) if columns else [[] for _ in texts]
    lists = [
        NBest(text.raw, (Candidate(text.raw),), tuple(usable(row))) for text, row in zip(texts, references, strict=True)
    ]
    simplifier = _make_simplifier(arguments, values, check=False)  # the weights decide

    def decode(weights: Mapping[str, float]) -> Sequence[Sequence[Candidate]]:
        return simplifier.weighted(weights).candidates(texts, arguments.candidates or CANDIDATES)

    rounds = arguments.rounds or ROUNDS
    with progress_bar("tuning") as show:

        def report(made: Round) -> None:
            note(f"round {made.number}: {made.tuned:.2f} (held out {made.held_out:.2f}), {made.candidates} candidates")
            show(made.number + 1, rounds + 1)

        return tuner.tune(lists, decode, simplifier.weights, rounds=rounds, progress=report)


def _cells(made: Round, written: bool) -> list[str]:
    values = [f"{made.tuned:.2f}", f"{made.held_out:.2f}", f"{100 * made.copies:.0f} %", f"{made.length:.2f}"]
    searched = [f"{made.oracle:.2f}", "{:.2f} ± {:.2f}".format(*made.interval)] if made.restarts else ["", ""]
    return [str(made.number), *values, str(made.candidates), *searched, "written" if written else ""]
