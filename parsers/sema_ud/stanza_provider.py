"""Stanza's tokenizer, tagger and parser: offline, batched, one pipeline for each process.

Stanza: Qi et al. (ACL 2020), https://stanfordnlp.github.io/stanza/
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from sema.errors import ResourceError, one_line
from sema.runtime.threads import torch_threads
from sema_ud.long_sentences import Parse, cut, joined
from sema_ud.models import ModelSet, find_models, install
from sema_ud.trees import DependencyTree

__all__ = ["StanzaProvider", "install"]

BATCH_TOKENS = 4000


class StanzaProvider:
    """Dependency trees from Stanza's tagger and parser, for tokenized sentences."""

    def __init__(self, language: str, *, threads: int | None = None) -> None:
        """Choose the models; they are loaded when first needed. ``threads``: torch's (default: one)."""
        self.models = find_models(language, processors=("pos", "depparse"))
        self.threads = threads
        self.signature = f"stanza:{version('stanza')}:{language}:installed:{self.models.fingerprint}"

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """One tree for each sentence, with its own words, index for index; an empty sentence has an empty tree."""
        parts = [cut(sentence) for sentence in sentences]
        pieces = [part for some in parts for part in some]
        parses = iter(self._parses(pieces) if pieces else ())
        return [joined(some, [next(parses) for _ in some]) for some in parts]

    def _parses(self, pieces: list[list[str]]) -> list[Parse]:
        with torch_threads(self.threads):
            document = parsing_pipeline(self.models)(pieces)
        if [len(sentence.words) for sentence in document.sentences] != [len(piece) for piece in pieces]:
            raise ResourceError("Stanza returned other sentences or words than it was given")
        return [_parse(sentence.words) for sentence in document.sentences]


def _parse(words: Sequence[Any]) -> Parse:
    """The columns of a Stanza sentence."""
    return Parse(
        tuple(word.upos or "" for word in words),
        tuple(word.feats or "" for word in words),
        tuple(word.head for word in words),
        tuple(word.deprel or "" for word in words),
    )


@lru_cache(maxsize=4)
def parsing_pipeline(models: ModelSet) -> Any:
    """Stanza's pipeline from tokens to trees; one for each process and model set."""
    return _pipeline(models, "tokenize,pos,lemma,depparse", tokenize_pretokenized=True)


@lru_cache(maxsize=4)
def tokenizing_pipeline(models: ModelSet, *, split: bool) -> Any:
    """Stanza's tokenizer; without ``split`` each text it is given is one sentence."""
    return _pipeline(models, "tokenize", tokenize_no_ssplit=not split)  # Stanza adds mwt where a language has it


def _pipeline(models: ModelSet, processors: str, **options: Any) -> Any:
    import stanza

    logging.getLogger("stanza").setLevel(logging.ERROR)
    options |= {
        "download_method": None,
        "use_gpu": False,
        "logging_level": "ERROR",
        "pos_batch_maximum_tokens": BATCH_TOKENS,
        "depparse_batch_size": BATCH_TOKENS,
    }
    try:
        return stanza.Pipeline(models.language, dir=str(models.folder.parent), processors=processors, **options)
    except Exception as error:  # a broken installation raises many kinds of errors
        raise ResourceError(
            f"Stanza's models for {models.language!r} in {models.folder} cannot be loaded ({one_line(error)}); "
            f"run 'sema models install {models.language}' again"
        ) from error
