"""The features of Mathias and Bhattacharyya (2016): statements by five constructions, complexity, METEOR.

Mathias and Bhattacharyya (2016, section 5) count the sentences that the extractor makes of main clauses, relative
clauses, appositives, participial phrases and other subordinate clauses. It matches patterns of constituency trees; here
the same constructions are found in scene graphs:

* main: a Scene of its own or beside others that is none of the below; a sentence has at least one;
* relative: a Scene that elaborates a noun after a comma, dash or bracket and begins with a relative word;
* appositive: a noun phrase, not a Scene, that elaborates a noun after such a mark and ends at another;
* participial: a Scene without a subject of its own that begins with a participle, set off by such a mark;
* subordinate: a Scene with a subject of its own behind a subordinating word.

As there, a clause that is not set off (*the wine that Mary liked*) is not a statement of its own, nor is an infinitive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sema.features.base import FeatureGroup
from sema.metrics.meteor import MeteorQats
from sema.model.item import Item, Need
from sema.model.language import Parts
from sema.model.scene_graph import SceneGraph
from sema_english.features.form import is_participle
from sema_english.features.language_model import lexical_complexity
from sema_english.words import CONNECTIVES, PREPOSITIONS, RELATIVE, SUBORDINATORS

KINDS = ("main", "relative", "appositive", "participial", "subordinate")
MARKS = frozenset({",", ";", ":", "--", "–", "—", "(", ")", "[", "]", "-LRB-", "-RRB-", "."})
BESIDE = frozenset({"H", "E", "D", "T"})
"""Categories of Scenes that make statements of their own; a Participant or center is part of its parent's statement."""


def statements(graph: SceneGraph) -> Counter[str]:
    """The statements of one sentence, by kind."""
    words = [word.lower() for word in graph.tokens]
    kinds: Counter[str] = Counter()
    for parent in graph.units():
        linker = ""
        for child, categories, remote in graph.edges(parent):
            tokens = graph.tokens_below(child, remote=False, punctuation=True) if isinstance(child, str) else ()
            if remote or not isinstance(child, str) or not tokens:
                continue
            if "L" in categories:
                linker = words[tokens[0]]
                continue
            if graph.is_scene(child) and BESIDE & set(categories):
                kinds[_clause(graph, child, words, linker, beside="H" in categories)] += 1
            elif "E" in categories and _is_appositive(graph, child, words):
                kinds["appositive"] += 1
            linker = "" if "U" not in categories else linker
    del kinds[""]
    kinds["main"] = max(kinds["main"], 1)
    return kinds


def _clause(graph: SceneGraph, unit: str, words: Sequence[str], linker: str, beside: bool) -> str:
    """The kind of statement that a Scene makes; empty for none."""
    tokens = graph.tokens_below(unit, remote=False)
    own = any(categories == ("A",) and not remote for _, categories, remote in graph.edges(unit))
    first, marked = words[tokens[0]], _marked(words, tokens)
    if (first.endswith("ing") or is_participle(first)) and marked and not _led(graph, unit):
        return "participial"
    if not beside and marked and first in RELATIVE:
        return "relative"
    if own and (linker or first) in SUBORDINATORS - RELATIVE | {"when", "where"}:
        return "subordinate"
    return "main" if beside and "to" not in (linker, first) and linker not in SUBORDINATORS else ""


def _led(graph: SceneGraph, unit: str) -> bool:
    """Whether a Participant of its own stands before a Scene's main relation."""
    relation = [token for center in graph.scene(unit).main_relation for token in center]
    return any(
        "A" in categories and not remote and isinstance(child, str)
        and min(graph.tokens_below(child, remote=False), default=len(graph.tokens)) < min(relation, default=0)
        for child, categories, remote in graph.edges(unit)
    )  # fmt: skip


def _marked(words: Sequence[str], tokens: Sequence[int]) -> bool:
    """Whether a stretch is set off: by a mark before it or, at the beginning of the sentence, behind it."""
    if tokens[0]:
        return words[tokens[0] - 1] in MARKS
    return tokens[-1] + 1 < len(words) and words[tokens[-1] + 1] == ","


def _is_appositive(graph: SceneGraph, unit: str, words: Sequence[str]) -> bool:
    tokens = graph.tokens_below(unit, remote=False)
    if not tokens or not tokens[0] or words[tokens[0]] in PREPOSITIONS | CONNECTIVES | RELATIVE:
        return False
    end = tokens[-1] + 1
    return words[tokens[0] - 1] in MARKS and (end == len(words) or words[end] in MARKS)


class Qats(FeatureGroup, name="qats"):
    """Statements by construction, lexical and structural complexity, METEOR (Mathias and Bhattacharyya 2016).

    The paper's features of grammaticality are ``lengths.words`` and some of ``language_model``.

    Features:
        main: statements that the output's main clauses or phrases make
        relative: statements that the output's relative clauses or phrases make
        appositive: statements that the output's appositive clauses or phrases make
        participial: statements that the output's participial clauses or phrases make
        subordinate: statements that the output's subordinate clauses or phrases make
        complexity: those statements and the lexical complexity of the output, summed (section 5)
        meteor: METEOR against the source, 0-100, by the paper's weights, function words by a third (section 4)
    """

    requires = frozenset({Need.OUTPUT_SCENES})

    used: MeteorQats | None

    def uses(self, parts: Parts) -> MeteorQats | None:
        return None if parts.lexicon is None else MeteorQats().bind(parts)

    def values(self, item: Item) -> Mapping[str, float]:
        counts: Counter[str] = sum(map(statements, item.output_graphs), Counter())
        ones, twos = lexical_complexity(item.output)
        (meteor,) = self.used.scores([item]) if self.used else (0.0,)
        return {
            **{kind: counts[kind] for kind in KINDS},
            "complexity": counts.total() + ones + twos / 2,
            "meteor": meteor,
        }
