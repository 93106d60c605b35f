"""Hugging Face networks with random weights, small enough to make in a test."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def tiny_bert(folder: Path, words: Sequence[str], *, kind: str = "BertModel", longest: int = 24, **more: Any) -> Path:
    """A folder with a BERT of two small layers, and a tokenizer that knows these pieces."""
    import torch
    import transformers

    torch.manual_seed(0)
    pieces = [*SPECIAL, *words]
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=longest,
        **more,
    )
    getattr(transformers, kind)(config).save_pretrained(folder)
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    transformers.BertTokenizerFast(vocab=vocabulary, model_max_length=longest).save_pretrained(folder)
    return folder
