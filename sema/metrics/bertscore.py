"""BERTScore (Zhang et al., ICLR 2020): greedy cosine matching of token vectors.

The encoder is the language's own (:class:`~sema.model.language.TokenEncoder`), or a Hugging Face model in a local
folder. With several references, each of the three scores takes its own maximum. A folder is used as in the authors'
program: the special tokens at the ends of a text may be matched but have no weight, and there are two options. ``idf``
gives rare tokens more weight; ``baseline`` rescales the scores, which lie close together near the top. Scores are 0-100
without ``baseline``, and 0 for an empty text.
"""

from __future__ import annotations

import csv
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from sema.errors import InputError, ResourceError, UsageError
from sema.metrics.base import NETWORK_DECIMALS, Item, MeanMetric, Need, f1, require_references
from sema.model.language import TokenEncoder
from sema.model.text import Segmenter
from sema.runtime.caching import Cache
from sema.runtime.checksums import digest_of
from sema.runtime.contents import text_content
from sema.runtime.hugging_face import LocalModel, by_length

if TYPE_CHECKING:
    import torch

    from sema.model.language import Parts

BATCH = 64
Encoded = TypeVar("Encoded")
"""The vectors of one text."""
Vectors = NDArray[np.float32]
Texts = tuple[str, tuple[str, ...]]
"""An output and its references."""
KNOWN_LAYERS = {
    ("bert", 12): 9,
    ("bert", 24): 18,
    ("roberta", 12): 10,
    ("roberta", 24): 17,
    ("distilbert", 6): 5,
    ("xlm-roberta", 12): 9,
    ("xlm-roberta", 24): 17,
}
"""By model type and depth, the layer that correlated best with human judgements in Zhang et al.; else the last."""


class TokenMatch(NamedTuple):
    """Precision, recall and F1, 0-100."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, precision: float, recall: float) -> TokenMatch:
        """From precision and recall in [-1, 1]."""
        return cls(100 * precision, 100 * recall, 100 * f1(precision, recall))


NOTHING = TokenMatch(0.0, 0.0, 0.0)


class Matcher(ABC, Generic[Encoded]):
    """Scores outputs against references by the vectors of their tokens, with a cache of its last scores."""

    def __init__(self) -> None:
        self._known: Cache[Texts, TokenMatch] = Cache()

    def scores(self, pairs: Sequence[Texts]) -> list[TokenMatch]:
        """The scores of outputs against their references; every different text is encoded once in a call."""
        by_pair = self._known.lookup(pairs, self._matches)
        return [by_pair[pair] for pair in pairs]

    def _matches(self, pairs: list[Texts]) -> list[TokenMatch]:
        encoded = self._encoded(list(dict.fromkeys(text for output, others in pairs for text in (output, *others))))
        matches = ([self._match(encoded[output], encoded[text]) for text in texts] for output, texts in pairs)
        return [TokenMatch(*map(max, zip(*of_pair, strict=True))) for of_pair in matches]  # each its own best reference

    @abstractmethod
    def _encoded(self, texts: list[str]) -> Mapping[str, Encoded]:
        """The vectors of each text's tokens."""

    @abstractmethod
    def _match(self, output: Encoded, reference: Encoded) -> TokenMatch: ...


class TokenMatcher(Matcher[Vectors]):
    """A matcher with a language's segmenter and encoder; every piece counts alike."""

    def __init__(self, encoder: TokenEncoder, segmenter: Segmenter) -> None:
        super().__init__()
        self._encoder, self._segmenter = encoder, segmenter
        self._kept: Cache[str, Vectors] = Cache()

    @property
    def signature(self) -> str:
        """The encoder's signature."""
        return self._encoder.signature

    def _encoded(self, texts: list[str]) -> Mapping[str, Vectors]:
        return self._kept.lookup(texts, self._encode)

    def _encode(self, texts: list[str]) -> list[Vectors]:
        """The vectors of each text's pieces; an array without rows for a text without words."""
        segmented = self._segmenter.segment(texts)
        sentences = [[text.words[start:end] for start, end in text.sentences if end > start] for text in segmented]
        vectors = iter(self._encoder.vectors([sentence for text in sentences for sentence in text]))
        rows = [[next(vectors) for _ in text] for text in sentences]
        return [np.concatenate(parts) if parts else np.zeros((0, 0), np.float32) for parts in rows]

    def _match(self, output: Vectors, reference: Vectors) -> TokenMatch:
        if not len(output) or not len(reference):
            return NOTHING
        similar = self._encoder.similarity(np.clip(output @ reference.T, -1, 1))
        return TokenMatch.of(float(similar.max(1).mean()), float(similar.max(0).mean()))


