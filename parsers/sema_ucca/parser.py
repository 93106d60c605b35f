"""The UCCA parser that ships with the package (model card: ``weights/MODEL_CARD.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from sema.errors import UnknownNameError
from sema.model.scene_graph import SceneGraph
from sema.model.text import is_punctuation
from sema.runtime.threads import ahead, one_blas_thread
from sema_ucca.decode import SpanScores, decode_trees
from sema_ucca.encoder import AT_A_TIME, UccaEncoder
from sema_ucca.network import Numbers
from sema_ucca.trees import Tree, graph_of

VERSION = 3
PAPERS, UCCA2 = "ucca", "ucca2"
CONVENTIONS = PAPERS, UCCA2
"""The two conventions of UCCA that the parser follows, by extractor name.

In the first one, that of the Wikipedia corpus and of the papers on SAMSA and SEMA, *old* in *the old bridge* and *his*
in *his ball* are plain Elaborators. In UCCA 2.0, that of the EWT corpus, they are Scenes of their own.
"""
OUTPUTS = ("margins", "best", "left", "right")
"""The network's outputs for each convention (:meth:`sema_ucca.network.Network.run`)."""
CHART_SENTENCES, CHART_CELLS = 64, 50_000
"""The size of one chart: sentences, and sentences times the square of the longest one's words. A call of NumPy costs
the same for a few sentences as for many, until what it reads no longer fits in the processor's caches.
"""


class UccaParser:
    """Parses sentences to UCCA scene graphs, remote edges included, implicit units not.

    One network parses by two conventions of annotation (:data:`CONVENTIONS`). The result for a sentence does
    not depend on the other sentences of the call, and threads may share a parser. The shipped weights are for English.
    """

    def __init__(self, convention: str = PAPERS, *, encoder: UccaEncoder | None = None) -> None:
        """``convention`` is that of the papers and of the Wikipedia corpus (``ucca``) or UCCA 2.0 (``ucca2``).

        ``encoder`` is the network to parse with, by default a new one with the shipped weights.
        """
        if convention not in CONVENTIONS:
            raise UnknownNameError("convention", convention, list(CONVENTIONS))
        self.convention = convention
        self.encoder = encoder or UccaEncoder()
        self._outputs = [f"{output}.{convention}" for output in OUTPUTS]

    @property
    def signature(self) -> str:
        """Convention, version, and the digest of the weights."""
        return f"{self.convention}.en.v{VERSION}+int8+{self.encoder.network.digest}"

    def load_ahead(self) -> None:
        """Begin to load the network's session."""
        ahead(partial(self.encoder.network.session, self._outputs))

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        """One scene graph for each sentence, over the tokens as given.

        Brackets and quotes may be written as in the Penn Treebank. A sentence of more than 250 tokens or 510 word
        pieces is parsed in parts, cut at clause punctuation if possible; all parts are children of the graph's root.
        """
        trees = self.trees(sentences)
        return [graph_of(tokens, tree, valid=True) for tokens, tree in zip(sentences, trees, strict=True)]

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """The same as constituency trees (see ``sema_ucca.trees``), before they become graphs."""
        trees: list[Tree] = []
        with one_blas_thread():
            for start in range(0, len(sentences), AT_A_TIME):
                trees += self._trees(sentences[start : start + AT_A_TIME])
        return trees

    def _trees(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        net = self.encoder.network
        cut = self.encoder.cut(sentences)
        words = [tuple(i for i, token in enumerate(part) if not is_punctuation(token)) for part in cut.parts]
        trees = [Tree(indexes, {}) for indexes in words]
        for groups, numbers in _together(self.encoder.run(cut, words, self._outputs), words):
            scores = [
                SpanScores(margins, best, [words[index] for index in group])
                for group, (margins, best, _, _) in zip(groups, numbers, strict=True)
            ]
            decoded = iter(decode_trees(scores, net.labels[self.convention]))
            for group, (_, _, left, right) in zip(groups, numbers, strict=True):
                own = list(islice(decoded, len(group)))
                for index, tree in zip(group, net.remotes[self.convention].add(own, left, right), strict=True):
                    trees[index] = tree
        offsets = [offset for _, offset in cut.owners]
        return [_whole(parts) for parts in cut.by_sentence(zip(offsets, trees, strict=True))]


def ucca2_parser(*, encoder: UccaEncoder) -> UccaParser:
    """The parser by UCCA 2.0, which also reads attributes and possessives as Scenes."""
    return UccaParser(UCCA2, encoder=encoder)


def _together(
    batches: Iterable[tuple[list[int], list[Numbers]]], words: Sequence[Sequence[int]]
) -> Iterator[tuple[list[list[int]], list[list[Numbers]]]]:
    """The network's batches, grouped by chart."""
    groups: list[list[int]] = []
    numbers: list[list[Numbers]] = []
    count = most = 0
    for group, arrays in batches:
        more, wider = count + len(group), max(most, *(len(words[index]) for index in group))
        if groups and (more > CHART_SENTENCES or more * wider**2 > CHART_CELLS):
            yield groups, numbers
            groups, numbers, more, wider = [], [], len(group), max(len(words[index]) for index in group)
        groups.append(group)
        numbers.append(arrays)
        count, most = more, wider
    if groups:
        yield groups, numbers


def _whole(parts: Sequence[tuple[int, Tree]]) -> Tree:
    """One tree of the trees of a sentence's parts, each with the token where it begins."""
    if len(parts) == 1:
        return parts[0][1]
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
