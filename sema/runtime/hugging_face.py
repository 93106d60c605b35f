"""Hugging Face models from local folders that the user names for a metric; nothing is downloaded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sema.errors import ResourceError, required
from sema.runtime.checksums import digest_of

LOCAL = {"local_files_only": True, "trust_remote_code": False}
"""How models are loaded: nothing is downloaded, and no code in the folder is run."""


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
            with _without_progress(transformers):
                self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **LOCAL)
                model, loaded = getattr(transformers, kind).from_pretrained(
                    folder, **LOCAL, ignore_mismatched_sizes=True, output_loading_info=True
                )
            if set(self.tokenizer.get_vocab()) <= set(self.tokenizer.all_special_tokens):
                raise ValueError("it has no tokenizer")
            # no result depends on the pooler of an encoder; other weights that are not there would be random
            if lacking := sorted(key for key in loaded["missing_keys"] if "pooler" not in key):
                raise ValueError(f"it has no weights for {lacking[0]}")
            if others := sorted(name for name, *_ in loaded["mismatched_keys"]):
                raise ValueError(f"the sizes of its weights are not those of its config.json: {others[0]}")
        except Exception as error:  # whatever lies in the folder: files that are missing, damaged or not safe to load
            raise ResourceError(
                f"{folder} is not a folder with a Hugging Face {what} and its tokenizer that can be loaded safely "
                f"({_reason(error, Path(folder))})"
            ) from error
        self.model = model.eval()
        self.name = f"{Path(folder).resolve().name}+{digest_of(Path(folder))}"
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model.to(self.device)
        tables = [part for name, part in self.model.named_modules() if name.endswith("position_embeddings")]
        padding = [place for part in tables if (place := getattr(part, "padding_idx", None)) is not None]
        room = max(0, getattr(self.model.config, "max_position_embeddings", 0)) or 512
        # as in RoBERTa, positions start after that of padding where there is one
        self.length = min(self.tokenizer.model_max_length, room - max(padding, default=-1) - 1)


def _reason(error: Exception, folder: Path) -> str:
    """Why a model cannot be loaded, on one line."""
    with suppress(ValueError):
        if "auto_map" in json.loads((folder / "config.json").read_text(encoding="utf-8")):
            return "it needs code of its own, which is never run; choose a model that transformers knows"
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"


@contextmanager
def _without_progress(transformers: Any) -> Iterator[None]:
    """Within the block, nothing is printed while models are loaded."""
    logging = transformers.utils.logging
    shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()


def by_length(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    """The texts in batches of ``size``, short ones first, so that little of a batch is padding."""
    ordered = sorted(texts, key=len)
    return (ordered[start : start + size] for start in range(0, len(ordered), size))
