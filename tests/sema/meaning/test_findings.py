"""Scores and findings of any reader: runs of words, their weights, and the states of Scenes."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema.meaning.evidence import find
from sema.meaning.findings import worst_first
from sema.meaning.words import Side
from sema.model.meaning import Finding, Meaning
from sema.model.reading import PairReading
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text, Token, spelled
from tests.cases import cases
from tests.marking_reader import FUNCTION, Marks, item


def found(source: str, output: str, reader: Marks) -> tuple[Finding, ...]:
    (one,) = find([item(source, output)], FUNCTION, reader)
    return one.evidence.findings


@cases("findings")
def test_runs_of_words_are_findings(source: str, output: str, reader: dict[str, str], expected: object) -> None:
    spans = [(one.kind, one.source, one.output) for one in found(source, output, Marks(**reader))]
    assert tuple(sorted(spans)) == expected


@pytest.mark.parametrize(
    ("cost", "weights"), [(0.1, (0.225, 0.125)), (1.0, (0.5, 0.5))]
)  # the last two hide each other
def test_a_finding_weighs_what_its_repair_regains(cost: float, weights: tuple[float, float]) -> None:
    one, other = found("a b c d e", "a b c x", Marks(missing="d e", added="x", cost=cost))
    assert (one.kind, other.kind) == ("missing", "added")
    assert (one.weight, other.weight) == pytest.approx(weights)


class Uneven(Marks):
    """A reader that also counts the words that only one of the texts has."""

    def _one(self, source: Text, output: Text) -> PairReading:
        read = super()._one(source, output)
        return replace(read, meaning=max(0.0, read.meaning - 0.1 * len({*source.words} ^ {*output.words})))


@pytest.mark.parametrize(
    ("source", "output", "wrong"),
    [
        ("ten shops open in May", "two shops open in June", "ten two May June"),
        ("ten old shops open", "two open", "ten old shops two"),
        ("shops shut", "bars open", "shops shut bars open"),
    ],
)
def test_wrong_words_are_repaired_by_those_of_the_source(source: str, output: str, wrong: str) -> None:
    """Then the output is a copy, so that the findings explain all that the score lacks."""
    (read,) = find([item(source, output)], FUNCTION, Uneven(wrong=wrong, cost=0.1))
    assert {one.kind for one in read.evidence.findings} == {"wrong"}
    assert sum(one.weight for one in read.evidence.findings) == pytest.approx(1 - read.scores["meaning"] / 100)


def test_repaired_words_stand_with_the_gaps_of_their_texts() -> None:
    seen: list[str] = []

    class Spelling(Marks):
        def _one(self, source: Text, output: Text) -> PairReading:
            seen.append("".join(spelled(output.tokens)))
            return super()._one(source, output)

    raw = "他在2004年批准了。"
    tokens = tuple(Token(raw[a:b], a, b) for a, b in ((0, 1), (1, 2), (2, 7), (7, 9), (9, 10), (10, 11)))
    earlier = tuple(replace(token, text=token.text.replace("4", "5")) for token in tokens[:-1])
    old = Text("他在2005年批准了", earlier, ((0, 5),))
    pair = replace(item("a", "b"), source=old, output=Text(raw, tokens, ((0, 6),)))
    (read,) = find([pair], FUNCTION, Spelling(wrong="2005年 2004年"))
    assert read.evidence.findings and seen[-1] == "他在2005年批准了。"


def test_equal_words_end_where_a_word_ends() -> None:
    """Monday and Tuesday are 周一 and 周二, of two tokens each."""
    texts = []
    for day, verb in (("一", "开门"), ("二", "开始")):
        words = ["商店", "周", day, verb]
        ends = [sum(map(len, words[: place + 1])) for place in range(4)]
        tokens = tuple(Token(word, end - len(word), end) for word, end in zip(words, ends, strict=True))
        texts.append(Text("".join(words), tokens, ((0, 4),)))
    pair = replace(item("商店 周 一 开门", "商店 周 二 开始"), source=texts[0], output=texts[1])
    (read,) = find([pair], FUNCTION, Marks(wrong="商店 周 一 二 开门 开始"))
    (one,) = read.evidence.findings
    assert one.source == one.output == (0, 1, 2, 3)
    (read,) = find([pair], FUNCTION, Marks(wrong="一 二 开门 开始"))
    assert [(one.source, one.output) for one in read.evidence.findings] == [((2, 3), (2, 3))]


def test_findings_are_listed_by_the_points_that_are_shown() -> None:
    listed = worst_first([Finding("wrong", (0,), (0,), 0.049), Finding("added", (), (1,), 0.051)])
    assert [one.kind for one in listed] == ["added", "wrong"]


def test_an_empty_output_misses_every_sentence() -> None:
    (read,) = find([item("shops open . | bars close .", "")], FUNCTION, Marks())
    shown = read.evidence
    assert [(one.kind, one.source, one.weight) for one in shown.findings] == [
        ("missing", (0, 1), 0.5),
        ("missing", (3, 4), 0.5),
    ]
    assert shown.verdict == "nothing is left: the output is empty"
    (copied,) = find([item("shops open", "shops open")], FUNCTION, Marks())
    assert copied.evidence.verdict == "nothing is changed: the output is a copy" and not copied.evidence.findings


@given(st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=12), st.sets(st.sampled_from("abcdefgh")))
def test_weights_never_exceed_what_the_score_lacks(words: list[str], bad: set[str]) -> None:
    text = " ".join(words)
    (read,) = find([item(text, text + " z")], FUNCTION, Marks(missing=" ".join(bad), added="z", cost=0.3))
    total = sum(one.weight for one in read.evidence.findings)
    assert total <= 1 - read.scores["meaning"] / 100 + 1e-9


WORDS = st.lists(st.sampled_from(["the", "shops", "open", "May", "ten", "(", ")", '"', ",", ".", "|"]), max_size=14)
MARKED = st.sets(st.sampled_from(["the", "shops", "open", "May", "ten", "("])).map(" ".join)


@given(WORDS, WORDS, MARKED, MARKED, MARKED, st.sampled_from([0.0, 0.02, 0.3]))
def test_findings_have_words_of_their_own_and_points_that_add_up(
    source: list[str], output: list[str], missing: str, added: str, wrong: str, cost: float
) -> None:
    pair = item(" ".join(source), " ".join(output))
    (read,) = find([pair], FUNCTION, Marks(missing, added, wrong, cost))
    shown = read.evidence.to_dict()
    for side, text in (("source", pair.source), ("output", pair.output)):
        tokens = [token for one in shown["findings"] for token in one[f"{side}_tokens"]]
        assert len(tokens) == len(set(tokens)) and set(tokens) <= set(range(len(text.tokens)))
        spans = shown["spans"][side]
        assert all(0 <= one["start"] < one["end"] <= len(text.raw) for one in spans)
        assert all(one["end"] <= other["start"] for one, other in pairwise(spans))
        assert sorted((one["start"], one["end"]) for one in spans) == sorted(
            tuple(span) for one in shown["findings"] for span in one[side]
        )
    for one in shown["findings"]:
        assert (bool(one["source"]), bool(one["output"])) == (one["kind"] != "added", one["kind"] != "missing")
        words = [*one["source_text"].split(), *one["output_text"].split()]
        assert any(word.isalnum() and word != "the" for word in words), "no function words alone"
        assert one["kind"] != "wrong" or one["source_text"] != one["output_text"]
    points = [one["weight"] for one in shown["findings"]]
    assert min([shown["not_attributed"], *points]) >= 0
    assert sum(points) + shown["not_attributed"] == pytest.approx(1 - read.scores["meaning"] / 100, abs=2e-3)


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
    (one,) = find([pair], FUNCTION, Marks(wrong="May June ten two", missing="."))
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
    (one,) = find([item("ten shops open", "two shops open")], FUNCTION)
    assert [found.kind for found in one.evidence.findings] == ["missing", "added"]
    assert isinstance(one.sides[0], Side) and one.scores["meaning"] == pytest.approx(100 * 2 / 3)


class Swayed(Marks):
    """A reader whose scores change with whatever stands beside the words that it knows."""

    def _one(self, source: Text, output: Text) -> PairReading:
        read = super()._one(source, output)
        rest = sum(word.startswith("z") for word in output.words) / 10
        return replace(read, meaning=min(1, read.meaning + rest), recall=max(0, read.recall - rest),
                       precision=min(1, read.precision + rest))  # fmt: skip


def scores(source: str, output: str, reader: Marks | None = None) -> dict[str, float]:
    (one,) = find([item(source, output)], FUNCTION, reader)
    return dict(one.scores)


def test_a_copy_has_100_and_is_not_read_and_an_empty_output_has_0() -> None:
    for copy in ("shops open", "SHOPS Open"):
        assert set(scores("shops open", copy, Marks(missing="shops", added="open SHOPS Open")).values()) == {100.0}
    assert set(scores("shops open", "", Marks()).values()) == {0.0}
    assert scores("in Maßen trinken", "in Massen trinken", Marks(missing="Maßen", added="Massen"))["meaning"] < 100


@pytest.mark.parametrize("added", ["z1 z2 z3", "z1 z2"])  # a word that is believed but not linked
def test_an_unsupported_sentence_raises_no_score_and_lowers_no_recall(added: str) -> None:
    reader = Swayed(missing="May", added=added)
    before = scores("shops open in May", "shops open", reader)
    after = scores("shops open in May", "shops open | z1 z2 z3", reader)
    assert after["meaning_recall"] == before["meaning_recall"]
    assert after["meaning"] <= before["meaning"] and after["meaning_precision"] <= before["meaning_precision"]


def test_a_sentence_left_out_lowers_no_precision() -> None:
    texts, reader = "shops open in May | the mayor left", Marks(missing="the mayor left")
    whole, alone = (scores(source, "shops open May", reader) for source in (texts, "shops open in May"))
    assert whole["meaning_precision"] == alone["meaning_precision"] > whole["meaning"]
    verbatim = scores(texts, "shops open in May", Marks(added="May", missing="mayor left"))
    assert verbatim["meaning_precision"] == 100 > verbatim["meaning_recall"], "supported whatever is read"


def found_in_a_scene(source: str, output: str, reader: Marks) -> Meaning:
    """A Scene in the source: its second word is the main relation, the others are Participants."""
    graph = SceneGraph(source.split())
    scene = graph.add_child(graph.root, "H")
    for token, _ in enumerate(graph.tokens):
        graph.add_child(scene, "P" if token == 1 else "A", tokens=[token])
    (one,) = find([replace(item(source, output), graphs=(graph,))], FUNCTION, reader)
    return one.evidence


@pytest.mark.parametrize(
    ("output", "reader", "state", "reasons"),
    [
        ("John loves her", Marks(), "kept", []),
        ("John loves", Marks(missing="Mary"), "partly", ["missing: 'Mary'"]),
        ("he", Marks(missing="John loves Mary"), "lost", ["missing: 'John loves Mary'"]),
        ("John hates Mary", Marks(wrong="loves hates"), "changed", ["wrong: 'loves' became 'hates'"]),
    ],
)
def test_a_scene_has_the_state_of_its_findings(output: str, reader: Marks, state: str, reasons: list[str]) -> None:
    (scene,) = found_in_a_scene("John loves Mary", output, reader).source_scenes
    assert (scene.state.value, [str(reason) for reason in scene.because]) == (state, reasons)
