"""The learned aligner: floors on real data, what it must never link, and independence of the rest of the call."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from sema_ucca.aligner import LearnedAligner, learned_aligner
from sema_ucca.network import WEIGHTS
from sema_wordnet.english import relations

from sema.alignment.base import Aligner, Link, LinkKind, Pair
from sema.errors import ResourceError

DATA = Path(os.environ.get("SEMA_DATA", Path(__file__).resolve().parents[2] / "../shared/data"))


@pytest.fixture(scope="module")
def aligner() -> LearnedAligner:
    return learned_aligner(threads=1)


def words(text: str) -> list[str]:
    return text.split()


def linked(aligner: LearnedAligner, source: str, output: str) -> dict[str, str]:
    first, second = source.split(), output.split()
    (links,) = aligner.align([(first, second)])
    return {first[link.source]: second[link.output] for link in links}


def gold(part: str, start: int, end: int) -> tuple[list[Pair], list[set[tuple[int, int]]]]:
    file = DATA / "alignment" / f"{part}.tsv"
    if not file.exists():
        pytest.skip(f"no gold alignments in {file.parent}; set SEMA_DATA")
    pairs: list[Pair] = []
    links = []
    for line in file.read_text(encoding="utf-8").split("\n")[start:end]:
        columns = line.split("\t")
        pairs.append((columns[1].split(), columns[3].split()))
        links.append({(int(i), int(j)) for i, _, j in (entry.partition("-") for entry in columns[7].split())})
    return pairs, links


def f1(found: list[list[Link]], wanted: list[set[tuple[int, int]]], pairs: list[Pair], *, different: bool) -> float:
    right = total = 0
    for links, good, (source, output) in zip(found, wanted, pairs, strict=True):
        some = {(link.source, link.output) for link in links}
        if different:
            some, good = ({(i, j) for i, j in kept if source[i].lower() != output[j].lower()} for kept in (some, good))
        right += len(some & good)
        total += len(some) + len(good)
    return 2 * right / total


def test_it_is_an_aligner(aligner: LearnedAligner) -> None:
    assert isinstance(aligner, Aligner)
    assert "learned-1+" in aligner.signature and "wordnet" in aligner.signature


def test_floors_on_pairs_it_was_not_trained_on(aligner: LearnedAligner) -> None:
    pairs, wanted = gold("mtref-dev", 600, 720)
    found = aligner.all_links(pairs)
    assert f1(found, wanted, pairs, different=False) >= 0.88
    assert f1(found, wanted, pairs, different=True) >= 0.74
    pairs, wanted = gold("wiki-dev", 0, 60)
    assert f1(aligner.all_links(pairs), wanted, pairs, different=False) >= 0.97


def test_real_text_has_capitals(aligner: LearnedAligner) -> None:
    pairs, wanted = gold("mtref-dev", 600, 660)
    cased = [([source[0].capitalize(), *source[1:]], [output[0].capitalize(), *output[1:]]) for source, output in pairs]
    assert f1(aligner.all_links(cased), wanted, pairs, different=False) >= 0.87


def test_a_source_token_has_one_link_and_it_is_among_all_links(aligner: LearnedAligner) -> None:
    pairs, _ = gold("mtref-dev", 600, 660)
    for single, everything in zip(aligner.align(pairs), aligner.all_links(pairs), strict=True):
        sources = [link.source for link in single]
        assert sources == sorted(set(sources))
        assert set(single) <= set(everything)
        assert set(sources) == {link.source for link in everything}


def test_kinds_are_what_the_relations_say(aligner: LearnedAligner) -> None:
    kinds = relations()
    pairs, _ = gold("mtref-dev", 600, 660)
    seen = set()
    for (source, output), links in zip(pairs, aligner.align(pairs), strict=True):
        for link in links:
            relation = kinds.kind(source[link.source], output[link.output])
            assert link.kind is (relation or LinkKind.CONTEXTUAL)
            seen.add(link.kind)
    assert {LinkKind.EXACT, LinkKind.FORM, LinkKind.SYNONYM, LinkKind.CONTEXTUAL} <= seen


def test_the_rest_of_the_call_changes_nothing(aligner: LearnedAligner) -> None:
    pairs, _ = gold("mtref-dev", 600, 620)
    together = aligner.align(pairs)
    order = list(range(len(pairs)))
    random.Random(3).shuffle(order)
    fresh = learned_aligner(threads=2)
    shuffled = fresh.align([pairs[k] for k in order])
    assert [shuffled[order.index(k)] for k in range(len(pairs))] == together
    alone = learned_aligner(threads=1)
    assert [alone.align([pair])[0] for pair in pairs[:8]] == together[:8]
    assert aligner.align([pairs[0], pairs[0]]) == [together[0]] * 2


def test_probabilities_hardly_move_with_the_batch(aligner: LearnedAligner) -> None:
    pairs, _ = gold("mtref-dev", 600, 630)
    for pair, scores in zip(pairs, aligner.probabilities(pairs), strict=True):
        (alone,) = learned_scores = aligner.probabilities([pair])
        assert len(learned_scores) == 1
        np.testing.assert_allclose(alone, scores, atol=1e-4)


def test_a_sentence_is_encoded_once() -> None:
    aligner = learned_aligner(threads=1)
    asked: list[tuple[str, ...]] = []
    encode = aligner._encoder.word_states

    def counted(sentences):  # type: ignore[no-untyped-def]
        asked.extend(map(tuple, sentences))
        return encode(sentences)

    aligner._encoder.word_states = counted  # type: ignore[method-assign]
    source = words("The old dog slept on the sofa .")
    aligner.align([(source, words("The dog slept .")), (source, words("The dog was old ."))])
    aligner.align([(source, words("An old dog slept ."))])
    assert len(asked) == len(set(asked)) == 4


def test_nothing_in_common_is_free_of_links_and_of_the_encoder() -> None:
    aligner = learned_aligner(threads=1)
    aligner._encoder = None  # type: ignore[assignment]
    assert aligner.align([(words("Banks raised rates ."), words("The cat sleeps ."))]) == [[]]


def test_blank_and_tiny_sentences(aligner: LearnedAligner) -> None:
    assert aligner.align([]) == []
    assert aligner.align([([], []), (["a"], []), ([], ["a"])]) == [[], [], []]
    assert aligner.align([(["Dogs"], ["Dogs"])]) == [[Link(0, 0, LinkKind.EXACT)]]


def test_long_sentences(aligner: LearnedAligner) -> None:
    source = [f"word{k}" for k in range(180)]
    (links,) = aligner.align([(source, source[60:120])])
    assert sum(link.source == link.output + 60 for link in links) >= 55


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("The storm killed 13 people in May .", "The storm killed 30 people in May ."),
        ("It cost 2,000 dollars in 1998 .", "It cost 3,000 dollars in 1999 ."),
        ("He was born on Monday in June .", "He was born on Friday in July ."),
        ("Seven of them left .", "Three of them left ."),
    ],
)
def test_different_numbers_are_never_linked(aligner: LearnedAligner, source: str, output: str) -> None:
    from sema_wordnet.english import number_value

    first, second = source.split(), output.split()
    for links in (aligner.align([(first, second)])[0], aligner.all_links([(first, second)])[0]):
        assert links
        for link in links:
            values = number_value(first[link.source]), number_value(second[link.output])
            assert None in values or values[0] == values[1]


def test_different_names_are_never_linked(aligner: LearnedAligner) -> None:
    found = linked(aligner, "Yesterday John Smith visited Paris .", "Yesterday Peter Jones visited London .")
    assert {"John", "Smith", "Paris"}.isdisjoint(found)
    assert found["visited"] == "visited"


def test_equal_numbers_and_spellings_of_a_name_are_linked(aligner: LearnedAligner) -> None:
    found = linked(aligner, "He told Mohammed that 13 people had died .", "He told Mohamed that thirteen people died .")
    assert found["13"] == "thirteen"
    assert found["Mohammed"] == "Mohamed"


def test_both_halves_of_a_split_are_linked(aligner: LearnedAligner) -> None:
    source = "John got home and gave Mary a call ."
    assert linked(aligner, source, "John got home .")["John"] == "John"
    second = linked(aligner, source, "John gave Mary a call .")
    assert second["John"] == "John" and second["gave"] == "gave" and "home" not in second


def test_damaged_weights_are_noticed(tmp_path: Path) -> None:
    for file in WEIGHTS.iterdir():
        if file.name.startswith("aligner."):
            shutil.copy(file, tmp_path / file.name)
    (tmp_path / "aligner.words.onnx").write_bytes(b"not the file")
    grids = LearnedAligner(None, relations(), None, weights=tmp_path)  # type: ignore[arg-type]
    with pytest.raises(ResourceError, match="damaged"):
        _ = grids.signature
    (tmp_path / "aligner.json").unlink()
    with pytest.raises(ResourceError, match="no aligner weights"):
        _ = grids.signature


def test_the_files_are_small() -> None:
    size = sum(file.stat().st_size for file in WEIGHTS.glob("aligner.*"))
    assert size < 1_000_000
    assert set(json.loads((WEIGHTS / "aligner.json").read_text(encoding="utf-8"))["sha256"]) == {
        "aligner.words.onnx", "aligner.grid.onnx",
    }  # fmt: skip
