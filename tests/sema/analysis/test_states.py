from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sema_english import english

from sema.analysis import analyser
from sema.analysis.analyser import Analyser
from sema.model.item import Item, Need


class Plain:
    """An encoder that keeps no room for anything."""

    signature = "plain"

    def keep_states(self, form: object = None) -> None: ...

    def make_room(self, words: int) -> None: ...

    def states(self, sentences: Sequence[Sequence[str]], form: object = None) -> list[Any]:
        return [np.ones((len(sentence), 2), np.float32) for sentence in sentences]


def test_an_encoder_need_not_free_room() -> None:
    parts = replace(english(), encoder=Plain).parts()
    (item,) = Analyser(parts, {Need.STATES}).items(["A cat sat."], ["It sat."])
    assert isinstance(item, Item)
    assert item.output_states is not None and len(item.output_states) == len(item.output.tokens)


def test_long_texts_are_parsed_and_weighed_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = english().parts()
    needs = {Need.LINK_WEIGHTS, Need.GRAPHS, Need.OUTPUT_SCENES}
    numbers = range(21)  # 21 by 21 sentences: too many to weigh all pairs
    source = " ".join(f"In {1900 + number} the committee number {number} sold a house." for number in numbers)
    output = " ".join(f"Committee number {number} sold a house." for number in numbers)
    (whole,) = Analyser(parts, needs).items([source], [output])
    monkeypatch.setattr(analyser, "LONG", 100)
    monkeypatch.setattr(analyser, "WINDOW", 12)
    turns: list[str] = []
    extract, weigh = parts.extractor.extract, parts.probabilistic_aligner.probabilities
    monkeypatch.setattr(parts.extractor, "extract", lambda given: turns.append("parsed") or extract(given))
    monkeypatch.setattr(
        parts.probabilistic_aligner, "probabilities", lambda given: turns.append("weighed") or weigh(given)
    )
    (in_turns,) = Analyser(parts, needs).items([source], [output])
    assert isinstance(whole, Item) and isinstance(in_turns, Item)
    assert turns[:4] == ["parsed", "weighed"] * 2
    assert in_turns.scenes == whole.scenes and len(in_turns.output_graphs) == len(numbers)
    for found, expected in zip(in_turns.link_weights, whole.link_weights, strict=True):
        assert np.array_equal(found.rows, expected.rows) and np.array_equal(found.weights, expected.weights)


def test_what_long_texts_show_is_parsed_in_the_same_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyser, "LONG", 20)
    parts = english().parts()
    turns: list[str] = []
    extract, weigh = parts.extractor.extract, parts.probabilistic_aligner.probabilities
    monkeypatch.setattr(parts.extractor, "extract", lambda given: turns.append("parsed") or extract(given))
    monkeypatch.setattr(
        parts.probabilistic_aligner, "probabilities", lambda given: turns.append("weighed") or weigh(given)
    )
    read = Analyser(parts, {Need.LINK_WEIGHTS, Need.MEANING}, shows={Need.GRAPHS, Need.OUTPUT_SCENES})
    texts = ["The committee sold a house in 1901. It bought a new one."], [["A committee sold a house in 1901."]]
    ((item,),) = read.prepare(*texts, segment=False)
    assert turns == ["weighed"] and isinstance(item, Item) and not item.graphs
    turns.clear()
    ((item,),) = read.prepare(*texts, segment=False, explains=True)
    assert turns == ["parsed", "weighed"] and isinstance(item, Item) and len(item.graphs) == 2
