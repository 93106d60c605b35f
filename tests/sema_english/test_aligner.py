from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sema_english.aligner import LearnedAligner, learned_aligner
from sema_english.relations import number_value, relations
from sema_english.segmentation import EnglishSegmenter
from sema_english.word_grids import WordGrids
from sema_ucca.encoder import UccaEncoder
from sema_ucca.parser import UccaParser

from benchmarks.overlap import overlap
from sema import Scorer
from sema.errors import ResourceError
from sema.model.links import Aligner, Link, LinkKind, Pair
from tests.cases import cases
from tests.conftest import ROOT, PublicData


@pytest.fixture(scope="module")
def aligner() -> LearnedAligner:
    return learned_aligner(threads=1)


def linked(aligner: LearnedAligner, source: str, output: str) -> dict[str, str]:
    first, second = source.split(), output.split()
    (links,) = aligner.align([(first, second)])
    return {first[link.source]: second[link.output] for link in links}


def gold(file: Path, start: int, end: int) -> tuple[list[Pair], list[set[tuple[int, int]]]]:
    pairs: list[Pair] = []
    links = []
    for line in file.read_text(encoding="utf-8").split("\n")[start:end]:
        columns = line.split("\t")
        pairs.append((columns[1].split(), columns[3].split()))
        links.append({(int(i), int(j)) for i, _, j in (entry.partition("-") for entry in columns[7].split())})
    return pairs, links


def f1(aligner: LearnedAligner, pairs: list[Pair], wanted: list[set[tuple[int, int]]], *, different: bool) -> float:
    """``different``: of links between different words alone."""

    def kept(links: Iterable[tuple[int, int]], pair: Pair) -> set[tuple[int, int]]:
        return {(i, j) for i, j in links if not different or pair[0][i].lower() != pair[1][j].lower()}

    found = [[(link.source, link.output) for link in links] for links in aligner.all_links(pairs)]
    return overlap(map(kept, found, pairs), map(kept, wanted, pairs)).f1


def test_floors_on_pairs_it_was_not_trained_on(aligner: LearnedAligner, public_data: PublicData) -> None:
    pairs, wanted = gold(public_data("alignment", "mtref-dev.tsv"), 600, 720)
    assert f1(aligner, pairs, wanted, different=False) >= 0.88
    assert f1(aligner, pairs, wanted, different=True) >= 0.74
    cased: list[Pair] = [tuple([words[0].capitalize(), *words[1:]] for words in pair) for pair in pairs[:60]]
    assert f1(aligner, cased, wanted[:60], different=False) >= 0.87, "real text has capitals"
    pairs, wanted = gold(public_data("alignment", "wiki-dev.tsv"), 0, 60)
    assert f1(aligner, pairs, wanted, different=False) >= 0.97


def test_the_rest_of_the_call_changes_nothing(aligner: LearnedAligner) -> None:
    texts = [(ROOT / "examples" / "en" / name).read_text("utf-8") for name in ("original.txt", "reference.txt")]
    words = [[list(text.words) for text in EnglishSegmenter().segment(text.splitlines())] for text in texts]
    pairs: list[Pair] = list(zip(*words, strict=True))
    together = aligner.align(pairs)
    assert learned_aligner(threads=2).align(pairs[::-1]) == together[::-1]
    alone = learned_aligner(threads=1)
    assert [alone.align([pair])[0] for pair in pairs] == together
    assert aligner.align([pairs[0], pairs[0]]) == [together[0]] * 2


SOURCES = [
    "The old dog slept on the sofa. It was tired.",
    "John got home and gave Mary a call.",
    "Rain fell; it was wet.",
]
OUTPUTS = {
    "split": ["The dog slept. It was on the sofa.", "John got home. John gave Mary a call.", "Rain fell. It was wet."],
    "short": ["The old dog slept.", "John called Mary.", "Rain fell; it was wet."],
    "copy": SOURCES,
}


