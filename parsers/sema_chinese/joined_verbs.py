"""Corrects a parser error: the verb that 并 joins to the clause before is parsed as part of the noun after it.

并 joins predicates, so that a verb right after it heads what follows. In 并警告市议会钢索正在生锈 the parser hangs 警告
on 市 as if they were one noun, makes 生锈 the main verb, and the warning is lost.
"""

from __future__ import annotations

from dataclasses import replace

from sema_ud.trees import ROOT, DependencyTree

JOINS = frozenset({"并", "並", "并且", "並且"})
NOMINAL = frozenset({"compound", "nmod", "amod"})
"""The relations of a verb that is parsed as part of a noun."""
BEFORE_A_VERB = frozenset({"ADV", "AUX"})


def lift_joined_verbs(tree: DependencyTree) -> DependencyTree:
    """Make such a verb the head of its clause, and the predicate that follows its complement."""
    if JOINS.isdisjoint(tree.words):
        return tree
    for join, word in enumerate(tree.words):
        if word in JOINS:
            tree = _lifted(tree, join)
    return tree


def _lifted(tree: DependencyTree, join: int) -> DependencyTree:
    verb = join + 1
    while verb < len(tree) and tree.upos[verb] in BEFORE_A_VERB:
        verb += 1
    clause = tree.heads[join]
    if verb >= len(tree) or clause <= verb or tree.upos[clause] not in ("VERB", "ADJ"):
        return tree
    taken_for_noun = tree.upos[verb] == "VERB" and tree.relations[verb].partition(":")[0] in NOMINAL
    if not taken_for_noun or tree.heads[verb] <= verb or verb in tree.heads:
        return tree
    heads, relations = list(tree.heads), list(tree.relations)
    heads[verb], relations[verb] = heads[clause], relations[clause]
    heads[clause], relations[clause] = verb, "ccomp"
    for child, head in enumerate(tree.heads):
        if head == clause and (child < verb or (tree.relations[child] == "punct" and heads[verb] == ROOT)):
            heads[child] = verb
    return replace(tree, heads=tuple(heads), relations=tuple(relations))
