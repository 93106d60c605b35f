"""BERTScore (Zhang et al., ICLR 2020): greedy cosine matching of token vectors.

The encoder is the language's own (:class:`~sema.model.language.TokenEncoder`), or a Hugging Face model in a local
folder, which is used as in the authors' program: the special tokens at the ends of a text may be matched but have no
weight. With several references, each of the three scores takes its own maximum. Scores are 0-100, and 0 for an empty
text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sema.errors import ResourceError
from sema.metrics.base import NETWORK_DECIMALS, Item, MeanMetric, Need, f1, require_references
from sema.runtime.caching import Cache
from sema.runtime.hugging_face import LocalModel, by_length

if TYPE_CHECKING:
    from sema.model.language import Parts

BATCH = 64
Texts = tuple[str, tuple[str, ...]]
"""An output and its references."""
KNOWN_LAYERS: Mapping[str, Mapping[int, int]] = {
    "bert": {12: 9, 24: 18}, "roberta": {12: 10, 24: 17}, "distilbert": {6: 5}, "xlm-roberta": {12: 9, 24: 17}
}  # fmt: skip
"""By model type and depth, the layer that correlated best with human judgements in Zhang et al.; else the last."""


class TokenMatch(NamedTuple):
    """Precision, recall and F1, 0-100."""

    precision: float
    recall: float
    f1: float


class Vectors(NamedTuple):
    """A text's tokens: unit vectors (tokens, width), and which of them count (tokens,)."""

    vectors: NDArray[np.float32]
    counted: NDArray[np.bool_]


Similarity = Callable[[NDArray[np.float32]], NDArray[np.float32]]


class Matcher:
    """Scores outputs against references by the vectors of their tokens, and keeps its last scores.

    Args:
        encode: gives the vectors of texts.
        similarity: turns cosines into similarities.
        signature: of the encoder.
    """

    def __init__(
        self, encode: Callable[[list[str]], list[Vectors]], similarity: Similarity | None, signature: str
    ) -> None:
        self._encode, self._similarity, self.signature = encode, similarity or np.asarray, signature
        self._known: Cache[Texts, TokenMatch] = Cache()
        self._kept: Cache[str, Vectors] = Cache()

    def scores(self, pairs: Sequence[Texts]) -> list[TokenMatch]:
        """The scores of outputs against their references; every different text is encoded once."""
        by_pair = self._known.lookup(pairs, self._matches)
        return [by_pair[pair] for pair in pairs]

    def _matches(self, pairs: list[Texts]) -> list[TokenMatch]:
        encoded = self._kept.lookup((text for output, others in pairs for text in (output, *others)), self._encode)
        matches = ([self._match(encoded[output], encoded[text]) for text in texts] for output, texts in pairs)
        return [TokenMatch(*map(max, zip(*of_pair, strict=True))) for of_pair in matches]  # each its own best reference

    def _match(self, output: Vectors, reference: Vectors) -> TokenMatch:
        if not output.counted.any() or not reference.counted.any():
            return TokenMatch(0.0, 0.0, 0.0)
        similar = self._similarity(np.clip(output.vectors @ reference.vectors.T, -1, 1))
        precision = float(similar.max(1)[output.counted].mean())
        recall = float(similar.max(0)[reference.counted].mean())
        return TokenMatch(100 * precision, 100 * recall, 100 * f1(precision, recall))


def language_matcher(parts: Parts) -> Matcher | None:
    """A matcher with the language's own encoder, if it has one, of which every piece counts."""
    encoder = parts.token_encoder
    if encoder is None:
        return None
    segmenter = parts.segmenter

    def encode(texts: list[str]) -> list[Vectors]:
        segmented = segmenter.segment(texts)
        sentences = [[text.words[start:end] for start, end in text.sentences if end > start] for text in segmented]
        vectors = iter(encoder.vectors([sentence for text in sentences for sentence in text]))
        rows = [[next(vectors) for _ in text] for text in sentences]
        joined = [np.concatenate(parts) if parts else np.zeros((0, 0), np.float32) for parts in rows]
        return [Vectors(pieces, np.ones(len(pieces), bool)) for pieces in joined]

    return Matcher(encode, encoder.similarity, encoder.signature)


