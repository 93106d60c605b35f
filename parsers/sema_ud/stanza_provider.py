"""The user's Stanza installation: its models, and a segmenter and trees by them, offline and in batches.

Stanza: Qi et al. (ACL 2020), https://stanfordnlp.github.io/stanza/
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sema.errors import ResourceError, described, missing_package, one_line
from sema.languages import check_code
from sema.model.text import Text, Token
from sema.runtime.checksums import digest_of
from sema.runtime.threads import torch_threads
from sema_ud.trees import DependencyTree, Parse, cut, joined

PROCESSORS = ("tokenize", "pos", "depparse")
BATCH_TOKENS = 4000


def resources_folder() -> Path:
    """Where Stanza keeps downloaded models: ``STANZA_RESOURCES_DIR``, by default ``~/stanza_resources``."""
    return Path(os.environ.get("STANZA_RESOURCES_DIR") or os.path.expanduser("~/stanza_resources"))


def find_models(language: str) -> Path:
    """The folder of a language, by Stanza's code; if it has no models, ``ResourceError`` says how to get them."""
    installed = resources_folder() / check_code(language)
    if _is_installed(installed):
        return installed
    _stanza()  # without it nothing installs models, so that comes first
    raise ResourceError(
        f"Stanza has no models for {language!r} in {resources_folder()}; "
        f"run 'sema models install {language}' while online"
    )


def install(language: str) -> str:
    """Download Stanza's default models for a language into ``resources_folder()``; returns a sentence for the user."""
    check_code(language)
    folder = resources_folder()
    stanza = _stanza()
    try:
        stanza.download(language, model_dir=str(folder), verbose=False)
    except Exception as error:  # any network error becomes one sentence for the user
        raise ResourceError(
            f"Stanza's models for {language!r} could not be downloaded ({described(error)}); "
            "check the language code and the connection"
        ) from error
    if not _is_installed(folder / language):
        raise ResourceError(f"Stanza offers no tokenizer, tagger and parser for {language!r}")
    return f"Stanza's models for {language!r} are in {folder / language}"


def _stanza() -> Any:
    try:
        import stanza
    except ImportError as error:
        raise missing_package("stanza") from error
    return stanza


def _is_installed(folder: Path) -> bool:
    return (folder.parent / "resources.json").is_file() and all(
        any((folder / processor).glob("*.pt")) for processor in PROCESSORS
    )


def _signature(models: Path, kind: str = "") -> str:
    return f"stanza:{version('stanza')}:{models.name}:{kind}{digest_of(*sorted(models.glob('*/*.pt')))}"


class StanzaSegmenter:
    """A segmenter by Stanza. The words of a multiword token (French *du*) all have the offsets of that token."""

    def __init__(self, language: str, *, threads: int | None = None) -> None:
        """Arguments as for :class:`StanzaProvider`."""
        self.models = find_models(language)
        self.threads = threads
        self.signature = _signature(self.models)

    def segment(self, texts: Sequence[str]) -> list[Text]:
        """Segment each text; white space alone gives a ``Text`` without tokens."""
        with torch_threads(self.threads):
            pipeline = _pipeline(self.models, "tokenize")  # Stanza adds mwt where a language has it
            documents = iter(pipeline.bulk_process([text for text in texts if text.strip()]))
        return [_text(text, next(documents)) if text.strip() else Text(text, (), ()) for text in texts]


def _text(raw: str, document: Any) -> Text:
    tokens: list[Token] = []
    spans = []
    for sentence in document.sentences:
        first = len(tokens)
        for token in sentence.tokens:
            tokens.extend(Token(word.text, token.start_char, token.end_char) for word in token.words)
        spans.append((first, len(tokens)))
    return Text(raw, tuple(tokens), tuple(spans))


class StanzaProvider:
    """Dependency trees from Stanza's tagger and parser, for tokenized sentences."""

    def __init__(self, language: str, *, threads: int | None = None) -> None:
        """Choose the models; they are loaded when first needed. ``threads``: torch's (default: one)."""
        self.models = find_models(language)
        self.threads = threads
        self.signature = _signature(self.models, "installed:")

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """One tree for each sentence, with its own words, index for index; an empty sentence has an empty tree."""
        parts = [cut(sentence) for sentence in sentences]
        pieces = [part for some in parts for part in some]
        parses = iter(self._parses(pieces) if pieces else ())
        return [joined(some, [next(parses) for _ in some]) for some in parts]

    def _parses(self, pieces: list[list[str]]) -> list[Parse]:
        with torch_threads(self.threads):
            document = _pipeline(self.models, "tokenize,pos,lemma,depparse")(pieces)
        if [len(sentence.words) for sentence in document.sentences] != [len(piece) for piece in pieces]:
            raise ResourceError("Stanza returned other sentences or words than it was given")
        return [
            Parse(
                tuple(word.upos or "" for word in sentence.words),
                tuple(word.feats or "" for word in sentence.words),
                tuple(word.head for word in sentence.words),
                tuple(word.deprel or "" for word in sentence.words),
            )
            for sentence in document.sentences
        ]


@lru_cache(maxsize=8)
def _pipeline(models: Path, processors: str) -> Any:
    """Stanza's pipeline from raw texts to tokens, or from tokens to trees; one for each process and language."""
    logging.getLogger("stanza").setLevel(logging.ERROR)
    try:
        return _stanza().Pipeline(
            models.name,
            dir=str(models.parent),
            processors=processors,
            tokenize_pretokenized="depparse" in processors,
            download_method=None,
            use_gpu=False,
            logging_level="ERROR",
            pos_batch_maximum_tokens=BATCH_TOKENS,
            depparse_batch_size=BATCH_TOKENS,
        )
    except Exception as error:  # a broken installation raises many kinds of errors
        raise ResourceError(
            f"Stanza's models for {models.name!r} in {models} cannot be loaded ({one_line(error)}); "
            f"run 'sema models install {models.name}' again"
        ) from error
