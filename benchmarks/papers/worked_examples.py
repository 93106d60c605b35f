"""Every example that the five papers print: the paper's number, ours from raw text, ours from the paper's structure.

    python -m benchmarks.papers.worked_examples

The structures in ``printed.py`` are written after the papers' descriptions; words are linked by the default aligner in
both columns. For examples without a number, the paper's words are in brackets. The second table compares Scenes: how
many of those that the paper describes the parser finds with the same main relation and Participants, by their minimal
centers. Further tables have the minimal centers of units, the words that the papers align, and the papers' sentences
with a sentence for each Scene under each way of matching; the last tables have BERTScore and SARI of the
meta-evaluation's Tables 4 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.papers.printed import CENTERS, LINKS, QUOTED, READ, SCORED, SEMINAR, SPLITS, Example, graph
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import read_references
from benchmarks.sheets import simplicity_da
from sema import Scorer, Text
from sema.analysis.source import SourceAnalysis
from sema.languages import find_language
from sema.model.scene_graph import Scene, SceneGraph

RAW, GIVEN = "from raw text", "from the paper's structure"
SETTINGS = {"bleu": {"bleu.smoothing": "exp"}}


def score(example: Example, scenes: Sequence[SourceAnalysis] | None = None) -> float:
    scorer = Scorer("en", [example.metric], options=SETTINGS.get(example.metric))
    references = [list(example.references)] if example.references else None
    return scorer.score([example.source], [example.output], references, scenes=scenes).systems[0].scores[example.metric]


def given(structure: str) -> SourceAnalysis:
    """The analysis of a source whose structure the paper gives."""
    scenes = graph(structure)
    return SourceAnalysis.from_graphs(Text.from_sentences([scenes.tokens]), [scenes])


def scored(examples: Sequence[Example]) -> None:
    peers = {(one.name, column): one.printed for one in examples if one.printed is not None for column in (RAW, GIVEN)}
    table = Figures("worked.scores", "paper, metric, example", digits=2, peers=peers, peer_source="the paper")
    for one in examples:
        cells = {RAW: score(one)}
        if one.structure:
            cells[GIVEN] = score(one, [given(one.structure)])
        table.row(one.name, cells)


def read(limit: int | None) -> None:
    table = Figures("worked.scenes", "paper, sentence", digits=0)
    english = find_language("en").parts().extractor
    chinese = Scorer("zh", ["sema"], options={"ud.heads": "root"}).engine.parts.extractor
    groups = [*((paper, english, structures) for paper, structures in READ.items()), ("SEMA", chinese, (SEMINAR,))]
    for paper, extractor, structures in groups:
        wanted = [graph(structure) for structure in structures[:limit]]
        parsed = extractor.extract([one.tokens for one in wanted])
        for described, found in zip(wanted, parsed, strict=True):
            cells = {"Scenes in the paper": len(described.scenes()), "Scenes found": len(found.scenes())}
            relations, whole = (agreement(described, found, participants) for participants in (False, True))
            row = f"{paper}: {' '.join(described.tokens)}"
            table.row(row, {**cells, "main relations as in the paper": relations, "with Participants": whole})


def agreement(wanted: SceneGraph, parsed: SceneGraph, participants: bool) -> int:
    """How many of the Scenes wanted are found with the same main relation, and the same Participants if asked."""

    def key(scene: Scene) -> tuple[object, ...]:
        return scene.main_relation, frozenset(scene.participants) if participants else None

    return len(set(map(key, wanted.scenes())) & set(map(key, parsed.scenes())))


def centers() -> None:
    """The units whose minimal center the papers name: 1 if a Participant is found that has this one and no other."""
    table = Figures("worked.centers", "paper, unit, its center", digits=0)
    extractor = find_language("en").parts().extractor
    for paper, structure, center in CENTERS:
        there = graph(structure)
        (unit,) = there.children(there.root, {"C"})
        (parsed,) = extractor.extract([there.tokens])
        wanted = there.minimal_centers(unit)
        words = " ".join(there.tokens[token] for token in there.tokens_below(unit))
        found = any(wanted in scene.participants for scene in parsed.scenes())
        right = [[there.tokens[token] for token in one] for one in wanted] == [[center]]
        table.row(f"{paper}: {words}, {center}", {RAW: int(found), GIVEN: int(right)})


def links() -> None:
    """The words that the papers align: 1 if linked, and if the link's kind is what the paper calls it."""
    table = Figures("worked.links", "paper, words", digits=0)
    pairs = [((source,), (output,)) for _, source, output, _, _ in LINKS]
    linked = find_language("en").parts().aligner.align(pairs)
    for (paper, source, output, says, kinds), own in zip(LINKS, linked, strict=True):
        cells = {"linked": int(bool(own)), "as the paper calls it": int(any(link.kind in kinds for link in own))}
        table.row(f"{paper}: {source} → {output} ({says})", cells)


MATCHINGS = {
    "as published": {},
    "match.order=assignment": {"match.order": "assignment"},
    "match.leaves=own": {"match.leaves": "own"},
}


def splits() -> None:
    """SAMSA of the papers' sentences with a sentence for each Scene, by the papers' structures."""
    table = Figures("worked.splits", "a sentence for each Scene", digits=1)
    scorers = {name: Scorer("en", ["samsa"], options=options) for name, options in MATCHINGS.items()}
    for structure, output in SPLITS:
        source = given(structure)
        cells = {
            name: scorer.score([source.text], [output], scenes=[source]).systems[0].scores["samsa"]
            for name, scorer in scorers.items()
        }
        table.row(f"{' '.join(source.text.words)} → {output}", cells)


def quoted() -> None:
    """Tables 4 and 6 of the meta-evaluation."""
    peers = {(output, "EASSE, published"): value for output, value in QUOTED["bertscore"]}
    table = Figures("worked.bertscore", "Table 4, BERTScore precision", peers=peers, peer_source="Table 4")
    sheet = simplicity_da()
    published = dict(zip(map(plain, sheet.outputs), sheet.published["asset"]["bertscore_p"], strict=True))
    for output, _ in QUOTED["bertscore"]:
        table.row(output, {"EASSE, published": published[plain(output)]})
    sources, columns = read_references()["turk"]
    peers = {(output, metric): value for _, output, value in QUOTED["sari"] for metric in ("sari_metaeval", "sari")}
    table = Figures("worked.sari", "Table 6, SARI against TurkCorpus", digits=1, peers=peers, peer_source="Table 6")
    for source, output, _ in QUOTED["sari"]:
        (place,) = [index for index, line in enumerate(sources) if plain(line) == plain(source)]
        references = [[column[place] for column in columns]]
        scores = Scorer("en", ["sari_metaeval", "sari"]).score([sources[place]], [output], references).systems[0].scores
        table.row(output, scores)


def plain(text: str) -> str:
    """A text without spaces and quotes, in lower case."""
    return "".join(character for character in text.lower() if character.isalnum())


def main(argv: Sequence[str] | None = None) -> None:
    smoke = CommandLine(__doc__).parse(argv).smoke
    scored(SCORED[:1] if smoke else SCORED)
    read(1 if smoke else None)
    centers()
    links()
    splits()
    if not smoke:
        quoted()


if __name__ == "__main__":
    run(main)
