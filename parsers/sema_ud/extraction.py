"""From a dependency tree to a scene graph (the rules: SEMA, section 4, and this package's own below).

The graph is UCCA-style: Scenes with a main relation (P or S), Participants (A), adverbials (D), times (T), function
words (F), relators (R) and linkers (L); noun phrases with centers (C), elaborators (E), quantifiers (Q) and
connectors (N). It uses UD version 2 and one rule for a language (:func:`settle_coverbs`).

``heads="root"``: one Scene for each sentence. The root is its main relation, the root's own dependents its
Participants.

``heads="clauses"``: a Scene for the root and for every clause below it. ``conj``, ``advcl`` and ``parataxis`` clauses
are Scenes parallel to their head's (H); ``ccomp``, ``csubj`` and clausal ``xcomp`` are its Participants; ``acl``
elaborates a noun. A subject, and the noun of a relative clause, is shared as a remote Participant.

In both, a nominal, adjectival or copular predicate is a State, coordinated arguments are centers of one Participant,
and a time (a ``:tmod`` subtype) is not a Participant.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal, get_args

from sema.model.scene_graph import SceneGraph
from sema_ud.trees import ROOT, DependencyTree, TreeProvider

Heads = Literal["clauses", "root"]

PARTICIPANTS = frozenset({"nsubj", "csubj", "obj", "iobj", "ccomp", "xcomp", "obl", "dislocated"})
"""Relations whose dependents are Participants; a subtype counts with its relation."""

SUBJECTS = frozenset({"nsubj", "csubj"})
ONE_UNIT = frozenset({"flat", "fixed", "goeswith"})
"""Dependents that make one unanalysable unit with their head."""
BESIDE = frozenset({"advcl", "parataxis", "conj"})
"""Clauses whose Scenes are parallel to their head's."""
PREDICATE_SIGNS = frozenset({"nsubj", "csubj", "cop", "aux", "obj", "iobj", "ccomp", "expl"})
"""Dependents that only a predicate has."""
NOMINAL = frozenset({"det", "amod", "nmod", "nummod", "clf", "case", "appos", "acl", "compound", *ONE_UNIT})
"""Dependents that belong to a nominal predicate's noun phrase rather than to its Scene."""
CATEGORIES = {
    "case": "R",
    "mark": "R",
    "cc": "N",
    "punct": "U",
    "aux": "F",
    "cop": "F",
    "expl": "F",
    "discourse": "G",
    "vocative": "G",
    "nummod": "Q",
    "clf": "Q",
}
"""The category of a dependent in a noun phrase; any other is an Elaborator."""
CO_VERBS = frozenset({"在", "于", "於"})
"""Words annotated as verbs in Chinese treebanks that only mark a place.

GSD annotates 在 in 在巴黎举行 now as a preposition, now (one time in four) as the verb of an adverbial clause. The
place takes part in the holding either way, so the second is rewritten as the first before Scenes are extracted.
"""


def extract_scenes(tree: DependencyTree, *, heads: Heads = "clauses") -> SceneGraph:
    """The scene graph of one sentence; its tokens are the tree's words, index for index."""
    return _Extraction(tree, heads).run()


class DependencyExtractor:
    """A scene extractor: a provider's trees turned into Scenes."""

    def __init__(self, provider: TreeProvider, *, heads: Heads = "clauses") -> None:
        self.heads = heads
        self.provider = provider
        self.signature = f"ud(heads:{heads},{provider.signature})"

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        """One scene graph for each sentence; the graph's tokens are the sentence's, index for index."""
        return [extract_scenes(tree, heads=self.heads) for tree in self.provider.parse(sentences)]


def clause_heads(tree: DependencyTree) -> list[int]:
    """The words that head a Scene under ``heads="clauses"``, ascending."""
    extraction = _Extraction(tree, "clauses")
    extraction.run()
    return sorted(extraction.scene_of)


