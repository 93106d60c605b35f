"""Languages that the cross-encoder was not taught with, and pairs across languages: does `meaning` agree with people?

    python -m benchmarks.judges.languages [--limit N] [--record]

MultiCochrane: English sources with Spanish simplifications; the area under the curve of outputs without against with a
hallucination. MLQE-PE (development parts): Pearson's r with adequacy, of originals with their machine translation. Both
beside the share of words that both texts have, which is all that there is without the network. Stories across languages
that taught nothing, some of which fit the scale and some nothing at all: how often a faithful version is above one with
an invention or an error.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from benchmarks.judges.meaning import PROBES, auc
from benchmarks.records import CommandLine, record, run
from sema import Scorer
from sema.evaluation.significance import pearson
from training.data.tables import table
from training.reader.fit import held_out
from training.reader.stories import read_stories
from training.reader.translations import ENGLISH, rows

FAITHFUL = "good", "good2"
WRONG = {"invention": ("extra", "hint"), "one error": ("near", "free")}
CLEAN = "N"
HALLUCINATION_AIM = 0.72


def scores(pair: str, texts: Sequence[tuple[str, str]]) -> dict[str, list[float]]:
    """The scores of sources and outputs of a pair of languages such as ``en-es``, by name."""
    scorer = Scorer(f"any:{pair}", ["meaning", "meaning_precision"])
    items = scorer.score([source for source, _ in texts], [output for _, output in texts]).systems[0].items
    values = {name: [item.scores[name] for item in items] for name in ("meaning", "meaning_precision")}
    return {**values, "shared words": [shared(*pair) for pair in texts]}


def shared(source: str, output: str) -> float:
    """The share of the output's words that the source has."""
    known, words = set(source.lower().split()), output.lower().split()
    return fmean(word in known for word in words) if words else 0.0


def spanish(limit: int | None) -> None:
    """English sources and Spanish outputs."""
    marks: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in table("ratings", "multicochrane", "ratings_es.tsv.gz"):
        if row["output"].strip():
            marks[row["source_en"], row["output"]].append(row["hallucination"] == CLEAN)
    pairs = some(sorted(marks), limit)
    clean = [fmean(marks[pair]) > 0.5 for pair in pairs]
    for name, values in scores("en-es", pairs).items():
        aim = HALLUCINATION_AIM if name == "meaning_precision" else None
        put("Spanish of English, MultiCochrane", f"hallucination, AUC, {name}", auc(values, clean), len(pairs), aim)


def translations(limit: int | None) -> None:
    """Originals and machine translations."""
    for code in ENGLISH:
        edited = some([row for row in rows(f"{code}-en", "dev") if row["mt"].strip()], limit)
        people = [float(row["da_mean"]) for row in edited]
        for name, values in scores(f"{code}-en", [(row["source"], row["mt"]) for row in edited]).items():
            put(f"{code} to English, MLQE-PE dev", f"adequacy, r, {name}", pearson(people, values).value, len(edited))


def ranked(limit: int | None) -> None:
    """Stories that taught nothing, by language: those that fit the scale, and those that were kept aside."""
    aside = [story for file in sorted(PROBES.glob("across_*.jsonl")) for story in read_stories(file)]
    for what, told in (("held-out stories", held_out("across")), ("stories kept aside", aside)):
        _ranked(what, some(told, limit))


def _ranked(title: str, stories: Sequence[Mapping[str, str]]) -> None:
    names = [*FAITHFUL, *(name for versions in WRONG.values() for name in versions)]
    by_language = defaultdict(list)
    for story in stories:
        by_language[story["lang"]].append(story)
    for code, told in sorted(by_language.items()):
        values = scores(f"en-{code}", [(story["source"], story[name]) for story in told for name in names])["meaning"]
        of_story = [dict(zip(names, values[at:], strict=False)) for at in range(0, len(values), len(names))]
        for what, versions in WRONG.items():
            right = [one[good] > one[wrong] for one in of_story for good in FAITHFUL for wrong in versions]
            put(f"English to {code}, {title}", f"faithful above {what}", fmean(right), len(right))


def some(items: list, limit: int | None) -> list:  # type: ignore[type-arg]
    """A set, or a random sample of it."""
    return random.Random(20).sample(items, limit) if limit and len(items) > limit else items


def put(row: str, column: str, figure: float, n: int, aim: float | None = None) -> None:
    """Print a figure and record it."""
    print(f"{row:36} {column:42} {figure:7.3f}  n {n}", flush=True)
    record("graded_texts.languages", row, column, figure, digits=3, data=row, n=n, aim=aim)


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--limit", type=int, help="the largest number of items of a set, drawn at random")
    arguments = parser.parse(argv)
    limit = 12 if arguments.smoke else arguments.limit
    spanish(limit)
    translations(limit)
    ranked(limit)


if __name__ == "__main__":
    run(main)
