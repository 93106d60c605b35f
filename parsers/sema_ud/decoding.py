"""A faster tree decoder for Stanza's graph parser.

Stanza runs Chu-Liu/Edmonds in Python on every sentence. Usually the best heads of all words
form a tree already; that tree is the best one, and the algorithm is not needed. If they form a cycle, or not exactly
one root, :mod:`sema_ud.arborescence` finds the best tree. Only if a head has two subjects, and the parser should
prevent that, Stanza's own decoder runs. The trees are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema_ud.arborescence import best_tree


def greedy_tree(scores: NDArray[np.floating[Any]]) -> NDArray[np.intp] | None:
    """The best head of each word if these heads form a tree with one root, else None.

    ``scores[i, j]`` is the score of node j as the head of node i; node 0 stands for the root's head. The result has
    one entry for each node, that of node 0 being 0.
    """
    heads = scores.argmax(axis=1)
    heads[0] = 0
    if np.count_nonzero(heads[1:] == 0) != 1:
        return None
    above = heads.copy()
    for _ in range(len(heads).bit_length()):  # after k rounds: the ancestor 2**k steps up; the root's is node 0
        above = above[above]
    return None if above.any() else heads


def tree_of(scores: NDArray[np.floating[Any]]) -> NDArray[np.intp]:
    """The best tree with one root, by :func:`greedy_tree` if possible."""
    tree = greedy_tree(scores)
    return best_tree(scores) if tree is None else tree


def use_fast_decoder(model: Any) -> None:
    """Give a loaded Stanza graph parser the decoder of this module; other parsers stay as they are."""
    from stanza.models.common.vocab import VOCAB_PREFIX_SIZE
    from stanza.models.depparse.head_constraints import find_head_constraint_violations
    from stanza.models.depparse.model import GraphParser

    if not isinstance(model, GraphParser):
        return
    thorough = model.decode_graph_predictions

    def decode(
        vocab: Any, batch_size: int, preds: Any, sentlens: Sequence[int], resolve_head_constraints: bool = False
    ) -> list[list[list[Any]]]:
        decoded: list[list[list[Any]]] = []
        for index in range(batch_size):
            length = sentlens[index]
            tree = tree_of(preds[0][index][:length, :length])
            relations = vocab.unmap(preds[1][index][np.arange(1, length), tree[1:]].tolist())
            if resolve_head_constraints and find_head_constraint_violations(tree, relations):
                one = [column[index : index + 1] for column in preds]
                decoded.extend(thorough(vocab, 1, one, [length], resolve_head_constraints))
            else:
                decoded.append([[head, relation] for head, relation in zip(tree[1:], relations, strict=True)])
        return decoded

    if len(model.vocab["deprel"]) - model.num_relations != VOCAB_PREFIX_SIZE:
        return  # labels are numbered otherwise than this decoder expects
    model.decode_graph_predictions = decode
