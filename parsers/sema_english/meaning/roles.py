"""Roles: who does what to whom, from where to where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema.meaning.views import SceneView, Unit, scene_views
from sema.model.fact import Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import word_list
from sema_english.meaning.words import Words, read_words
from sema_english.relations import stem

_AGENT, _PATIENT, _GIVEN, _BY = "agent", "patient", "given", "by"


class Roles:
    """Two Participants that exchanged their roles, of one verb or of two."""

    kind = Kind.ROLE
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every Participant of a content verb, anchored in the verb; its role is the aspect."""
        words = read_words(text)
        views = scene_views(graphs)
        verbs = frozenset(token for view in views for token in view.relation)
        return [fact for view in views for fact in self._parts(words, view, verbs)]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Different Participants conflict only if they exchanged their roles."""
        return None if source.value == output.value else ""

    def _parts(self, words: Words, view: SceneView, acts: frozenset[int]) -> Iterator[Fact]:
        verbs = [token for token in view.relation if words.content[token]]
        if not verbs or stem(words.words[verbs[-1]]) in word_list("roles", "symmetric"):
            return
        passive = _is_passive(words, verbs[-1])
        for unit in view.participants:
            heads = tuple(t for t in (unit.centers or unit.tokens) if words.content[t] and t not in acts)
            if heads:
                filler = frozenset(stem(words.words[t]) for t in heads)
                yield Fact(self.kind, filler, heads, tuple(verbs), _role(words, unit, verbs[-1], passive=passive))


def _role(words: Words, unit: Unit, verb: int, *, passive: bool) -> str:
    """The role of a Participant: its preposition, else the side of the verb on which it stands."""
    related = [words.lower[token] for token in unit.relators if words.lower[token] != "of"]
    if related:
        return _AGENT if related[0] == _BY and passive else related[0]
    if passive:
        return _PATIENT if unit.tokens[0] < verb else _GIVEN
    return _AGENT if unit.tokens[0] < verb else _PATIENT


def _is_passive(words: Words, verb: int) -> bool:
    """Whether a verb is a participle after a form of *be*, or directly before *by*."""
    start, end = words.sentence[verb]
    if words.lower[verb].endswith("ing"):
        return False
    before = (word for word in words.lower[verb - 1 : start - 1 if start else None : -1] if not _is_adverb(word))
    return next(before, "") in word_list("roles", "before participles") or (
        verb + 1 < end and words.lower[verb + 1] == _BY
    )


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") or word in word_list("roles", "adverbs")
