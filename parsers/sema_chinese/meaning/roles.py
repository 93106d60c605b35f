"""Roles: who gives and who gets, who wins and who loses, which is more, who does what to whom, however it is put."""

from __future__ import annotations

from collections.abc import Sequence

from sema.meaning.views import scene_views
from sema.model.fact import Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.meaning.frames import DEED, frames
from sema_chinese.meaning.words import read_words

_FIRST, _LAST = "first", "last"


class Roles:
    """Two sides of a statement, each in the other's part."""

    kind = Kind.ROLE
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Both sides of every statement: of a deed stated of the verb, else of all that the statement names."""
        words = read_words(text)
        acts = frozenset(token for view in scene_views(graphs) for token in view.relation)
        found = []
        for frame in frames(words, acts):
            anchor = (frame.verb,) if frame.kind == DEED else (*frame.first, *frame.last)
            for part, tokens in ((_FIRST, frame.first), (_LAST, frame.last)):
                aspect = (frame.kind, part)
                found += [Fact(self.kind, words.plain[token], (token,), anchor, aspect) for token in tokens]
        return found

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Other sides contradict each other only if they have changed places."""
        return None if source.value == output.value else ""
