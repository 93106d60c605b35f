"""BERTScore on any local Hugging Face encoder (Zhang et al., ICLR 2020): greedy cosine matching of token vectors.

As in the authors' program the special tokens at the ends of a text may be partners but count nothing themselves, and of
several references each of the three scores takes its own best. Two options are theirs: ``idf`` weighs tokens by how few
texts have them, ``baseline`` spreads the scores, which lie close together near the top. Scores are 0-100 without
``baseline``, and 0 for an empty text.
"""

from __future__ import annotations

import csv
import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self

from sema.errors import ResourceError
from sema.metrics.base import NETWORK_DECIMALS, Item, MeanMetric, Need, require_references
from sema.runtime.hugging_face import LocalModel

if TYPE_CHECKING:
    import torch

    from sema.model.language import Parts

BATCH = 64
KNOWN_SCORES = 1 << 14
"""How many outputs with their references are remembered: the three metrics ask for the same ones."""
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


class Encoded(NamedTuple):
    """A text's tokens with the special ones: unit vectors (tokens, dimensions), and what each token counts (tokens)."""

    vectors: torch.Tensor
    weights: torch.Tensor


Texts = tuple[str, tuple[str, ...]]
"""An output and its references."""


class BertEncoder(LocalModel):
    """A Hugging Face encoder from a local folder, with what it scored last.

    Args:
        folder: holds the encoder and its tokenizer.
        idf: a file of texts, one a line: a token in few of them counts more, by log((texts + 1) / (texts with it + 1)).

    Raises:
        ResourceError: the folder holds no model, the file cannot be read, or torch or transformers is not installed.
    """

    def __init__(self, folder: str, idf: Path | None = None) -> None:
        super().__init__(folder, "AutoModel", "encoder")
        config = self.model.config
        self.layer = KNOWN_LAYERS.get((config.model_type, config.num_hidden_layers), config.num_hidden_layers)
        bare, spaced = self.tokenizer.tokenize("a"), self.tokenizer.tokenize(" a")
        self._before = " " if bare != spaced and len(bare) == len(spaced) else ""
        """What stands before a text, so that its first word is read as the same word further on is."""
        self._known: dict[Texts, TokenMatch] = {}
        self._counts: Counter[int] | None
        self._counts, self._texts = self._count(idf) if idf is not None else (None, 0)

    def scores(self, pairs: Sequence[Texts]) -> list[TokenMatch]:
        """The scores of outputs against their references; every different text is encoded once in a call."""
        found = {pair: self._known[pair] for pair in pairs if pair in self._known}
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in found]
        texts = dict.fromkeys(text for output, references in fresh for text in (output, *references))
        encoded = self._encode(list(texts))
        for output, references in fresh:
            matches = [_match(encoded[output], encoded[reference]) for reference in references]
            found[output, references] = TokenMatch(*map(max, zip(*matches, strict=True)))
        if len(self._known) + len(fresh) > KNOWN_SCORES:
            self._known.clear()
        if len(found) <= KNOWN_SCORES:
            self._known.update(found)
        return [found[pair] for pair in pairs]

    def _inputs(self, texts: list[str], **options: object) -> dict[str, Any]:
        cleaned = [self._before + text.strip() if text.strip() else "" for text in texts]
        inputs: dict[str, Any] = self.tokenizer(
            cleaned, truncation=True, max_length=self.length, return_special_tokens_mask=True, **options
        )
        return inputs

    def _encode(self, texts: list[str]) -> dict[str, Encoded]:
        import torch

        found = {}
        by_length = sorted(texts, key=len)
        for start in range(0, len(texts), BATCH):
            batch = by_length[start : start + BATCH]
            inputs = self._inputs(batch, padding=True, return_tensors="pt")
            special = inputs.pop("special_tokens_mask") == 1
            tokens, present = inputs["input_ids"], inputs["attention_mask"] == 1
            with torch.inference_mode():
                on_device = {name: values.to(self.device) for name, values in inputs.items()}
                layers = self.model(**on_device, output_hidden_states=True).hidden_states
            states = torch.nn.functional.normalize(layers[self.layer].float(), dim=-1).cpu()
            for row, text in enumerate(batch):
                kept = present[row]
                weights = self._weights(tokens[row, kept].tolist(), special[row, kept].tolist())
                found[text] = Encoded(states[row, kept], torch.tensor(weights))
        return found

    def _weights(self, tokens: list[int], special: list[bool]) -> list[float]:
        if self._counts is None:
            return [0.0 if end else 1.0 for end in special]
        count, total = self._counts, self._texts
        found = [
            0.0 if end else math.log((total + 1) / (count[token] + 1))
            for token, end in zip(tokens, special, strict=True)
        ]
        # Where every token is in every text of the file, all of them count alike.
        return found if any(found) else [0.0 if end else 1.0 for end in special]

    def _count(self, file: Path) -> tuple[Counter[int], int]:
        """In how many of a file's texts each token occurs, and how many texts there are."""
        try:
            texts = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        except (OSError, UnicodeError) as error:
            raise ResourceError(f"{file} cannot be read ({error}); name a text file in UTF-8, a text a line") from error
        if not texts:
            raise ResourceError(f"{file} has no text to count tokens in; give it one a line")
        rows = self._inputs(texts)["input_ids"]
        return Counter(token for row in rows for token in set(row)), len(texts)


