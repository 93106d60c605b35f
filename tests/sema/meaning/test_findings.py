"""One list of findings: runs of words, wrong ones of both texts paired, weights that the reader gives them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema.meaning import evidence
from sema.meaning.words import Side
from sema.model.meaning import Finding
from tests.cases import cases
from tests.marking_reader import FUNCTION, Marks, item


def found(source: str, output: str, reader: Marks) -> tuple[Finding, ...]:
    (one,) = evidence.find([item(source, output)], FUNCTION, reader)
    return one.evidence.findings


@cases("findings")
def test_runs_of_words_are_findings(source: str, output: str, reader: dict[str, str], expected: object) -> None:
    spans = [(one.kind, one.source, one.output) for one in found(source, output, Marks(**reader))]
    assert tuple(sorted(spans)) == expected


@pytest.mark.parametrize(
    ("cost", "weights"), [(0.1, (0.2, 0.1)), (1.0, (0.475, 0.475))]
)  # the last two hide each other
def test_a_finding_weighs_what_the_score_regains_without_its_words(cost: float, weights: tuple[float, float]) -> None:
    one, other = found("a b c d e", "a b c x", Marks(missing="d e", added="x", cost=cost))
    assert (one.kind, other.kind) == ("missing", "added")
    assert (one.weight, other.weight) == pytest.approx(weights)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=12), st.sets(st.sampled_from("abcdefgh")))
def test_weights_never_exceed_what_the_score_lacks(words: list[str], bad: set[str]) -> None:
    text = " ".join(words)
    (read,) = evidence.find([item(text, text + " z")], FUNCTION, Marks(missing=" ".join(bad), added="z", cost=0.3))
    total = sum(one.weight for one in read.evidence.findings)
    assert total <= 1 - read.scores["meaning"] / 100 + 1e-9


def test_words_of_a_verbatim_sentence_are_never_marked() -> None:
    source, output = "shops open in May | the mayor left", "the mayor left | shops close"
    marked = {token for one in found(source, output, Marks(missing="mayor May", added="mayor")) for token in one.source}
    assert marked == {3}


def test_where_everything_that_matters_is_kept_only_what_costs_points_is_a_finding() -> None:
    free, cheap = (
        found("open the door at noon", "open the door", Marks(missing="noon", cost=cost)) for cost in (0, 0.03)
    )
    assert free == () and [(one.kind, round(one.weight, 6)) for one in cheap] == [("missing", 0.03)]




def test_spans_are_the_findings_in_the_order_of_each_text() -> None:
    pair = item("ten shops open in May .", "two shops open in June")
    (one,) = evidence.find([pair], FUNCTION, Marks(wrong="May June ten two", missing="."))
    shown = one.evidence.to_dict()
    for side, text in (("source", pair.source), ("output", pair.output)):
        spans = shown["spans"][side]
        assert [span["start"] for span in spans] == sorted(span["start"] for span in spans)
        assert [span["text"] for span in spans] == [text.raw[span["start"] : span["end"]] for span in spans]
        for span in spans:
            found = shown["findings"][span["finding"]]
            assert (span["label"], span["weight"]) == (found["kind"], found["weight"])
            assert [span["start"], span["end"]] in found[side]
    assert [span["text"] for span in shown["spans"]["output"]] == ["two", "June"]






def test_links_alone_find_unlinked_content_and_nothing_wrong() -> None:
    (one,) = evidence.find([item("ten shops open", "two shops open")], FUNCTION)
    assert [found.kind for found in one.evidence.findings] == ["missing", "added"]
    assert isinstance(one.sides[0], Side) and one.scores["meaning"] == pytest.approx(100 * 2 / 3)