def settle_coverbs(tree: DependencyTree) -> DependencyTree:
    """Make a co-verb that heads an ``advcl`` of nothing but its object the ``case`` of that object, an ``obl``."""
    if CO_VERBS.isdisjoint(tree.words):
        return tree
    heads, relations, upos = list(tree.heads), list(tree.relations), list(tree.upos)
    for verb, word in enumerate(tree.words):
        head = heads[verb]
        if word not in CO_VERBS or relations[verb] != "advcl" or head < verb:
            continue
        below = [child for child, above in enumerate(heads) if above == verb]
        places = [child for child in below if relations[child] == "obj" and verb < child < head]
        others = [child for child in below if relations[child] not in {"obj", "punct", "advmod", "mark", "case"}]
        if len(places) != 1 or others:
            continue
        place = places[0]
        heads[place], relations[place] = head, "obl"
        heads[verb], relations[verb], upos[verb] = place, "case", "ADP"
        for child in below:
            if child != place:
                heads[child] = place if relations[child] == "punct" else head
    return replace(tree, heads=tuple(heads), relations=tuple(relations), upos=tuple(upos))


class _Extraction:
    """One tree being turned into one graph."""

    def __init__(self, tree: DependencyTree, heads: Heads) -> None:
        if heads not in get_args(Heads):
            raise ValueError(f"heads must be 'clauses' or 'root', not {heads!r}")
        self.tree = tree = settle_coverbs(tree)
        self.heads = heads
        self.graph = SceneGraph(tree.words)
        self.below: list[list[int]] = [[] for _ in range(len(tree))]
        for index, head in enumerate(tree.heads):
            if head != ROOT:
                self.below[head].append(index)
        self.base = [relation.split(":")[0] for relation in tree.relations]
        self.scene_of: dict[int, str] = {}  # a clause's head -> its Scene
        self.unit_of: dict[int, str] = {}  # a word -> the unit of its whole phrase
        self.center_of: dict[int, str] = {}  # a noun with modifiers -> the unit of it alone
        self.sharing: list[tuple[int, int]] = []  # (clause, the clause whose subject it may share)

    def run(self) -> SceneGraph:
        if not len(self.tree):
            return self.graph
        root = self.tree.heads.index(ROOT)
        if self.heads == "root":
            unit = self.graph.add_child(self.graph.root, "H")
            self._scene(root, unit, everything=True)
            return self.graph
        if self._is_clause(root) or any(self._stands_beside(child) for child in self.below[root]):
            self._clauses(root, self.graph.root)
        else:
            self._phrase(root, self.graph.root)
        for clause, giver in self.sharing:
            self._share(clause, self._subject_unit(giver, {clause}))
        return self.graph

    # -- what a word is

    def _is_clause(self, word: int) -> bool:
        """Whether a word is a predicate: a verb, a non-modifying adjective, or a word with a predicate's dependents."""
        if any(self.base[child] in PREDICATE_SIGNS for child in self.below[word]):
            return True
        return self.tree.upos[word] in {"VERB", "AUX"} or (
            self.tree.upos[word] == "ADJ" and self.base[word] in {"root", "parataxis", "ccomp", "advcl", "acl"}
        )

    def _stands_beside(self, child: int) -> bool:
        """Whether a dependent is a clause of its own, parallel to its head's."""
        head = self.tree.heads[child]
        if self.base[child] == "conj":
            return self._is_clause(child) and self._is_clause(head)
        verbal_head = self.tree.upos[head] in {"VERB", "AUX"}
        beside = self.base[child] in BESIDE or (self.base[child] in {"acl", "dep"} and verbal_head)
        return beside and (self._is_clause(child) or self.base[child] == "parataxis")

    def _is_participant(self, child: int) -> bool:
        return self.base[child] in PARTICIPANTS and not self._is_time(child)

    def _is_time(self, child: int) -> bool:
        return self.tree.relations[child].endswith(":tmod")

    def _is_relative_pronoun(self, child: int) -> bool:
        return self.tree.has_feature(child, "PronType=Rel") and self._role(child) == "acl"

    def _role(self, child: int) -> str:
        """The relation of the clause that a word is an argument of."""
        head = self.tree.heads[child]
        while self.base[head] not in {"acl", "root"} and not self._is_clause(head):
            head = self.tree.heads[head]
        return self.base[head]

    def _one_unit(self, child: int) -> bool:
        """Whether a dependent is part of its head's word: a flat name, a fixed phrase, the stem of a suffix."""
        head = self.tree.heads[child]
        if self.base[child] == "compound" and self.tree.upos[head] == "PART":
            return True
        return self.base[child] in ONE_UNIT

    # -- clauses

    def _clauses(self, head: int, unit: str) -> None:
        """Fill a unit with a clause and its parallel clauses, one H each, or with the clause alone."""
        beside = self._beside(head)
        if not beside and unit != self.graph.root:
            self._scene(head, unit)
            return
        members = sorted([head, *beside])
        linkers = sorted(linker for member in members if member != head for linker in self._linkers(member))
        for member in members:
            child = self.graph.add_child(unit, "H")
            self.unit_of[member] = child
            if self._is_clause(member):
                self._scene(member, child, left_out=linkers)
            else:
                self._phrase(member, child, left_out=[*linkers, *self._beside_directly(member)])
        for linker in linkers:
            self._phrase(linker, self.graph.add_child(unit, "L"))

    def _beside_directly(self, head: int) -> list[int]:
        return [child for child in self.below[head] if self._stands_beside(child)]

    def _beside(self, head: int) -> list[int]:
        """All clauses parallel to one, directly or through another."""
        found = []
        for child in self._beside_directly(head):
            found.append(child)
            self.sharing.append((child, head))
            found.extend(self._beside(child))
        return found

    def _linkers(self, clause: int) -> list[int]:
        """The conjunctions that open a clause: its ``cc``, and each ``mark`` before its other dependents."""
        others = [child for child in self.below[clause] if self.base[child] not in {"mark", "cc", "punct"}]
        first = min(others, default=clause)
        return [
            child
            for child in self.below[clause]
            if child < clause and (self.base[child] == "cc" or (self.base[child] == "mark" and child < first))
        ]

    def _scene(self, head: int, unit: str, left_out: Collection[int] = (), *, everything: bool = False) -> None:
        """Fill a unit with one Scene; with ``everything``, it includes the clauses below, which get no Scenes."""
        self.scene_of[head] = unit
        verbal = self.tree.upos[head] == "VERB" and not any(self.base[child] == "cop" for child in self.below[head])
        nominal = self.tree.upos[head] not in {"VERB", "AUX"}
        relation = self.graph.add_child(unit, "P" if verbal else "S")
        inside: list[int] = []
        outside: list[int] = []
        for child in self.below[head]:
            if child in left_out or (not everything and self._stands_beside(child)):
                continue
            in_phrase = self.base[child] in NOMINAL or (self.base[child] == "conj" and not self._stands_beside(child))
            (inside if self._one_unit(child) or (nominal and in_phrase) else outside).append(child)
        self._noun_phrase(head, relation, inside, everything)
        for child in outside:
            self._dependent(child, unit, everything)

    def _dependent(self, child: int, unit: str, everything: bool) -> None:
        """Add one dependent of a Scene's main relation to the Scene."""
        clausal = not everything and self._is_clause(child)
        if self._is_relative_pronoun(child):
            self._phrase(child, self.graph.add_child(unit, "R"))
        elif self._is_participant(child):
            participant = self.graph.add_child(unit, "A")
            self.unit_of[child] = participant
            # A clausal open complement ("wants to go"), unlike a quality ("became tall"), is a clause too.
            if clausal and self.base[child] in {"ccomp", "csubj", "xcomp"}:
                self._clauses(child, participant)
                if self.base[child] == "xcomp":
                    self._control(child)
            else:
                self._phrase(child, participant, everything=everything)
        else:
            category = "T" if self._is_time(child) else CATEGORIES.get(self.base[child], "D")
            category = "F" if category == "R" else "L" if category == "N" else "D" if category == "Q" else category
            self._phrase(child, self.graph.add_child(unit, category), everything=everything)

    # -- phrases

    def _phrase(self, head: int, unit: str, left_out: Collection[int] = (), *, everything: bool = False) -> None:
        """Fill a unit with a word and all its dependents."""
        self._noun_phrase(head, unit, [child for child in self.below[head] if child not in left_out], everything)

    def _noun_phrase(self, head: int, unit: str, children: list[int], everything: bool = False) -> None:
        self.unit_of.setdefault(head, unit)
        parts = [child for child in children if self._one_unit(child)]
        conjuncts = [child for child in children if self.base[child] == "conj"]
        rest = [child for child in children if child not in parts and child not in conjuncts]
        first = self.graph.add_child(unit, "C") if conjuncts else unit
        center = self.graph.add_child(first, "C") if rest else first
        self.center_of[head] = center
        for token in (head, *(token for part in parts for token in self._all_below(part))):
            self.graph.add_edge(center, token)
        for child in rest:
            category = CATEGORIES.get(self.base[child], "E")
            below = self.graph.add_child(first, category)
            if not everything and self.base[child] == "acl" and self._is_clause(child):
                self._clauses(child, below)
                self._relative(child, head)
            else:
                self._phrase(child, below, everything=everything)
        for conjunct in conjuncts:
            before = [child for child in self.below[conjunct] if child < conjunct]
            linkers = [child for child in before if self.base[child] in {"cc", "punct"}]
            for linker in linkers:
                self._phrase(linker, self.graph.add_child(unit, CATEGORIES[self.base[linker]]))
            self._phrase(conjunct, self.graph.add_child(unit, "C"), linkers, everything=everything)

    def _all_below(self, word: int) -> list[int]:
        found = [word]
        for child in self.below[word]:
            found.extend(self._all_below(child))
        return found

    # -- remote Participants

    def _subject_unit(self, clause: int, seen: set[int]) -> str | None:
        """The Participant that is a clause's subject: its own, a shared one, or that of a clause beside it."""
        if clause in seen:
            return None
        seen.add(clause)
        for child in self.below[clause]:
            if self.base[child] in SUBJECTS and not self._is_relative_pronoun(child) and child in self.unit_of:
                return self.unit_of[child]
        for receiver, giver in self.sharing:
            if receiver == clause:
                return self._subject_unit(giver, seen)
        return None

    def _has_subject(self, clause: int) -> bool:
        return any(self.base[child] in SUBJECTS or self.base[child] == "expl" for child in self.below[clause])

    def _share(self, clause: int, subject: str | None) -> None:
        """Give a clause without a subject a remote one."""
        scene = self.scene_of.get(clause)
        if scene is None or subject is None or self._has_subject(clause):
            return
        if not self.graph.has_edge(scene, subject):
            self.graph.add_edge(scene, subject, "A", remote=True)

    def _control(self, complement: int) -> None:
        """An open complement's subject is its head's object if there is one, else its head's subject."""
        head = self.tree.heads[complement]
        for child in self.below[head]:
            if self.base[child] in {"obj", "iobj"} and child in self.unit_of and child < complement:
                self._share(complement, self.unit_of[child])
                return
        self.sharing.append((complement, head))

    def _relative(self, clause: int, noun: int) -> None:
        """Make the noun that a clause elaborates its remote Participant, unless the clause is its content ("the fact
        that")."""
        pronoun = any(self._is_relative_pronoun(child) for child in self.below[clause])
        full = pronoun or self.tree.relations[clause] == "acl:relcl"
        if not full and (self._has_subject(clause) or any(self.base[child] == "mark" for child in self.below[clause])):
            return
        scene = self.scene_of.get(clause)
        if scene is not None:
            self.graph.add_edge(scene, self.center_of[noun], "A", remote=True)
