"""Hugging Face models from local folders that the user names for a metric; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from sema.errors import ResourceError, required
from sema.runtime.checksums import digest_of


class LocalModel:
    """A model with its tokenizer, on the GPU if there is one.

    Args:
        folder: the model's folder.
        kind: the class of ``transformers`` that loads it (``AutoModel``).
        what: what it should hold, for errors (``encoder``).

    Attributes:
        length: the most tokens that it reads of a text.
        name: the folder's name and a digest of its files, for signatures.
    """

    def __init__(self, folder: str, kind: str, what: str) -> None:
        if not (Path(folder) / "config.json").is_file():
            raise ResourceError(f"{folder} is not a folder with a Hugging Face {what}: it has no config.json")
        torch, transformers = required("torch"), required("transformers")
        try:
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self.model = getattr(transformers, kind).from_pretrained(folder, local_files_only=True).eval()
        except Exception as error:  # whatever lies in the folder: files that are missing, damaged or not safe to load
            reason = str(error).strip().partition("\n")[0]
            raise ResourceError(
                f"{folder} is not a folder with a Hugging Face {what} and its tokenizer that can be loaded safely "
                f"({type(error).__name__}: {reason})"
            ) from error
        self.name = f"{Path(folder).resolve().name}+{digest_of(Path(folder))}"
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model.to(self.device)
        tables = [part for name, part in self.model.named_modules() if name.endswith("position_embeddings")]
        padding = [place for part in tables if (place := getattr(part, "padding_idx", None)) is not None]
        room = getattr(self.model.config, "max_position_embeddings", 512)
        # as in RoBERTa, positions start after that of padding where there is one
        self.length = min(self.tokenizer.model_max_length, room - max(padding, default=-1) - 1)


def by_length(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    """The texts in batches of ``size``, short ones first, so that little of a batch is padding."""
    ordered = sorted(texts, key=len)
    return (ordered[start : start + size] for start in range(0, len(ordered), size))
