"""One tokenizer for each file, shared by all networks that read with it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@lru_cache(maxsize=8)
def tokenizer(file: Path) -> Tokenizer:
    """The tokenizer of a ``tokenizer.json``, without truncation and padding; it is shared, so do not change it."""
    from tokenizers import Tokenizer

    loaded = Tokenizer.from_file(str(file))
    loaded.no_truncation()
    loaded.no_padding()
    return loaded
