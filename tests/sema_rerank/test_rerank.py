import json
import math
from collections.abc import Sequence

import pytest
from sema_rerank.mixes import Mix
from sema_rerank.nbest import Candidate, NBest, parse_nbest
from sema_rerank.reranking import Reranker, rerank

from sema.errors import InputError
from sema.metrics.base import Item, MeanMetric
from sema.model.item import Need
from sema.scoring.scorer import Scorer
from tests.commands import one_line, printed, write
from tests.conftest import Run


def shared(words: str, other: str) -> float:
    """The share of a text's words that another one has, which tells rivals apart by hand."""
    return 100 * len(set(words.split()) & set(other.split())) / len(set(words.split()))


class Overlap(MeanMetric):
    """The share of the output's words that the (only) reference has."""

    name = "overlap"
    requires = frozenset({Need.REFERENCES})

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [shared(item.output.raw, item.references[0]) for item in items]


class Shared(MeanMetric):
    """The share of the source's words that the output has."""

    name = "shared"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [shared(item.source.raw, item.output.raw) for item in items]


def test_a_mix_is_read_from_text_and_a_grade_counts_with_its_sign_turned() -> None:
    mix = Mix.of("0.7*meaning + sari+-2*fkgl")
    assert mix.parts == (("meaning", 0.7), ("sari", 1.0), ("fkgl", -2.0))
    assert mix.name == "0.7*meaning+sari+-2*fkgl"
    assert Mix.of("mean:sari,bleu").metrics == ["mean:sari,bleu"]
    metrics = Scorer("en", ["sari", "fkgl"]).metrics
    assert Mix.of("sari+2*fkgl").value({"sari": 40.0, "fkgl": 7.0}, metrics) == 26.0
    assert Mix.of("sari").value({"sari": math.nan}, metrics) == -math.inf
    for text in ("", "sari+", "x*sari", "0*sari", "sari+sari", "nan*sari"):
        with pytest.raises(InputError):
            Mix.of(text)


def test_the_best_is_the_one_that_the_scorer_finds_best() -> None:
    source = "The feline perambulated across the thoroughfare."
    texts = ["The cat walked across the road.", "The feline walked across the thoroughfare.", "The dog ran."]
    references = ["The cat walked across the street."]
    ranking = Reranker(by="sari").rank([NBest.of(source, texts, references)])[0]
    report = Scorer("en", ["sari"]).score([source] * 3, texts, [references] * 3)
    expected = [item.scores["sari"] for item in report.systems[0].items]
    assert ranking.values == pytest.approx(expected)
    assert ranking.best == expected.index(max(expected)) == 0
    assert f"sari {expected[0]:.2f}" in ranking.reason() and "against candidate" in ranking.reason()


def test_the_systems_own_score_can_be_mixed_in() -> None:
    nbest = NBest("a b c d", (Candidate("a b", 10.0), Candidate("a b c", 0.0)))
    assert Reranker(by=Shared()).rank([nbest])[0].best == 1
    mix = Mix(((Shared(), 1.0), ("model", 3.0)))
    ranking = Reranker(by=mix).rank([nbest])[0]
    assert (ranking.best, ranking.values) == (0, (80.0, 75.0))
    missing = Reranker(by="model").rank([NBest.of("a", ["b"])])[0]
    assert "no 'score'" in str(missing.error)


def test_consensus_is_the_mean_over_rivals() -> None:
    ranking = Reranker(by=Overlap(), mbr=True).rank([NBest.of("s", ["a b", "a c", "x y", "a b"])])[0]
    # "a b" has the rivals "a c" (50), "x y" (0) and itself (100); "a c": 50, 0, 50; "x y": 0, 0, 0
    assert ranking.values == pytest.approx((50.0, 100 / 3, 0.0, 50.0))
    assert ranking.order == (0, 3, 1, 2), "ties keep their order"
    # without references rivals are sources: "a b" renders 2/3 of "a b c", nothing of "x"; "a b c" all of "a b"
    ranking = Reranker(by=Shared(), mbr=True).rank([NBest.of("z", ["a b", "a b c", "x"])])[0]
    assert ranking.values == pytest.approx((100 / 3, 50.0, 0.0))
    alone = Reranker(by=Overlap(), mbr=True).rank([NBest.of("s", ["a b"])])[0]
    assert (alone.best, alone.values[0], alone.reason()) == (0, -math.inf, "the only candidate")
    tied = Reranker(by=Shared()).rank([NBest.of("a b", ["a", "b", "a"])])[0]
    assert tied.order == (0, 1, 2) and tied.reason().startswith("as good as candidate 1")


