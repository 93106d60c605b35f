"""The UCCA parser that ships with the package (model card: ``weights/MODEL_CARD.md``)."""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.scene_graph import SceneGraph
from sema.model.text import is_punctuation
from sema_ucca.blas import one_blas_thread
from sema_ucca.decode import decode_trees
from sema_ucca.encoder import AT_A_TIME, UccaEncoder
from sema_ucca.trees import Tree, graph_of

VERSION = 1
OUTPUTS = ("margins", "best", "left", "right")


class UccaParser:
    """Parses sentences to UCCA scene graphs, remote edges included, implicit units not.

    The result for a sentence does not depend on what else is in the call. The weights that ship know English.
    """

    def __init__(self, *, encoder: UccaEncoder | None = None) -> None:
        """``encoder`` is the network to parse with, by default one of the parser's own over the weights that ship."""
        self.encoder = encoder or UccaEncoder()

    @property
    def signature(self) -> str:
        """Name, version, precision and the digest of the weights."""
        return f"ucca.en.v{VERSION}+{self.encoder.precision}+{self.encoder.network.digest}"

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        """One scene graph for each sentence, over the tokens as given.

        Brackets and quotes may be written as in the Penn Treebank. A sentence of more than 250 tokens or 510 word
        pieces is parsed in parts, cut at clause punctuation where there is some, which all hang on the graph's root.
        """
        return [graph_of(tokens, tree) for tokens, tree in zip(sentences, self.trees(sentences), strict=True)]

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """The same as constituency trees (see ``sema_ucca.trees``), before they become graphs."""
        starts = range(0, len(sentences), AT_A_TIME)
        with one_blas_thread():
            return [tree for start in starts for tree in self._trees(sentences[start : start + AT_A_TIME])]

    def _trees(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        net = self.encoder.network
        cut = self.encoder.cut(sentences)
        words = [[i for i, token in enumerate(part) if not is_punctuation(token)] for part in cut.parts]
        trees: list[Tree] = [Tree(tuple(indexes), {}) for indexes in words]
        for group, (margins, best, left, right) in self.encoder.run(cut, words, OUTPUTS):
            found = decode_trees(margins, best, [trees[index].words for index in group], net.labels)
            for index, tree in zip(group, net.remotes.add(found, left, right), strict=True):
                trees[index] = tree
        joined: list[list[tuple[int, Tree]]] = [[] for _ in sentences]
        for (sentence, offset), tree in zip(cut.owners, trees, strict=True):
            joined[sentence].append((offset, tree))
        return [found[0][1] if len(found) == 1 else _joined(found) for found in joined]


def _joined(parts: Sequence[tuple[int, Tree]]) -> Tree:
    """One tree of the trees of a sentence's parts, each with the token where it begins."""
    words: list[int] = []
    spans: dict[tuple[int, int], str] = {}
    remotes = []
    for offset, tree in parts:
        place = len(words)
        words.extend(offset + word for word in tree.words)
        spans.update({(start + place, end + place): label for (start, end), label in tree.spans.items()})
        for edge in tree.remotes:
            parent, child = (
                ref._replace(start=ref.start + place, end=ref.end + place) for ref in (edge.parent, edge.child)
            )
            remotes.append(edge._replace(parent=parent, child=child))
    return Tree(tuple(words), spans, tuple(remotes))
