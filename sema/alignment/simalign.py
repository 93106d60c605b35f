"""SimAlign (Jalili Sabet et al., Findings of EMNLP 2020) as aligners of any language, over any Hugging Face encoder.

The package ``simalign`` loads the model and matches. This module encodes sentences in batches, repeated ones once, and
gives links their kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from sema.alignment.relations import WordRelations
from sema.errors import ResourceError, UnknownNameError, missing_package
from sema.model.language import Factory
from sema.model.lexicon import Lexicon
from sema.model.links import Aligner, Link, LinkKind, Pair
from sema.plugins import load
from sema.runtime.checksums import digest_of
from sema.runtime.threads import torch_threads

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

METHODS = ("inter", "itermax", "mwmf")
_CHUNK = 64
_BATCH = 16

Words = tuple[str, ...]


class Pieces(NamedTuple):
    """A sentence's subwords: their vectors (pieces, hidden size), and for each the index of its word."""

    vectors: NDArray[float32]
    words: list[int]


def simalign_aligners(relations: Factory[WordRelations]) -> dict[str, Factory[Aligner]]:
    """``simalign`` (mutual nearest neighbours), ``simalign-itermax`` and ``simalign-mwmf``, by name.

    ``relations``, a function or its import path, gives the language's word relations over its lexicon; they decide the
    links' kinds.
    """

    def factory(method: str) -> Factory[Aligner]:
        def build(
            *,
            lexicon: Lexicon | None = None,
            model: Annotated[Path | None, "folder of a Hugging Face encoder with its tokenizer; must be given"] = None,
            layer: Annotated[int, "hidden layer to take, from 0 (the embeddings) on"] = 8,
            threads: Annotated[int | None, "threads of the encoder; none: one"] = None,
        ) -> Aligner:
            if model is None:
                raise ResourceError("SimAlign needs the option model: the folder of a Hugging Face model and tokenizer")
            given = load(relations) if isinstance(relations, str) else relations
            return SimAlignAligner(str(model), method, layer=layer, relations=given(lexicon), threads=threads)

        return build

    return {"simalign": factory("inter"), "simalign-itermax": factory("itermax"), "simalign-mwmf": factory("mwmf")}


class SimAlignAligner:
    """Links words whose subwords' contextual vectors match (:class:`sema.model.links.Aligner`).

    A source word gets the most similar of its links. Numbers of different value are never linked. A sentence is cut at
    the model's longest input; words beyond it have no links.
    """

    def __init__(
        self,
        model_path: str | Path,
        method: str = "inter",
        *,
        layer: int = 8,
        relations: WordRelations | None = None,
        threads: int | None = None,
    ) -> None:
        """Load a model from a folder, or by its name from the local Hugging Face cache; nothing is downloaded.

        ``method`` is ``inter`` (mutual nearest neighbours, the most precise), ``itermax`` or ``mwmf`` (maximum weight
        matching). ``layer`` is the hidden layer to take, from 0 (the embeddings) on; the paper's choice for BERT is 8.
        Kinds of links come from ``relations``. ``threads`` limits torch's while sentences are encoded
        (:func:`sema.runtime.threads.torch_threads`).
        """
        if method not in METHODS:
            raise UnknownNameError("SimAlign method", method, list(METHODS))
        self._method = method
        self._layer = layer
        self._threads = threads
        self._relations = relations or WordRelations()
        self._matcher, folder = _load(model_path, layer)
        name = f"{Path(model_path).name}+{digest_of(folder)}"
        self.signature = f"simalign|{name}|layer:{layer}|{method}|{self._relations.signature}"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of each pair, ascending by source index; at most one link a source token."""
        sentences = [(tuple(source), tuple(output)) for source, output in pairs]
        results: list[list[Link]] = []
        known: dict[Words, Pieces] = {}
        for start in range(0, len(sentences), _CHUNK):
            chunk = sentences[start : start + _CHUNK]
            wanted = dict.fromkeys(sentence for pair in chunk for sentence in pair if sentence)
            known = {sentence: known[sentence] for sentence in wanted if sentence in known}
            known.update(self._encode([sentence for sentence in wanted if sentence not in known]))
            results += [
                self._link(source, output, known[source], known[output]) if source and output else []
                for source, output in chunk
            ]
        return results

    def _encode(self, sentences: list[Words]) -> Iterator[tuple[Words, Pieces]]:
        """Encode sentences in batches of similar length, so that there is little padding."""
        import torch

        loader = self._matcher.embed_loader
        sentences.sort(key=len)
        for start in range(0, len(sentences), _BATCH):
            batch = sentences[start : start + _BATCH]
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
                yield words, Pieces(hidden[row, kept].cpu().numpy(), [owners[place] for place in kept])

    def _link(self, source: Words, output: Words, first: Pieces, second: Pieces) -> list[Link]:
        if not first.words or not second.words:
            return []
        similarity = self._matcher.get_similarity(first.vectors, second.vectors)
        if self._method == "mwmf":
            matched = self._matcher.get_max_weight_match(similarity)
        else:  # the first round of itermax is inter
            matched = self._matcher.iter_max(similarity, 1 if self._method == "inter" else 2)
        best: dict[int, tuple[float, int, LinkKind]] = {}
        for row, column in zip(*matched.nonzero(), strict=True):
            i, j = first.words[row], second.words[column]
            if kind := self._relations.classify(source[i], output[j]):
                found = float(similarity[row, column]), j, kind
                best[i] = max(best.get(i, found), found)
        return [Link(i, j, kind) for i, (_, j, kind) in sorted(best.items())]


def _load(model_path: str | Path, layer: int) -> tuple[Any, Path]:
    try:
        from huggingface_hub import snapshot_download
        from simalign import SentenceAligner
    except ImportError as error:
        raise missing_package("simalign") from error
    try:
        # An absolute path: simalign takes the name "bert" for a model of the hub even if a folder has that name.
        folder = Path(model_path)
        path = str(folder.resolve()) if folder.is_dir() else snapshot_download(str(model_path), local_files_only=True)
        matcher = SentenceAligner(model=path, token_type="bpe", device="cpu", layer=layer)
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
    return matcher, Path(path)
