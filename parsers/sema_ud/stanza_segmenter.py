"""Sentences and words of any language that Stanza's tokenizer is installed for."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from sema.model.text import Text, Token
from sema.runtime.threads import torch_threads
from sema_ud.models import find_models
from sema_ud.stanza_provider import tokenizing_pipeline


class StanzaSegmenter:
    """A segmenter by Stanza. The words of a multiword token (French *du*) all have the offsets of that token."""

    def __init__(self, language: str, *, threads: int | None = None) -> None:
        """``language`` is Stanza's code; the models are loaded when first needed."""
        self.models = find_models(language)
        self.threads = threads
        self.signature = f"stanza:{version('stanza')}:{language}:{self.models.fingerprint}"

    def segment(self, texts: Sequence[str]) -> list[Text]:
        """Segment each text; white space alone gives a ``Text`` without tokens."""
        pipeline = tokenizing_pipeline(self.models, split=True)
        with torch_threads(self.threads):
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
