"""BERTScore on any local Hugging Face encoder (Zhang et al., ICLR 2020): greedy cosine matching of token vectors.

Of several references each of the three scores takes its own best, as the paper's program does. Without idf weights and
without rescaling, so values lie close together and near the top; 0-100, and 0 for an empty text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

from sema.errors import ResourceError, missing_package
from sema.metrics.base import NETWORK_DECIMALS, Item, MeanMetric, Need, require_references

if TYPE_CHECKING:
    import torch

    from sema.model.language import Parts

BATCH = 64
KNOWN_SCORES = 1 << 14
"""How many outputs with their references one encoder remembers: the three metrics ask for the same ones."""
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


Texts = tuple[str, tuple[str, ...]]
"""An output and its references."""


class Encoder:
    """A Hugging Face encoder from a local folder, with what it scored last.

    Raises:
        ResourceError: the folder holds no model, or torch or transformers is not installed.
    """

    def __init__(self, folder: str) -> None:
        try:
            import torch
            from transformers import AutoModel, AutoTokenizer
        except ImportError as error:
            raise missing_package("torch") from error
        try:
            self.tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self.model = AutoModel.from_pretrained(folder, local_files_only=True).eval()
        except Exception as error:  # whatever lies in the folder: files that are missing, damaged or not safe to load
            reason = str(error).strip().partition("\n")[0]
            raise ResourceError(
                f"{folder} is not a folder with a Hugging Face encoder and its tokenizer that can be loaded safely "
                f"({type(error).__name__}: {reason})"
            ) from error
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model.to(self.device)
        config = self.model.config
        self.layer = KNOWN_LAYERS.get((config.model_type, config.num_hidden_layers), config.num_hidden_layers)
        room = getattr(config, "max_position_embeddings", 512) - getattr(config, "pad_token_id", 0) - 1
        self.length = min(self.tokenizer.model_max_length, room)
        self._known: dict[Texts, TokenMatch] = {}

    def scores(self, pairs: Sequence[Texts]) -> list[TokenMatch]:
        """The scores of outputs against their references; every different text is encoded once in a call."""
        found = {pair: self._known[pair] for pair in pairs if pair in self._known}
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in found]
        texts = dict.fromkeys(text for output, references in fresh for text in (output, *references))
        vectors = self._encode(list(texts))
        for output, references in fresh:
            matches = [_match(vectors[output], vectors[reference]) for reference in references]
            found[output, references] = TokenMatch(*map(max, zip(*matches, strict=True)))
        if len(self._known) + len(fresh) > KNOWN_SCORES:
            self._known.clear()
        if len(found) <= KNOWN_SCORES:
            self._known.update(found)
        return [found[pair] for pair in pairs]

    def _encode(self, texts: list[str]) -> dict[str, torch.Tensor]:
        """Unit vectors of every text's tokens, special ones left out: (tokens, dimensions)."""
        import torch

        vectors = {}
        by_length = sorted(texts, key=len)
        for start in range(0, len(texts), BATCH):
            batch = by_length[start : start + BATCH]
            inputs = self.tokenizer(
                batch,
                padding=True,
                truncation=True,
                max_length=self.length,
                return_tensors="pt",
                return_special_tokens_mask=True,
            )
            kept = inputs.pop("special_tokens_mask") == 0
            with torch.inference_mode():
                layers = self.model(**inputs.to(self.device), output_hidden_states=True).hidden_states
            states = torch.nn.functional.normalize(layers[self.layer].float(), dim=-1).cpu()
            vectors.update({text: state[mask] for text, state, mask in zip(batch, states, kept, strict=True)})
        return vectors


def _match(output: torch.Tensor, reference: torch.Tensor) -> TokenMatch:
    if not len(output) or not len(reference):
        return TokenMatch(0.0, 0.0, 0.0)
    similar = output @ reference.T
    precision, recall = float(similar.amax(1).mean()), float(similar.amax(0).mean())
    f1 = 200 * precision * recall / (precision + recall) if precision > 0 and recall > 0 else 0.0
    return TokenMatch(100 * precision, 100 * recall, f1)


@lru_cache(maxsize=2)
def _encoder(folder: str) -> Encoder:
    return Encoder(folder)


class BertScore(MeanMetric):
    """One of the three scores."""

    decimals = NETWORK_DECIMALS

    requires = frozenset({Need.REFERENCES})
    part: str

    def __init__(
        self, *, model: Annotated[Path | None, "folder with a Hugging Face encoder and its tokenizer"] = None
    ) -> None:
        self._model = model

    @property
    def folder(self) -> str:
        """The encoder's folder.

        Raises:
            ResourceError: none was given.
        """
        if self._model is None:
            raise ResourceError(
                f"{self.name} needs an encoder; set its option 'model' to a Hugging Face model's folder"
            )
        return str(self._model)

    def bind(self, parts: Parts) -> Self:
        """Itself.

        Raises:
            ResourceError: no encoder was given, or its folder holds none.
        """
        _encoder(self.folder)
        return self

    @property
    def signature(self) -> str:
        """The model, its layer, and the settings that never change."""
        if self._model is None:
            return "model=none"
        layer = _encoder(self.folder).layer
        return f"model={self._model.resolve().name},layer={layer},idf=no,rescaled=no,refs=best-of-each"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The score of every item."""
        require_references(self.name, items)
        found = _encoder(self.folder).scores([(item.output.raw, item.references) for item in items])
        return [float(getattr(score, self.part)) for score in found]


class BertScoreP(BertScore):
    """Precision."""

    name = "bertscore_p"
    description = "precision of matching token vectors (BERTScore; needs a model)"
    range = (-100.0, 100.0)
    part = "precision"


class BertScoreR(BertScore):
    """Recall."""

    name = "bertscore_r"
    description = "recall of matching token vectors (BERTScore; needs a model)"
    range = (-100.0, 100.0)
    part = "recall"


class BertScoreF1(BertScore):
    """F1; 0 where precision or recall is not above 0."""

    name = "bertscore_f1"
    description = "f1 of matching token vectors (BERTScore; needs a model)"
    part = "f1"
