"""``sema tune``: weights of a linear model, tuned to a metric."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sema.cli.common import MANY_FILES, add_language_arguments, positive, progress_bar, readable, settings_of
from sema.cli.messages import note, warn
from sema.cli.simplify import add_simplifier_arguments, make_simplifier
from sema.errors import InputError, SemaError, UsageError
from sema.model.forms import segmented

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sema.files.texts import Column
    from sema.options import Settings
    from sema.rerank.nbest import Candidate, NBest
    from sema.rerank.pool import Objective
    from sema.rerank.tuning import Round, Tuned, Tuner

HELP = """Tune the weights of a linear model to any metric or mix
On n-best lists with features (see `sema rerank`), or on a simplifier that is decoded anew every round. Every fifth
source is held out; the weights of the round that is best on those are written. Prints the learning curve.

examples:
  sema tune nbest.jsonl --lang en --objective sari --to weights.json
  sema tune --simplifier ppdb -s tune.txt -r ref0.txt -r ref1.txt --lang en --objective sari --to weights.json
  sema tune nbest.jsonl --lang en --objective '0.5*meaning+0.5*simplicity' --method pro --to weights.json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema tune``."""
    parser.add_argument("nbest", nargs="?", metavar="NBEST", help="n-best lists with features (.jsonl)")
    add_language_arguments(parser)
    parser.add_argument(
        "--objective", required=True, metavar="MIX", help="a metric, or weighted ones: 0.7*meaning+sari"
    )
    parser.add_argument("--to", required=True, metavar="FILE", help="where the weights are written (.json)")
    parser.add_argument("--method", choices=("search", "pro"), default="search", help="(default: search, by CMA-ES)")
    parser.add_argument("--restarts", type=positive, default=3, metavar="N", help="from other seeds (default: 3)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="(default: 0)")
    parser.add_argument(
        "--most-copies", type=float, default=1.0, metavar="SHARE", help="avoid weights that copy more (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print the curve as one JSON object")
    group = parser.add_argument_group("tuning a simplifier")
    add_simplifier_arguments(group, None)  # type: ignore[arg-type]
    group.add_argument("-s", "--source", metavar="SOURCE", help="the original texts")
    group.add_argument("-r", "--reference", **MANY_FILES, metavar="REFERENCE", help="people's simplifications")
    group.add_argument("--rounds", type=positive, default=4, metavar="N", help="times it is decoded anew (default: 4)")
    group.add_argument("--candidates", type=positive, default=40, metavar="N", help="for each source (default: 40)")


def run(arguments: argparse.Namespace) -> int:
    """Tune, write the weights, print the curve."""
    from sema.display.visible import to_json
    from sema.files.replacing import replacing
    from sema.rerank.simplifiers import weights_text

    if (arguments.nbest is None) == (arguments.simplifier is None):
        raise UsageError("give either n-best lists, or --simplifier with -s and -r")
    target = Path(arguments.to)
    if not target.parent.is_dir():
        raise InputError("is in no folder that there is; make it first", file=target)
    tuned = _tune(arguments)
    best = tuned.rounds[tuned.best]
    about = {"objective": arguments.objective, "method": arguments.method, "signature": tuned.signature}
    with replacing(target) as file:
        file.write(weights_text(tuned.weights, {**about, **best.to_dict()}).encode())
    if arguments.json:
        rounds = [made.to_dict() for made in tuned.rounds]
        print(to_json({**about, "best": tuned.best, "collapse": tuned.collapse, "rounds": rounds}))
    else:
        _print(tuned)
    if tuned.collapse is not None:
        warn(tuned.collapse)
    return 0


def _tune(arguments: argparse.Namespace) -> Tuned:
    from sema.rerank.tuning import Tuner

    settings = settings_of(arguments)
    own = f"{arguments.simplifier}."
    simplifier_values = {name: value for name, value in settings.values.items() if name.startswith(own)}
    settings.values = {name: value for name, value in settings.values.items() if name not in simplifier_values}
    tuner = Tuner(
        _objective(arguments, settings),
        method=arguments.method,
        restarts=arguments.restarts,
        seed=arguments.seed,
        most_copies=arguments.most_copies,
    )
    if arguments.nbest is not None:
        return tuner.tune_lists(_usable(arguments.nbest))
    return _tune_simplifier(arguments, tuner, simplifier_values)


def _objective(arguments: argparse.Namespace, settings: Settings) -> Objective:
    from sema.model.text import Text
    from sema.rerank.mixes import Mix
    from sema.rerank.pool import Objective
    from sema.scoring.scorer import Scorer

    mix = Mix.of(arguments.objective)
    scorer = Scorer(
        arguments.lang, mix.metrics, extractor=arguments.extractor, aligner=arguments.aligner, options=settings
    )
    return Objective(scorer, mix, Text.from_tokenized if arguments.tokenized else str)


def _usable(path: str) -> list[NBest]:
    """All lists of a file; a broken file is an error, so that weights are not tuned on part of it."""
    from sema.rerank.nbest import read_nbest

    found = []
    for entry in read_nbest(path):
        if isinstance(entry, SemaError):
            raise entry
        found.append(entry)
    return found


def _tune_simplifier(arguments: argparse.Namespace, tuner: Tuner, values: dict[str, object]) -> Tuned:
    from collections.abc import Mapping

    from sema.files.texts import read_column, same_length
    from sema.languages import find_language
    from sema.model.text import Text
    from sema.rerank.nbest import Candidate, NBest

    if arguments.source is None:
        raise UsageError("name the texts to tune on with -s SOURCE, and references with -r")
    columns = [read_column(path, "reference") for paths in arguments.reference for path in paths]
    source = read_column(arguments.source, "source")
    same_length([source, *columns])
    texts = []
    for text in readable(source, "source", arguments.tokenized):
        if isinstance(text, InputError):
            raise text
        texts.append(text if isinstance(text, str | Text) else " ".join(text))
    segmenter = find_language(arguments.lang).parts().segmenter
    cut = [text if isinstance(text, Text) else segmented(segmenter, [text])[0] for text in texts]
    lists = [NBest(text.raw, (Candidate(text.raw),), _references(columns, place)) for place, text in enumerate(cut)]
    simplifier = make_simplifier(arguments, values, check=False)  # the weights decide

    def decode(weights: Mapping[str, float]) -> Sequence[Sequence[Candidate]]:
        return simplifier.weighted(weights).candidates(cut, arguments.candidates)

    with progress_bar("tuning") as show:

        def report(made: Round) -> None:
            _tell(made)
            show(made.number + 1, arguments.rounds + 1)

        return tuner.tune(lists, decode, simplifier.weights, rounds=arguments.rounds, progress=report)


def _references(columns: Sequence[Column], place: int) -> tuple[str, ...]:
    """The references of one source: a text of each file, or the texts of a list in its cell."""
    found: list[str] = []
    for column in columns:
        value = column.values[place]
        if isinstance(value, InputError):
            raise value
        found += [value] if isinstance(value, str) else value
    return tuple(found)


def _tell(made: Round) -> None:
    note(f"round {made.number}: {made.tuned:.2f} (held out {made.held_out:.2f}), {made.candidates} candidates")


def _print(tuned: Tuned) -> None:
    from sema.display.terminal import print_columns, print_lines

    rows = []
    for made in tuned.rounds:
        mean, half = made.interval
        found = f"{mean:.2f} ± {half:.2f}" if made.restarts else ""
        oracle = f"{made.oracle:.2f}" if made.restarts else ""
        mark = "written" if made.number == tuned.best else ""
        rows.append(
            [
                str(made.number),
                f"{made.tuned:.2f}",
                f"{made.held_out:.2f}",
                f"{100 * made.copies:.0f} %",
                f"{made.length:.2f}",
                str(made.candidates),
                oracle,
                found,
                mark,
            ]
        )
    header = ["round", "tuned", "held out", "copies", "length", "candidates", "oracle", "found (restarts)", ""]
    print_columns(header, rows)
    heaviest = sorted(tuned.weights.items(), key=lambda entry: -abs(entry[1]))[:12]
    print_lines(["", "heaviest weights: " + ", ".join(f"{name} {value:+.3f}" for name, value in heaviest)])
