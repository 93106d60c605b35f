"""The parser's network, for training and export.

An encoder's states of a word's pieces are averaged; a biaffine layer scores every word as the head of every other
(Dozat and Manning, ICLR 2017), and a layer over both words' vectors scores the relations.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from training.reader.network import Encoder, Shape


class TreeNetwork(nn.Module):
    """Embedded pieces of a sentence to scores of heads and relations, parts of speech and relative pronouns."""

    def __init__(self, shape: Shape, tags: int, relations: int, arcs: int = 256, labels: int = 192) -> None:
        super().__init__()
        self.encoder = Encoder(shape)
        width = shape.width
        self.drop = nn.Dropout(0.15)
        self.root = nn.Parameter(torch.randn(width) * 0.02)
        self.dependent, self.governor = nn.Linear(width, arcs), nn.Linear(width, arcs)
        self.arc = nn.Linear(arcs + 1, arcs, bias=False)
        self.label_dependent, self.label_governor = nn.Linear(width, labels), nn.Linear(width, labels)
        self.label_both = nn.Linear(arcs, labels)
        self.label = nn.Linear(labels, relations)
        self.tag = nn.Linear(width, tags)
        self.relative = nn.Linear(width, 1)
        nn.init.zeros_(self.arc.weight)

    def words(self, pieces: Tensor, treebanks: Tensor, mask: Tensor, pool: Tensor) -> Tensor:
        """The states of words (batch, words, width); arguments as for :meth:`forward`."""
        kinds = treebanks[:, None].expand(mask.shape)
        return self.drop(pool @ self.encoder(pieces, kinds, torch.zeros_like(kinds), mask))

    def arcs(self, words: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Scores of heads (batch, words, words + 1), the root first; the words as dependents and as heads."""
        root = self.root.expand(words.shape[0], 1, -1)
        heads = torch.cat([root, words], 1)
        dependent = F.gelu(self.dependent(words))
        governor = F.gelu(self.governor(heads))
        one = torch.ones_like(dependent[..., :1])
        scores = self.arc(torch.cat([dependent, one], -1)) @ governor.transpose(1, 2)
        return scores, dependent, governor

    def labels(self, words: Tensor, dependent: Tensor, heads: Tensor, governor: Tensor) -> Tensor:
        """Scores of relations of dependents to heads, whose shapes agree (…, relations)."""
        both = self.label_both(dependent * governor)
        return cast(Tensor, self.label(F.gelu(self.label_dependent(words) + self.label_governor(heads) + both)))

    def forward(
        self, pieces: Tensor, treebanks: Tensor, mask: Tensor, pool: Tensor, heads: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """For training.

        Args:
            pieces: embedded (batch, pieces, width).
            treebanks: numbers (batch).
            mask: 1 for a piece, 0 for padding (batch, pieces).
            pool: each word's share in each piece (batch, words, pieces).
            heads: each word's head, 0 the root, the first word 1 (batch, words).

        Returns:
            Scores of heads (batch, words, words + 1), of the relations to the given heads (batch, words, relations), of
            tags (batch, words, tags) and of relative pronouns (batch, words).
        """
        words = self.words(pieces, treebanks, mask, pool)
        scores, dependent, governor = self.arcs(words)
        above = torch.cat([self.root.expand(words.shape[0], 1, -1), words], 1)
        chosen = _rows(above, heads), _rows(governor, heads)
        relations = self.labels(words, dependent, *chosen)
        return scores, relations, self.tag(words), self.relative(words)[..., 0]


def _rows(values: Tensor, places: Tensor) -> Tensor:
    """The rows at some places: (batch, n, width), (batch, m) to (batch, m, width)."""
    return values.gather(1, places[..., None].expand(-1, -1, values.shape[-1]))
