"""Only what scores need is parsed, and for evidence what it shows."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from sema import Scorer
from sema.errors import InputError
from sema.model.item import Item
from sema.model.language import Language
from sema.model.scene_graph import SceneGraph
from tests.esperanto import Extractor, esperanto

SOURCE, OUTPUT = "La kato dormas. Mi vidas la katon. Li iras.", "La kato dormas. Li iras."


class Counting(Extractor):
    """An extractor that counts sentences, and has no graph of some."""

    def __init__(self) -> None:
        self.parsed = 0

    def extract(self, sentences: Iterable[Sequence[str]]) -> list[SceneGraph]:
        given = list(sentences)
        self.parsed += len(given)
        if any("Li" in words for words in given):
            raise InputError("it has no tree")
        return [self.graph(words) for words in given]


@pytest.fixture
def scorer() -> Scorer:
    return Scorer(esperanto(), ["meaning"], extractor=Counting(), level="passage")


def scored(scorer: Scorer, *texts: str, **options: Any) -> tuple[float, Any, int]:
    """The score, the item if it is kept, and how many sentences were parsed."""
    found = scorer.score(*([text] for text in texts), collect_errors=True, **options).systems[0].items[0]
    extractor = scorer.engine.parts.extractor
    assert isinstance(extractor, Counting)
    return found.scores.get("meaning", -1), found.item, extractor.parsed


def test_texts_are_parsed_for_their_evidence_alone(scorer: Scorer) -> None:
    source, output = "La kato dormas. Mi vidas la katon.", "La kato dormas."
    score, item, parsed = scored(scorer, source, output, keep_items=False)
    assert (item, parsed) == (None, 0)
    again, item, parsed = scored(scorer, source, output, keep_items=True)
    assert isinstance(item, Item)
    assert (again, len(item.graphs), len(item.output_graphs), parsed > 0) == (score, 2, 1, True)


def test_what_only_evidence_reads_may_fail_to_parse(scorer: Scorer) -> None:
    score, _, _ = scored(scorer, SOURCE, OUTPUT, keep_items=False)
    again, item, _ = scored(scorer, SOURCE, OUTPUT, keep_items=True)
    assert again == score > 0 and (item.graphs, item.output_graphs) == ((), ())


def test_scenes_that_only_evidence_reads_may_be_broken(scorer: Scorer) -> None:
    broken, output = [InputError("this file is no tree")], "La kato dormas."
    score, item, _ = scored(scorer, SOURCE, output, keep_items=True, scenes=broken)
    assert score == scored(scorer, SOURCE, output, keep_items=False)[0] > 0 and item.graphs == ()


def test_a_language_without_an_extractor_is_not_parsed() -> None:
    language: Language = replace(esperanto(), extractors={})
    found = Scorer(language, ["meaning"]).score([SOURCE], [OUTPUT], keep_items=True).systems[0].items[0]
    assert found.scores["meaning"] > 0 and found.item is not None and found.item.graphs == ()