def _match(output: Encoded, reference: Encoded) -> TokenMatch:
    if not output.weights.any() or not reference.weights.any():
        return TokenMatch(0.0, 0.0, 0.0)
    similar = output.vectors @ reference.vectors.T
    precision = float((similar.amax(1) * output.weights).sum() / output.weights.sum())
    recall = float((similar.amax(0) * reference.weights).sum() / reference.weights.sum())
    f1 = 200 * precision * recall / (precision + recall) if precision > 0 and recall > 0 else 0.0
    return TokenMatch(100 * precision, 100 * recall, f1)


@lru_cache(maxsize=2)
def _encoder(folder: str, idf: Path | None) -> BertEncoder:
    return BertEncoder(folder, idf)


@lru_cache(maxsize=16)
def read_baseline(file: Path, layer: int) -> TokenMatch:
    """The scores of texts that have nothing to do with each other, 0-100, from one of the authors' files.

    Its first line is ``LAYER,P,R,F``; the others have a layer and three scores from 0 to 1.

    Raises:
        ResourceError: the file cannot be read, or does not have the layer.
    """
    try:
        with file.open(encoding="utf-8", newline="") as lines:
            rows = {int(row["LAYER"]): [100 * float(row[part]) for part in "PRF"] for row in csv.DictReader(lines)}
    except (OSError, UnicodeError, KeyError, TypeError, ValueError) as error:
        raise ResourceError(
            f"{file} is no file of BERTScore's baselines ({type(error).__name__}: {error}); it begins with LAYER,P,R,F"
        ) from error
    if layer not in rows:
        raise ResourceError(f"{file} has no layer {layer}; is it the file of this encoder?")
    return TokenMatch(*rows[layer])


class BertScore(MeanMetric):
    """One of the three scores.

    With ``baseline`` a score x becomes (x - b) / (100 - b) of 100, where b is what unrelated texts score.
    """

    decimals = NETWORK_DECIMALS

    requires = frozenset({Need.REFERENCES})
    part: str

    def __init__(
        self,
        *,
        model: Annotated[Path | None, "folder with a Hugging Face encoder and its tokenizer"] = None,
        idf: Annotated[Path | None, "texts, one a line (all references): tokens in few of them count more"] = None,
        baseline: Annotated[
            Path | None, "the authors' file of the encoder's baselines, by which scores are spread"
        ] = None,
    ) -> None:
        self._model, self._idf, self._baseline = model, idf, baseline
        if baseline is not None:
            self.range = (-math.inf, 100.0)

    @property
    def encoder(self) -> BertEncoder:
        """The encoder at work.

        Raises:
            ResourceError: none was given, or its folder holds none.
        """
        if self._model is None:
            raise ResourceError(
                f"{self.name} needs an encoder; set its option 'model' to a Hugging Face model's folder"
            )
        return _encoder(str(self._model), self._idf)

    def bind(self, parts: Parts) -> Self:
        """Itself.

        Raises:
            ResourceError: no encoder was given, or a file or folder does not hold what it should.
        """
        self._rescaled(0.0)
        return self

    @property
    def signature(self) -> str:
        """The model, its layer, the texts that tokens were counted in, and the baseline."""
        if self._model is None:
            return "model=none"
        layer = self.encoder.layer
        idf, rescaled = "no", "no"
        if self._idf is not None:
            idf = f"sha256:{hashlib.sha256(self._idf.read_bytes()).hexdigest()[:12]}"
        if self._baseline is not None:
            rescaled = f"{getattr(read_baseline(self._baseline, layer), self.part):.2f}"
        return f"model={self._model.resolve().name},layer={layer},idf={idf},rescaled={rescaled},refs=best-of-each"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The score of every item."""
        require_references(self.name, items)
        found = self.encoder.scores([(item.output.raw, item.references) for item in items])
        return [self._rescaled(getattr(score, self.part)) for score in found]

    def _rescaled(self, score: float) -> float:
        layer = self.encoder.layer
        if self._baseline is None:
            return score
        base = getattr(read_baseline(self._baseline, layer), self.part)
        return float(100 * (score - base) / (100 - base))


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