class BertEncoder(LocalModel):
    """A Hugging Face encoder from a local folder, which holds its tokenizer too."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder, "AutoModel", "encoder")
        config = self.model.config
        depth = config.num_hidden_layers
        self.layer = KNOWN_LAYERS.get(config.model_type, {}).get(depth, depth)
        bare, spaced = self.tokenizer.tokenize("a"), self.tokenizer.tokenize(" a")
        self._before = " " if bare != spaced and len(bare) == len(spaced) else ""
        """Added before a text, so that its first word is tokenized like the same word inside a text."""

    def encode(self, texts: list[str]) -> list[Vectors]:
        """The vectors of each text's tokens and of the special ones, which do not count."""
        import torch

        by_text = {}
        for batch in by_length(texts, BATCH):
            cleaned = [self._before + text.strip() if text.strip() else "" for text in batch]
            inputs = self.tokenizer(
                cleaned, truncation=True, max_length=self.length, padding=True, return_tensors="pt",
                return_special_tokens_mask=True,
            )  # fmt: skip
            special, present = inputs.pop("special_tokens_mask").numpy() == 1, inputs["attention_mask"].numpy() == 1
            with torch.inference_mode():
                layers = self.model(**inputs.to(self.device), output_hidden_states=True).hidden_states
            states = torch.nn.functional.normalize(layers[self.layer].float(), dim=-1).cpu().numpy()
            for row, text in enumerate(batch):
                kept = present[row]
                by_text[text] = Vectors(states[row, kept], ~special[row, kept])
        return [by_text[text] for text in texts]


@lru_cache(maxsize=2)
def folder_matcher(folder: str) -> Matcher:
    """A matcher with the encoder of a folder."""
    encoder = BertEncoder(folder)
    return Matcher(encoder.encode, None, f"{encoder.name},layer={encoder.layer}")


class BertScore(MeanMetric):
    """One of the three scores.

    Raises:
        ResourceError: the language has no encoder and none was given, the folder has the wrong content, or torch or
            transformers is not installed.
    """

    decimals = NETWORK_DECIMALS
    requires = frozenset({Need.REFERENCES})
    range = (-100.0, 100.0)
    part: str

    def __init__(
        self,
        *,
        model: Annotated[
            Path | None, "folder with a Hugging Face encoder and its tokenizer; none: the language's own"
        ] = None,
    ) -> None:
        self._model = model
        self._own: Matcher | None = None

    @property
    def matcher(self) -> Matcher:
        """The matcher in use."""
        matcher = self._own if self._model is None else folder_matcher(str(self._model))
        if matcher is None:
            raise ResourceError(
                f"{self.name} needs an encoder; set its option 'model' to a Hugging Face model's folder"
            )
        return matcher

    def bind(self, parts: Parts) -> Self:
        """A copy with the language's own encoder, unless there is a ``model``; its files are checked."""
        bound = copy(self)
        if self._model is None:
            bound._own = parts.once(language_matcher)
        bound.matcher  # noqa: B018 - fail now, not after an hour of scoring
        return bound

    @property
    def signature(self) -> str:
        if self._model is None and self._own is None:
            return "model=none"
        rescaled = "" if self._model is None else ",idf=no,rescaled=no"
        return f"model={self.matcher.signature}{rescaled},refs=best-of-each"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        require_references(self.name, items)
        matches = self.matcher.scores([(item.output.raw, item.references) for item in items])
        return [getattr(score, self.part) for score in matches]


class BertScoreP(BertScore, name="bertscore_p"):
    """Precision of matching token vectors (BERTScore)."""

    part = "precision"


class BertScoreR(BertScore, name="bertscore_r"):
    """Recall of matching token vectors (BERTScore)."""

    part = "recall"


class BertScoreF1(BertScore, name="bertscore_f1"):
    """f1 of matching token vectors (BERTScore).

    0 where precision or recall is not above 0.
    """

    range = (0.0, 100.0)
    part = "f1"
