"""Metrics beside people's ratings: every table of correlations, over the sheets of :mod:`benchmarks.sheets`.

    python -m benchmarks.metaeval.correlations [PART ...] [--extractor NAME] [--encoder FOLDER]

Parts: ``scenes``: Pearson's r of the scene metrics and ``stem_recall`` on three sets, and with EASSE's SAMSA (TUPA's
Scenes, a CoreNLP aligner); ``qats``: the same with the labels of QATS (Sulem, Abend and Rappoport 2018, section 9).
The others are tables of Alva-Manchego, Scarton and Specia (2021), absolute correlations by halves and system types:
``direct`` has 3 and 9, ``structural`` 7 and 10, ``references`` 11, each with our metrics, and the other ratings of the
same outputs; ``public`` has all of them from EASSE's public scores, which tests everything but the metrics;
``bertscore`` compares BERTScore with EASSE's (roberta-large) by set of references.

Beside Tables 3 and 9 stand the correlations of EASSE's published scores, beside the others the printed ones. The halves
of Table 7 depend on the order of 833 ratings that equal the median: it is printed in the authors' order and in the
stable one. Printed iBLEU of Table 9 repeats the row of BLEU-SARI (AM). The scores against selected references (Table
11) are not public.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.records import CommandLine, Figures, cells, run
from benchmarks.sheets import PUBLISHED, Floats, Sheet, qats_test, simpeval_past, simplicity_da, structural_simplicity
from sema import Scorer
from sema.evaluation.metaevaluation import HalvesRule, MetaEvaluation, metaevaluate
from sema.evaluation.significance import pearson

SPLITS = ("low", "high", "all")
PLAIN = ("bleu", "ibleu", "sari", "mean:bleu,sari", "gmean:bleu,sari", "fkbleu", "fkgl")
BERTSCORE = ("bertscore_p", "bertscore_r", "bertscore_f1")
SCENES = ("samsa", "samsa_abl", "sema_base", "sema_part", "sema")
EASSE = "EASSE, as published"
PAPER = "Alva-Manchego, Scarton and Specia (2021), as printed"
SMOKE = 100
"""The step between the outputs that ``--smoke`` reads."""
Scores = Mapping[str, Floats]
Peers = Mapping[tuple[str, str], float]


@dataclass
class Study:
    """The settings of a run, and what several tables share."""

    step: int
    extractor: str
    encoder: str | None

    def scores(self, sheet: Sheet, metrics: Sequence[str], references: str = "", **more: Any) -> dict[str, Floats]:
        """Our score of each output by metric.

        Metrics that read references read the set's own source line, as the paper's did (HSplit's is in lower case);
        Scenes come from the sentence that the raters saw.
        """
        own = sheet.references.get(references)
        scores: dict[str, Floats] = {}
        of_scenes = [name for name in metrics if "samsa" in name or "sema" in name]
        others = [name for name in metrics if name not in of_scenes]
        for names, sources in ((others, own.sources if own else sheet.sources), (of_scenes, sheet.sources)):
            if names:
                cut = {} if own is None or set(names) <= {*BERTSCORE, *SCENES} else {"tokenizer": "moses"}
                options = cut | ({"model": self.encoder} if self.encoder and set(names) & set(BERTSCORE) else {})
                scorer = Scorer("en", names, extractor=self.extractor, options=options, **more)
                report = scorer.score(sources, sheet.outputs, own.texts if own else None, keep_items=False)
                scores |= {name: [item.scores[name] for item in report.systems[0].items] for name in names}
        return {name: scores[name] for name in metrics}

    def read(self, make: Callable[[], Sheet]) -> Sheet:
        """A sheet, or what ``--smoke`` reads of it."""
        return make().every(self.step)


def evaluate(sheet: Sheet, aspect: str, scores: Scores, halves: HalvesRule = "authors") -> MetaEvaluation:
    """Correlate scores with a kind of ratings, by halves and by system types."""
    return metaevaluate(sheet.ratings[aspect], scores, rating=aspect, groups=sheet.groups, halves=halves)


def show(
    table: str, found: MetaEvaluation, splits: Iterable[str], peers: Peers, data: str, source: str = EASSE
) -> None:
    """Print one table of absolute correlations: metrics down, splits across."""
    print(f"\n**{table}**, {found.rating}\n")
    figures = Figures(f"metaeval.{table}", "metric", peers=peers, peer_source=source, data=data)
    values, sizes = absolute(found), {split.name: split.n for split in found.splits}
    for metric in found.metrics:
        figures.row(metric, {name: values[metric, name] for name in splits if name in sizes}, n=sizes)


def absolute(found: MetaEvaluation) -> Peers:
    return {
        (metric, split.name): abs(split.results[place].pearson.value)
        for split in found.splits
        for place, metric in enumerate(found.metrics)
    }


def printed(section: str, part: str, splits: Sequence[str]) -> Peers:
    return cells({metric: own[part] for metric, own in PUBLISHED[section].items()}, splits)


TYPES: Mapping[str, Sequence[str]] = PUBLISHED["types"]


def direct(study: Study) -> None:
    """Tables 3 and 9, and the ratings of fluency and meaning."""
    sheet = study.read(simplicity_da)
    scores = study.scores(sheet, [*PLAIN, *BERTSCORE, "mean:sari,samsa", "gmean:sari,samsa", *SCENES], "asset")
    easse = {name: values for name, values in sheet.published["asset"].items() if name in scores}
    for aspect in sheet.ratings:
        found, peers = evaluate(sheet, aspect, scores), absolute(evaluate(sheet, aspect, easse))
        if aspect == "simplicity":
            show("table3", found, SPLITS, peers, sheet.name)
            show("table9", found, TYPES["direct"], peers, sheet.name)
        else:
            show(f"da_{aspect}", found, [*SPLITS, *TYPES["direct"]], peers, sheet.name)


def structural(study: Study) -> None:
    """Tables 7 and 10, and the other ratings of the same outputs."""
    sheet = study.read(structural_simplicity)
    scores = study.scores(sheet, [*PLAIN, *BERTSCORE, "mean:bleu,samsa", "gmean:bleu,samsa", *SCENES], "hsplit")
    halves, types = printed("structural", "halves", SPLITS), printed("structural", "types", TYPES["structural"])
    for aspect in sheet.ratings:
        found = evaluate(sheet, aspect, scores)
        if aspect == "structural_simplicity":
            show("table7", found, SPLITS, halves, sheet.name)
            show("table10", found, TYPES["structural"], types, sheet.name)
            show("table7_stable", evaluate(sheet, aspect, scores, "stable"), SPLITS, halves, sheet.name)
        else:
            show(f"structural_{aspect}", found, [*SPLITS, *TYPES["structural"]], {}, sheet.name)


def references(study: Study) -> None:
    """Table 11: all 22 references, and those selected for the operations of each output."""
    sheet = study.read(simplicity_da)
    sizes = tuple(len(sheet.references[name].texts[0]) for name in ("asset", "turk", "hsplit"))
    for part, selected in (("all", None), ("selected", sizes)):
        scores = study.scores(sheet, list(PUBLISHED["references"]), "all", select_references=selected)
        found = evaluate(sheet, "simplicity", scores)
        show(f"table11_{part}", found, SPLITS, printed("references", part, SPLITS), sheet.name)


def public(study: Study) -> None:
    """All tables from EASSE's public scores."""
    tables = (
        (simplicity_da, "simplicity", "asset", "direct", (("table3", "halves"), ("table9", "types"))),
        (simplicity_da, "simplicity", "all", "references", (("table11", "all"),)),
        (structural_simplicity, "structural_simplicity", "hsplit", "structural",
         (("table7", "halves"), ("table10", "types"))),
    )  # fmt: skip
    for make, aspect, name, section, parts in tables:
        sheet = study.read(make)
        found = evaluate(sheet, aspect, {metric: sheet.published[name][metric] for metric in PUBLISHED[section]})
        for table, part in parts:
            splits = TYPES[section] if part == "types" else SPLITS
            show(f"public_{table}", found, splits, printed(section, part, splits), "EASSE's public scores", PAPER)


def bertscore(study: Study) -> None:
    """BERTScore by the shipped encoder: r with EASSE's values, and r with the ratings beside theirs."""
    sheet = study.read(simplicity_da)
    with_theirs, peers = "r with roberta-large", dict[tuple[str, str], float]()
    table = Figures("metrics.bertscore_published", "metric, references", aims={with_theirs: 0.93}, peers=peers,
                    peer_source="roberta-large, as EASSE published it", data=sheet.name)  # fmt: skip
    for references in ("asset", "turk", "hsplit"):
        for metric, ours in study.scores(sheet, BERTSCORE, references).items():
            row, theirs = f"{metric}, {references}", sheet.published[references][metric]
            cells = {with_theirs: pearson(ours, theirs).value}
            for aspect, values in sheet.ratings.items():
                cells[f"r, {aspect}"] = pearson(ours, values).value
                peers[row, f"r, {aspect}"] = pearson(theirs, values).value
            table.row(row, cells, n=len(ours))


COLUMNS = {
    "DA meaning z": (simplicity_da, "meaning"),
    "DA fluency z": (simplicity_da, "fluency"),
    "DA simplicity z": (simplicity_da, "simplicity"),
    "structural: meaning": (structural_simplicity, "meaning"),
    "structural: simplicity": (structural_simplicity, "structural_simplicity"),
    "SimpEval_past z": (simpeval_past, "quality"),
}


def scenes(study: Study) -> None:
    """The scene metrics on three sets of ratings, and with EASSE's SAMSA."""
    sheets = {make: study.read(make) for make, _ in COLUMNS.values()}
    targets = {name: (make, sheets[make].ratings[aspect]) for name, (make, aspect) in COLUMNS.items()}
    easse = sheets[simplicity_da].published["asset"]["samsa"]
    targets["EASSE SAMSA (DA)"] = simplicity_da, easse
    table = Figures("scoring.ratings", "metric, Scenes")
    sizes = {name: len(values) for name, (_, values) in targets.items()}
    names = ("sema", "sema_part", "sema_base", "samsa", "samsa_abl", "stem_recall")
    scores = {make: study.scores(sheet, names) for make, sheet in sheets.items()}
    rows = {name if name == "stem_recall" else f"{name}, {study.extractor}":
            {make: own[name] for make, own in scores.items()} for name in names}  # fmt: skip
    for row, by_sheet in {**rows, "EASSE's SAMSA": {simplicity_da: easse}}.items():
        cells = {
            column: pearson(by_sheet[make], values).value if make in by_sheet and values is not by_sheet[make] else None
            for column, (make, values) in targets.items()
        }
        table.row(row, cells, n=sizes)


def qats(study: Study) -> None:
    """The labels of QATS test, with intervals: Scene metrics, and the shared task's baselines against the source."""
    sheet = qats_test().every(study.step // 20 or 1)
    paper = {("samsa", "Overall"): 0.28}
    board = cells(PUBLISHED["qats"], sheet.ratings)
    turned = {name: [-value for value in values] for name, values in against_source(sheet, ("ter", "wer")).items()}
    for table, scores, peers, source in (
        ("samsa_qats", study.scores(sheet, ("samsa", "samsa_abl", "sema")), paper,
         "Sulem, Abend and Rappoport (NAACL 2018), section 9"),
        ("qats_baselines", turned | against_source(sheet, ("meteor_source", "tbleu", "cosine", "rougeL")), board,
         "QATS 2016, leaderboards"),
    ):  # fmt: skip
        figures = Figures(f"papers.{table}", "r of", peers=peers, peer_source=source, data=sheet.name)
        for metric, values in scores.items():
            found = {aspect: pearson(values, labels) for aspect, labels in sheet.ratings.items()}
            intervals = {aspect: (r.low, r.high) for aspect, r in found.items()}
            figures.row(metric, {aspect: r.value for aspect, r in found.items()}, n=len(values), intervals=intervals)


def against_source(sheet: Sheet, metrics: Sequence[str]) -> dict[str, Floats]:
    """The scores of outputs beside their sources in the place of references."""
    scorer = Scorer("en", metrics, options={"against": "source", "tokenizer": "13a"})
    items = scorer.score(sheet.sources, sheet.outputs, keep_items=False).systems[0].items
    return {name: [item.scores[name] for item in items] for name in metrics}


PARTS = {part.__name__: part for part in (scenes, qats, direct, structural, references, public, bertscore)}


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--extractor", default="ucca", help="whose Scenes the scene metrics read")
    parser.add_argument("--encoder", metavar="FOLDER", help="BERTScore's encoder (the paper's: bert-base-uncased)")
    given = parser.parse(argv)
    if unknown := set(given.parts) - PARTS.keys():
        parser.error(f"no part is named {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    study = Study(SMOKE if given.smoke else 1, given.extractor, given.encoder)
    for name in given.parts or PARTS:
        PARTS[name](study)


if __name__ == "__main__":
    run(main)
