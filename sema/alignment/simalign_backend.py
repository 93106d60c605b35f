"""SimAlign (Jalili Sabet et al., Findings of EMNLP 2020) as an aligner, for any of Hugging Face's encoders.

The package ``simalign`` loads the model and matches; here whole chunks of sentences are encoded at once, a repeated
sentence once, and links get their kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sema.alignment.relations import WordRelations
from sema.errors import ResourceError, UnknownNameError, missing_package
from sema.model.links import Link, Pair
from sema.runtime.threads import torch_threads

Words = tuple[str, ...]
Pieces = tuple[npt.NDArray[np.float32], list[int]]
"""A sentence's subword vectors, shape (pieces, hidden size), and the word that each piece belongs to."""

METHODS = {"inter": "a", "itermax": "i", "mwmf": "m"}
"""The matching methods and simalign's letters for them."""

_CHUNK = 64


class SimAlignAligner:
    """Links words whose subwords' contextual vectors match (:class:`sema.alignment.Aligner`).

    ``method`` is ``inter`` (mutual nearest neighbours, the most precise), ``itermax`` or ``mwmf`` (maximum weight
    matching). A source word gets the most similar of its links. Kinds come from ``relations``; numbers of different
    value are never linked. A sentence is cut at the model's longest input; words beyond it have no links.
    """

    def __init__(
        self,
        model_path: str | Path,
        method: str = "inter",
        *,
        layer: int = 8,
        relations: WordRelations | None = None,
        device: str = "cpu",
        threads: int | None = None,
    ) -> None:
        """Load a model from a folder, or by its name from the local Hugging Face cache; nothing is downloaded.

        ``layer`` is the hidden layer to take, from 0 (the embeddings) on; the paper's choice for BERT is 8. ``threads``
        limits torch's while sentences are encoded (:func:`sema.runtime.threads.torch_threads`).
        """
        if method not in METHODS:
            raise UnknownNameError("SimAlign method", method, list(METHODS))
        self._method = method
        self._layer = layer
        self._threads = threads
        self._relations = relations or WordRelations()
        self._matcher = _load(model_path, METHODS[method], layer, device)
        name = Path(model_path).name
        self.signature = f"simalign|{name}|layer:{layer}|{method}|{self._relations.signature}"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of each pair, ascending by source index; at most one link a source token."""
        sentences = [(tuple(source), tuple(output)) for source, output in pairs]
        results: list[list[Link]] = []
        vectors: dict[Words, Pieces] = {}
        for start in range(0, len(sentences), _CHUNK):
            chunk = sentences[start : start + _CHUNK]
            wanted = dict.fromkeys(sentence for pair in chunk for sentence in pair if sentence)
            vectors = {sentence: vectors[sentence] for sentence in wanted if sentence in vectors}
            vectors.update(self._encode([sentence for sentence in wanted if sentence not in vectors]))
            results += [
                self._link(source, output, vectors[source], vectors[output]) if source and output else []
                for source, output in chunk
            ]
        return results

    def _encode(self, sentences: list[Words]) -> Iterable[tuple[Words, Pieces]]:
        """Sentences of like length together, so that little of a batch is padding."""
        import torch

        loader = self._matcher.embed_loader
        sentences.sort(key=len)
        for start in range(0, len(sentences), 16):
            batch = sentences[start : start + 16]
            inputs = loader.tokenizer(
                [list(words) for words in batch],
                is_split_into_words=True,
                padding=True,
                truncation=True,
                max_length=min(loader.tokenizer.model_max_length, loader.emb_model.config.max_position_embeddings),
                return_tensors="pt",
            )
            with torch_threads(self._threads), torch.no_grad():
                hidden = loader.emb_model(**inputs.to(loader.device))["hidden_states"][self._layer]
            for row, words in enumerate(batch):
                owners = inputs.word_ids(row)
                kept = [place for place, owner in enumerate(owners) if owner is not None]
                yield words, (hidden[row, kept].cpu().numpy(), [owners[place] for place in kept])

    def _link(self, source: Words, output: Words, first: Pieces, second: Pieces) -> list[Link]:
        if not first[1] or not second[1]:
            return []
        similarity = self._matcher.get_similarity(first[0], second[0])
        best: dict[int, tuple[float, int]] = {}
        for row, column in np.argwhere(self._match(similarity) > 0).tolist():
            i, j = first[1][row], second[1][column]
            if not self._relations.conflict(source[i], output[j]):
                best[i] = max(best.get(i, (-1.0, 0)), (float(similarity[row, column]), j))
        links = []
        for i, (_, j) in sorted(best.items()):
            kind = self._relations.classify(source[i], output[j])
            if kind is not None:
                links.append(Link(i, j, kind))
        return links

    def _match(self, similarity: npt.NDArray[np.float32]) -> npt.NDArray[Any]:
        if self._method == "mwmf":
            matched: npt.NDArray[Any] = self._matcher.get_max_weight_match(similarity)
        elif self._method == "itermax":
            matched = self._matcher.iter_max(similarity)
        else:
            forward, backward = self._matcher.get_alignment_matrix(similarity)
            matched = forward * backward
        return matched


def _load(model_path: str | Path, method: str, layer: int, device: str) -> Any:
    try:
        from huggingface_hub import snapshot_download
        from simalign import SentenceAligner
    except ImportError as error:
        raise missing_package("simalign") from error
    try:
        # A whole path: simalign takes the name "bert" for a model of the hub, also where a folder is called so.
        folder = Path(model_path)
        path = str(folder.resolve()) if folder.is_dir() else snapshot_download(str(model_path), local_files_only=True)
        matcher = SentenceAligner(model=path, token_type="bpe", matching_methods=method, device=device, layer=layer)
    except Exception as error:  # whatever lies in the folder: files that are missing, damaged or not safe to load
        raise ResourceError(
            f"cannot load the encoder {model_path} ({type(error).__name__}): name the folder of a Hugging Face model, "
            "or download it first"
        ) from error
    if not matcher.embed_loader.tokenizer.is_fast:
        raise ResourceError(f"the encoder {model_path} has no fast tokenizer (tokenizer.json); choose one that has")
    layers = matcher.embed_loader.emb_model.config.num_hidden_layers
    if not 0 <= layer <= layers:
        raise ResourceError(f"the encoder {model_path} has layers 0 to {layers}; layer {layer} does not exist")
    return matcher