def test_errors_in_one_list_do_not_affect_others() -> None:
    broken = InputError("no", line=1)
    rankings = Reranker(by="stem_recall").rank([broken, NBest.of(" ", ["a"]), NBest.of("a b", ["a", "b a"])])
    assert rankings[0].error is broken
    assert "empty" in str(rankings[1].error)
    assert rankings[2].best == 1
    with pytest.raises(InputError) as caught:
        rerank([NBest.of("a", ["a"]), NBest.of("", ["a"])], "stem_recall")
    assert caught.value.item == 1
    with_references, without = Reranker(by="sari").rank([NBest.of("a b", ["a"], ["a"]), NBest.of("c d", ["c"])])
    assert with_references.error is None and "reference" in str(without.error)


@pytest.mark.parametrize(
    "row",
    [
        {"candidates": ["a"]},
        {"source": "a", "candidates": []},
        {"source": "a", "candidates": [3]},
        {"source": "a", "candidates": [{"text": "a", "score": 10**400}]},
        {"source": "a", "candidates": [{"text": "a", "score": "x"}]},
        {"source": "a", "candidates": [{"text": "a", "features": {"x": None}}]},
        {"source": "a", "candidates": ["a"], "references": [1]},
        {"source": "a", "candidates": ["a"], "references": None},
    ],
)
def test_a_line_of_another_shape_is_refused(row: object) -> None:
    with pytest.raises(InputError, match=r"n-best list|no candidates"):
        parse_nbest(row)


def test_the_command_prints_the_best_and_why(command: Run) -> None:
    rows = [
        {"source": "The cat sat on the mat.", "candidates": ["A dog.", "The cat sat."]},
        {"source": "", "candidates": ["x"]},
        {"source": "It rained.", "candidates": ["It rained."]},
    ]
    write("nbest.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    plain = command("rerank", "nbest.jsonl", "--lang", "en", "--by", "stem_recall")
    assert plain.stdout == "The cat sat.\n\nIt rained.\n"
    assert plain.returncode == 1 and "nbest.jsonl:2: the source is empty" in plain.stderr
    told = printed(command("rerank", "-", "--lang", "en", "--by", "stem_recall", "--json", stdin=json.dumps(rows[0])))
    assert (told["best"], told["text"], told["order"]) == (1, "The cat sat.", [1, 0])
    assert "stem_recall" in told["reason"]
    wrong = command("rerank", "nbest.jsonl", "--lang", "en", "--at-most", "fkgl=B1")
    one_line(wrong, 2, "is not a limit; write cefr=3")
    assert command("rerank", "nbest.txt", "--lang", "en").returncode == 1


def test_candidates_within_a_limit_come_first() -> None:
    lists = [
        NBest.of("a b c d e", ["a b c d e", "a b", "a b c"]),  # 100, 33 and 56 % as long as the source
        NBest.of("a b c d e", ["a b c d e", "a b c d"]),  # 100 and 78 %
    ]
    reranker = Reranker("en", by=Shared(), at_most={"compression": 60}, tokenized=True)
    first, second = reranker.rank(lists)
    assert first.order == (2, 1, 0)
    assert first.over == pytest.approx((40, 0, 0))
    assert second.order == (1, 0)
    assert second.over == pytest.approx((40, 100 * 7 / 9 - 60))
    assert second.reason() == "none of 2 candidates is within the limits; this one comes nearest"
    assert Reranker("en", by=Shared(), tokenized=True).rank(lists)[0].best == 0