def test_scoring_encodes_every_sentence_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = Scorer("en", ("sema", "samsa"), aligner="learned", options={"threads": 1})
    network: Any = scorer.engine.parts.encoder.network  # type: ignore[union-attr]
    parsed: list[tuple[int, ...]] = []
    encoded: list[tuple[int, ...]] = []
    run = network.run

    def counted(batch: dict[str, NDArray[np.int64]], outputs: Sequence[str]) -> list[Any]:
        sentences = [tuple(row[mask > 0].tolist()) for row, mask in zip(batch["ids"], batch["mask"], strict=True)]
        (parsed if any(name.startswith("margins") for name in outputs) else encoded).extend(sentences)
        return run(batch, outputs)

    monkeypatch.setattr(network, "run", counted)
    first = scorer.score(SOURCES, OUTPUTS)
    assert len(parsed) == len(set(parsed)) == 4
    assert len(encoded) == len(set(encoded)) == 8, "sentences of outputs that are no source's"
    assert set(parsed).isdisjoint(encoded)
    again = scorer.score(SOURCES, OUTPUTS)
    assert [system.scores for system in again.systems] == [system.scores for system in first.systems]
    assert len(parsed) + len(encoded) == 12, "a second call runs nothing again"


def test_damaged_files_do_not_stop_the_parser(tmp_path: Path) -> None:
    encoder = UccaEncoder(threads=1)
    grids = WordGrids(relations(reverse_hyponymy=True), number_value)
    aligner = LearnedAligner(encoder, relations(), grids, weights=tmp_path)
    assert UccaParser(encoder=encoder).extract([["Dogs", "bark"]])
    with pytest.raises(ResourceError, match="no aligner weights"):
        aligner.align([(["Dogs", "bark"], ["Dogs", "bark"])])


def test_blank_and_tiny_sentences(aligner: LearnedAligner) -> None:
    assert aligner.align([]) == []
    assert aligner.align([([], []), (["a"], []), ([], ["a"])]) == [[], [], []]
    assert aligner.align([(["Dogs"], ["Dogs"])]) == [[Link(0, 0, LinkKind.EXACT)]]
    assert isinstance(aligner, Aligner) and "learned-2+" in aligner.signature and "wordnet" in aligner.signature


def test_pairs_too_long_for_the_network_link_copies_alone(aligner: LearnedAligner) -> None:
    source = [f"word{k}" for k in range(600)]
    pairs = [(source, [f"other{k}" for k in range(600)]), (source, [f"word{k + 599}" for k in range(600)])]
    unlike, one = aligner.probabilities(pairs)
    assert unlike.shape == (600, 600) and not unlike.any()
    assert one.sum() == 1 and one[599, 0] == 1


@cases("en/other_numbers")
def test_different_numbers_are_never_linked(aligner: LearnedAligner, source: str, output: str) -> None:
    first, second = source.split(), output.split()
    for links in (aligner.align([(first, second)])[0], aligner.all_links([(first, second)])[0]):
        assert links
        for link in links:
            values = number_value(first[link.source]), number_value(second[link.output])
            assert None in values or values[0] == values[1]


def test_names_are_linked_to_their_spellings_and_to_no_other_name(aligner: LearnedAligner) -> None:
    found = linked(aligner, "Yesterday John Smith visited Paris .", "Yesterday Peter Jones visited London .")
    assert {"John", "Smith", "Paris"}.isdisjoint(found) and found["visited"] == "visited"
    found = linked(aligner, "He told Mohammed that 13 people had died .", "He told Mohamed that thirteen people died .")
    assert (found["13"], found["Mohammed"]) == ("thirteen", "Mohamed")


def test_a_word_is_the_copy_of_one_word(aligner: LearnedAligner) -> None:
    output = ["The", "dog", "barked", "when", "the", "dog", "saw", "the", "cat", "."]
    source = [*output[:-1], "and", "the", "cat", "saw", "the", "dog", "."]
    for first, second in ((source, output), (output, source)):
        (links,) = aligner.all_links([(first, second)])
        copies = [link for link in links if first[link.source].lower() == second[link.output].lower()]
        for side in ([link.source for link in copies], [link.output for link in copies]):
            assert len(side) == len(set(side)) >= 9
