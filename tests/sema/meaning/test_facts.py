"""Facts of both languages, kind by kind: what contradicts its source is reported, and what says the same is not.

The pairs lie in ``tests/data/facts``. The sentences of the files called *unseen* were written for this test; no rule
was written for them, and none is to be: what a rule is mended for goes to the other file. The first column says what
becomes of a pair: a kind of fact in conflict (a faithful output in the last column has none and scores higher),
``worse`` than the faithful output, ``misleading`` by the cross-encoder (or, where there is a faithful output, far below
that), or ``same``.
"""

from functools import cache

import pytest

from sema import Scorer
from sema.analysis.analyser import Analyser
from sema.languages import find_language
from sema.meaning import Conflict, Kind, conflicts
from sema.model.item import Item, Need
from tests.conftest import ROOT

Pair = tuple[str, str, str, str, str]


@cache
def pairs(*whats: str) -> list[Pair]:
    """Language, what, source, output and faithful output (or "") of the pairs of which one of these is true."""
    rows = []
    for file in sorted((ROOT / "tests" / "data" / "facts").glob("*.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines()[1:]:
            what, source, output, *faithful = line.split("\t")
            rows.append((file.stem[:2], what, source, output, "".join(faithful)))
    return [row for row in rows if row[1] in whats]


CONFLICTS = pairs(*Kind)


@cache
def scorer(lang: str, reader: str = "best") -> Scorer:
    return Scorer(lang, ["meaning"], options={"meaning.reader": reader})


def meaning(lang: str, source: str, output: str, reader: str = "best") -> float:
    return scorer(lang, reader).score([source], [output]).systems[0].scores["meaning"]


@cache
def conflicts_of(lang: str, source: str, output: str) -> list[Conflict]:
    parts = scorer(lang).engine.parts
    analyser = Analyser(parts, {Need.LINK_WEIGHTS, Need.GRAPHS, Need.OUTPUT_SCENES})
    ((item,),) = analyser.prepare([source], [[output]], segment=False)
    assert isinstance(item, Item)
    return conflicts(item, parts.fact_readers)


@pytest.mark.parametrize(("lang", "kind", "source", "output", "faithful"), CONFLICTS)
def test_conflicts_are_reported_by_their_kind(lang: str, kind: str, source: str, output: str, faithful: str) -> None:
    assert [conflict.kind for conflict in conflicts_of(lang, source, output)][:1] == [kind]
    if faithful:
        assert conflicts_of(lang, source, faithful) == []
        assert meaning(lang, source, output, "none") < meaning(lang, source, faithful, "none")


@pytest.mark.parametrize(("lang", "_", "source", "output", "faithful"), pairs("worse"))
def test_other_changes_score_below_paraphrases(lang: str, _: str, source: str, output: str, faithful: str) -> None:
    assert meaning(lang, source, output, "none") < meaning(lang, source, faithful, "none")


@pytest.mark.parametrize(("lang", "_", "source", "output", "faithful"), pairs("misleading"))
def test_changes_left_to_the_cross_encoder_are_misleading(
    lang: str, _: str, source: str, output: str, faithful: str
) -> None:
    assert meaning(lang, source, output) < (meaning(lang, source, faithful) - 10 if faithful else 70)


@pytest.mark.parametrize(("lang", "_", "source", "output", "__"), pairs("same"))
def test_paraphrases_are_no_conflict(lang: str, _: str, source: str, output: str, __: str) -> None:
    assert conflicts_of(lang, source, output) == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_kind_is_tested(lang: str) -> None:
    readers = find_language(lang).parts().fact_readers
    assert {reader.kind for reader in readers} <= {row[1] for row in CONFLICTS if row[0] == lang}


def test_a_reason_is_in_plain_words() -> None:
    (conflict,) = conflicts_of("en", "The choir has 48 members.", "The choir has 84 members.")
    assert conflict.reason == "'48' became '84'"


def test_traditional_characters_give_the_same_facts() -> None:
    source = "總統批准了這項法案。"
    assert meaning("zh", source, "总统批准了这个法案。", "none") > 80
    assert conflicts_of("zh", source, "总统批准了这个法案。") == []
    assert Kind.OPPOSITE in {one.kind for one in conflicts_of("zh", source, "总统否决了这个法案。")}


def test_clauses_change_places_and_time_moves_without_a_conflict() -> None:
    source = "周四，总理在柏林会见了外长，双方签署了协议。"
    for output in ("双方签署了协议，周四，总理在柏林会见了外长。", "总理周四在柏林会见了外长，双方签署了协议。"):
        assert conflicts_of("zh", source, output) == []
        assert meaning("zh", source, output, "none") > 90


def test_a_copy_scores_100_and_an_addition_is_no_change_of_order() -> None:
    text = "之所以选择在武汉设立办事处，是因为武汉水陆交通便利。"
    report = scorer("zh", "none").score([text, text], [text, text + "他很高兴。"])
    assert report.systems[0].items[0].scores["meaning"] == 100
    scenes = report.evidence(1)["output"]["source_scenes"]
    assert not any(reason["kind"] == "order" for scene in scenes for reason in scene["because"])
