"""Alternatives: *and* for *or*."""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.listed import table
from sema_chinese.meaning.words import read_words


class Alternatives:
    """*A or B* became *A and B*, or the other way round."""

    kind = Kind.ALTERNATIVE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every conjunction between two content words."""
        words = read_words(text)
        joints = {word: meaning for meaning, listed in table("alternatives").items() for word in listed}
        found = []
        for token, word in enumerate(words.plain):
            around = words.near((token,), 1)
            if word in joints and len(around) == 2:
                found.append(Fact(self.kind, joints[word], (token,), around))
        return found

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Different conjunctions."""
        return None if source.value == output.value else BECAME
