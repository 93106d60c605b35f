"""Every example that the five papers print: the paper's number, ours from raw text, ours from the paper's structure.

    python -m benchmarks.papers.worked_examples

The structures in ``printed.py`` are written after the papers' descriptions; words are linked by the default aligner in
both columns. Examples without a number in the paper have what it says in brackets. The second table compares Scenes:
the share of the Scenes that the paper describes that the parser finds with the same main relation and Participants,
by their minimal centers. The third has a Scene inside a Participant under each way of matching; the last have BERTScore
and SARI of the meta-evaluation's Tables 4 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.papers.printed import JEDDAH, LATE, READ, SCORED, Example, graph
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import read_pairs, read_references
from sema import Scorer, Text
from sema.analysis.source import SourceAnalysis
from sema.languages import find_language
from sema.model.scene_graph import Scene, SceneGraph

RAW, GIVEN = "from raw text", "from the paper's structure"
SETTINGS = {"bleu": {"bleu.smoothing": "exp"}}
BERTSCORE = {
    "In 1998, Culver ran for Iowa Secretary of State.": 0.984,
    "Below is some useful links to help with your involvement": 0.934,
    "He was appointed Companion of Honour in 1988.": 1.0,
}
"""BERTScore's precision in Table 4 of the meta-evaluation, by the output's beginning."""
SARI = {
    (
        JEDDAH,
        "Jeddah is the main gateway to Mecca, Islam's holiest city, which sound Muslims must visit at least once in "
        "life.",
    ): 46.2,
    (
        "The Great Dark Spot is thought to represent a hole in the methane cloud deck of Neptune.",
        "The Great Dark Spot is thought to be a hole in the methane cloud deck of Neptune.",
    ): 58.7,
}
"""Table 6 of the meta-evaluation: source, output, SARI against TurkCorpus."""


def score(example: Example, scenes: Sequence[SourceAnalysis] | None = None) -> float:
    """Our score of an example."""
    scorer = Scorer("en", [example.metric], options=SETTINGS.get(example.metric))
    references = [list(example.references)] if example.references else None
    return scorer.score([example.source], [example.output], references, scenes=scenes).systems[0].scores[example.metric]


def given(structure: str) -> SourceAnalysis:
    """The analysis of a source whose structure the paper gives."""
    found = graph(structure)
    return SourceAnalysis.from_graphs(Text.from_sentences([found.tokens]), [found])


def scored(examples: Sequence[Example]) -> None:
    """The examples with scores."""
    peers = {(one.name, column): one.printed for one in examples if one.printed is not None for column in (RAW, GIVEN)}
    table = Figures("worked.scores", "paper, metric, example", digits=2, peers=peers, peer_source="the paper")
    for one in examples:
        cells = {RAW: score(one)}
        if one.structure:
            cells[GIVEN] = score(one, [given(one.structure)])
        table.row(one.name, cells)


def read(limit: int | None) -> None:
    """The examples whose structure the papers describe."""
    table = Figures("worked.scenes", "paper, sentence", digits=0)
    for paper, structures in READ.items():
        wanted = [graph(structure) for structure in structures[:limit]]
        found = find_language("en").parts().extractor.extract([one.tokens for one in wanted])
        for here, there in zip(wanted, found, strict=True):
            cells = {"Scenes in the paper": len(here.scenes()), "Scenes found": len(there.scenes())}
            relations, whole = (agreement(here, there, participants) for participants in (False, True))
            row = f"{paper}: {' '.join(here.tokens)}"
            table.row(row, {**cells, "main relations as in the paper": relations, "with Participants": whole})


def agreement(wanted: SceneGraph, found: SceneGraph, participants: bool) -> int:
    """How many of the Scenes wanted are found with the same main relation, and the same Participants if asked."""

    def key(scene: Scene) -> tuple[object, ...]:
        return scene.main_relation, frozenset(scene.participants) if participants else None

    return len(set(map(key, wanted.scenes())) & set(map(key, found.scenes())))


MATCHINGS = {
    "as published": {},
    "match.order=assignment": {"match.order": "assignment"},
    "match.leaves=own": {"match.leaves": "own"},
}


def inside(output: str = "He said something. He will be late.") -> None:
    """A Scene that is a Participant of another, each in a sentence of its own."""
    source = given(LATE)
    table = Figures("worked.participant_scenes", f"“{' '.join(source.text.words)}” → “{output}”", digits=1)
    for name, options in MATCHINGS.items():
        report = Scorer("en", ["samsa", "sema"], options=options).score([source.text], [output], scenes=[source])
        table.row(name, report.systems[0].scores)


def quoted() -> None:
    """Tables 4 and 6 of the meta-evaluation."""
    peers = {(output, "EASSE, published"): value for output, value in BERTSCORE.items()}
    table = Figures("worked.bertscore", "Table 4, BERTScore precision", peers=peers, peer_source="Table 4")
    published = {plain(pair.row["simp_sent"]): pair.published["asset"] for pair in read_pairs()}
    for output in BERTSCORE:
        table.row(output, {"EASSE, published": float(published[plain(output)]["bertscore_P"])})
    sources, columns = read_references()["turk"]
    peers = {(output, metric): value for (_, output), value in SARI.items() for metric in ("sari_metaeval", "sari")}
    table = Figures("worked.sari", "Table 6, SARI against TurkCorpus", digits=1, peers=peers, peer_source="Table 6")
    for source, output in SARI:
        (place,) = [index for index, line in enumerate(sources) if plain(line) == plain(source)]
        references = [[column[place] for column in columns]]
        scores = Scorer("en", ["sari_metaeval", "sari"]).score([sources[place]], [output], references).systems[0].scores
        table.row(output, scores)


def plain(text: str) -> str:
    """A text without spaces and quotes, in lower case."""
    return "".join(character for character in text.lower() if character.isalnum())


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    smoke = CommandLine(__doc__).parse(argv).smoke
    scored(SCORED[:1] if smoke else SCORED)
    read(1 if smoke else None)
    inside()
    if not smoke:
        quoted()


if __name__ == "__main__":
    run(main)