class WeightedVectors(NamedTuple):
    """A text's tokens with the special ones: unit vectors (tokens, dimensions), and each token's weight (tokens,)."""

    vectors: torch.Tensor
    weights: torch.Tensor


class BertEncoder(LocalModel, Matcher[WeightedVectors]):
    """A matcher with a Hugging Face encoder from a local folder.

    Args:
        folder: holds the encoder and its tokenizer.
        idf: a file of texts, one per line; a token's weight is log((texts + 1) / (texts with it + 1)).
    """

    def __init__(self, folder: str, idf: Path | None = None) -> None:
        LocalModel.__init__(self, folder, "AutoModel", "encoder")
        Matcher.__init__(self)
        config = self.model.config
        self.layer = KNOWN_LAYERS.get((config.model_type, config.num_hidden_layers), config.num_hidden_layers)
        bare, spaced = self.tokenizer.tokenize("a"), self.tokenizer.tokenize(" a")
        self._before = " " if bare != spaced and len(bare) == len(spaced) else ""
        """Added before a text, so that its first word is tokenized like the same word inside a text."""
        self._weights = self._token_weights([] if idf is None else _read_texts(idf))

    def _inputs(self, texts: list[str], **options: object) -> dict[str, Any]:
        cleaned = [self._before + text.strip() if text.strip() else "" for text in texts]
        inputs: dict[str, Any] = self.tokenizer(
            cleaned, truncation=True, max_length=self.length, return_special_tokens_mask=True, **options
        )
        return inputs

    def _encoded(self, texts: list[str]) -> dict[str, WeightedVectors]:
        import torch

        by_text = {}
        for batch in by_length(texts, BATCH):
            inputs = self._inputs(batch, padding=True, return_tensors="pt")
            special = inputs.pop("special_tokens_mask") == 1
            tokens, present = inputs["input_ids"], inputs["attention_mask"] == 1
            with torch.inference_mode():
                on_device = {name: values.to(self.device) for name, values in inputs.items()}
                layers = self.model(**on_device, output_hidden_states=True).hidden_states
            states = torch.nn.functional.normalize(layers[self.layer].float(), dim=-1).cpu()
            for row, text in enumerate(batch):
                kept = present[row]
                counted = (~special[row, kept]).float()
                weights = self._weights[tokens[row, kept]] * counted
                # Without a file, or if every token is in every text of the file, all tokens count alike.
                by_text[text] = WeightedVectors(states[row, kept], weights if weights.any() else counted)
        return by_text

    def _match(self, output: WeightedVectors, reference: WeightedVectors) -> TokenMatch:
        if not output.weights.any() or not reference.weights.any():
            return NOTHING
        similar = output.vectors @ reference.vectors.T
        precision = float((similar.amax(1) * output.weights).sum() / output.weights.sum())
        recall = float((similar.amax(0) * reference.weights).sum() / reference.weights.sum())
        return TokenMatch.of(precision, recall)

    def _token_weights(self, texts: list[str]) -> torch.Tensor:
        """The idf weight of each token of the vocabulary; all 0 without texts."""
        import torch

        rows = self._inputs(texts)["input_ids"] if texts else []
        counts = Counter(token for row in rows for token in set(row))
        vocabulary = range(self.model.get_input_embeddings().num_embeddings)
        return torch.tensor([math.log((len(rows) + 1) / (counts[token] + 1)) for token in vocabulary])


