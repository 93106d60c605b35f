"""Co-verbs: words annotated as verbs in Chinese treebanks that only mark a place (在 before the main verb).

GSD annotates 在 in 在巴黎举行 now as a preposition, now (one time in four) as the verb of an adverbial clause. The
place takes part in the holding either way, so the second is rewritten as the first before Scenes are extracted.
"""

from __future__ import annotations

from dataclasses import replace

from sema_ud.trees import DependencyTree

CO_VERBS = frozenset({"在", "于", "於"})


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
