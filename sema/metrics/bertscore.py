"""BERTScore on any local Hugging Face encoder (Zhang et al., ICLR 2020): greedy cosine matching of token vectors.

Of several references the one with the best F1 gives all three scores (the protocol of the ``bert_score`` command takes
each score's own best). Without idf weights and without rescaling, so values lie close together and near the top; 0-100,
and 0 for an empty text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sema.errors import ResourceError
from sema.metrics.base import Item, MetricOptions, MetricScores, Registration
from sema.metrics.function_metric import Compute, register

if TYPE_CHECKING:
    import torch

BATCH = 64
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


class BertScore(NamedTuple):
    """Precision, recall and F1, 0-100."""

    precision: float
    recall: float
    f1: float


class Encoder:
    """A Hugging Face encoder from a local folder, with what it has scored.

    Raises:
        ResourceError: the folder holds no model, or torch or transformers is not installed.
    """

    def __init__(self, folder: str) -> None:
        try:
            import torch
            from transformers import AutoModel, AutoTokenizer
        except ImportError as error:
            raise ResourceError("BERTScore needs torch and transformers: pip install torch transformers") from error
        try:
            self.tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self.model = AutoModel.from_pretrained(folder, local_files_only=True).eval()
        except (OSError, ValueError) as error:
            raise ResourceError(f"{folder} is not a folder with a Hugging Face encoder and its tokenizer") from error
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model.to(self.device)
        config = self.model.config
        self.layer = KNOWN_LAYERS.get((config.model_type, config.num_hidden_layers), config.num_hidden_layers)
        room = getattr(config, "max_position_embeddings", 512) - getattr(config, "pad_token_id", 0) - 1
        self.length = min(self.tokenizer.model_max_length, room)
        self._scores: dict[tuple[str, tuple[str, ...]], BertScore] = {}

    def scores(self, pairs: Sequence[tuple[str, tuple[str, ...]]]) -> list[BertScore]:
        """The scores of outputs against their references; every different text is encoded once a call."""
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self._scores]
        texts = dict.fromkeys(text for output, references in fresh for text in (output, *references))
        vectors = self._encode(list(texts))
        for output, references in fresh:
            found = [_match(vectors[output], vectors[reference]) for reference in references]
            self._scores[output, references] = max(found, key=lambda score: score.f1)
        return [self._scores[pair] for pair in pairs]

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


def _match(output: torch.Tensor, reference: torch.Tensor) -> BertScore:
    if not len(output) or not len(reference):
        return BertScore(0.0, 0.0, 0.0)
    similar = output @ reference.T
    precision, recall = float(similar.amax(1).mean()), float(similar.amax(0).mean())
    total = precision + recall
    return BertScore(100 * precision, 100 * recall, 200 * precision * recall / total if total > 0 else 0.0)


@lru_cache(maxsize=2)
def _encoder(folder: str) -> Encoder:
    return Encoder(folder)


def _compute(folder: str, part: str, items: Sequence[Item]) -> MetricScores:
    found = _encoder(folder).scores([(item.output.raw, item.references) for item in items])
    return MetricScores.averaged(float(getattr(score, part)) for score in found)


def _build(part: str) -> Callable[[MetricOptions], tuple[Compute, str]]:
    def build(options: MetricOptions) -> tuple[Compute, str]:
        folder = options.model
        if folder is None:
            raise ResourceError(
                "BERTScore needs an encoder: --bertscore-model FOLDER (a Hugging Face model and its tokenizer)"
            )
        layer = _encoder(folder).layer
        return partial(_compute, folder, part), f"model={Path(folder).resolve().name},layer={layer},idf=no,rescaled=no"

    return build


def registrations() -> dict[str, Registration]:
    """Precision, recall and F1 for the registry."""
    entries: dict[str, Registration] = {}
    for name, part in (("bertscore_p", "precision"), ("bertscore_r", "recall"), ("bertscore_f1", "f1")):
        entries |= register(
            name, f"{part} of matching token vectors (BERTScore; needs a model)", _build(part), needs_references=True
        )
    return entries
