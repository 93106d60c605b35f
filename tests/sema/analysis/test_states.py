from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sema_english import english

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