def _read_texts(file: Path) -> list[str]:
    try:
        texts = [line for line in text_content(file).splitlines() if line.strip()]
    except InputError as error:
        raise ResourceError(f"{error}; name a text file in UTF-8, a text a line") from error
    if not texts:
        raise ResourceError(f"{file} has no text to count tokens in; give it one a line")
    return texts


_encoder = lru_cache(maxsize=2)(BertEncoder)
LARGEST_BASELINES = 1 << 20
"""Bytes of a file of baselines: a line for each layer."""


def _matcher(parts: Parts) -> TokenMatcher | None:
    """A matcher with the language's own encoder, if it has one; the metrics of a scorer share its cache."""
    return None if parts.token_encoder is None else TokenMatcher(parts.token_encoder, parts.segmenter)


@lru_cache(maxsize=16)
def read_baseline(file: Path, layer: int) -> TokenMatch:
    """The scores of unrelated texts, 0-100, from one of the authors' files, which begin with ``LAYER,P,R,F``."""
    try:
        lines = csv.DictReader(text_content(file, LARGEST_BASELINES).splitlines())
        rows = {int(row["LAYER"]): [100 * float(row[part]) for part in "PRF"] for row in lines}
    except (csv.Error, KeyError, TypeError, ValueError) as error:
        raise ResourceError(
            f"{file} is no file of BERTScore's baselines ({type(error).__name__}: {error}); it begins with LAYER,P,R,F"
        ) from error
    if layer not in rows:
        raise ResourceError(f"{file} has no layer {layer}; is it the file of this encoder?")
    return TokenMatch(*rows[layer])


class BertScore(MeanMetric):
    """One of the three scores; ``baseline`` makes it 100 (score - b) / (100 - b), b that of unrelated texts.

    Raises:
        ResourceError: the language has no encoder and none was given, a file or folder has the wrong content, or torch
            or transformers is not installed.
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
        idf: Annotated[Path | None, "texts, one a line (all references): tokens in few of them count more"] = None,
        baseline: Annotated[
            Path | None, "the authors' file of the encoder's baselines, by which scores are spread"
        ] = None,
    ) -> None:
        self._model, self._idf, self._baseline = model, idf, baseline
        self._matcher: TokenMatcher | None = None
        if model is None and (idf or baseline) is not None:
            raise UsageError(
                f"{self.name}: idf and baseline belong to a model of your own; name its folder with 'model'"
            )
        if baseline is not None:
            self.range = (-math.inf, 100.0)

    @property
    def encoder(self) -> BertEncoder | TokenMatcher:
        """The encoder in use."""
        if self._model is not None:
            return _encoder(str(self._model), self._idf)
        if self._matcher is None:
            raise ResourceError(
                f"{self.name} needs an encoder; set its option 'model' to a Hugging Face model's folder"
            )
        return self._matcher

    def bind(self, parts: Parts) -> Self:
        """The metric itself, its files checked; without ``model``, a copy with the language's own encoder."""
        if self._model is not None:
            self.encoder, self._base  # noqa: B018 - fail now, not after an hour of scoring
            return self
        bound = copy(self)
        bound._matcher = parts.once(_matcher)
        bound.encoder  # noqa: B018
        return bound

    @property
    def signature(self) -> str:
        if self._model is None:
            return "model=none" if self._matcher is None else f"model={self._matcher.signature},refs=best-of-each"
        idf = "no" if self._idf is None else f"sha256:{digest_of(self._idf)}"
        rescaled = "no" if self._baseline is None else f"{self._base:.2f}+{digest_of(self._baseline)}"
        encoder = _encoder(str(self._model), self._idf)
        return f"model={encoder.name},layer={encoder.layer},idf={idf},rescaled={rescaled},refs=best-of-each"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        require_references(self.name, items)
        triples = self.encoder.scores([(item.output.raw, item.references) for item in items])
        own, base = [getattr(score, self.part) for score in triples], self._base
        return own if base is None else [float(100 * (score - base) / (100 - base)) for score in own]

    @property
    def _base(self) -> float | None:
        if self._baseline is None:
            return None
        layer = _encoder(str(self._model), self._idf).layer
        return float(getattr(read_baseline(self._baseline, layer), self.part))


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
