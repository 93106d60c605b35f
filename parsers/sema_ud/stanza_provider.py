"""Stanza's tokenizer, tagger and parser: offline, batched, one pipeline for each process.

Models that a package ships are run by :mod:`sema_ud.onnx_inference`: the same trees, in a fraction of the time and
without loading torch. An installation's are run by Stanza itself, which alone knows which files belong together.

Stanza: Qi et al. (ACL 2020), https://stanfordnlp.github.io/stanza/
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any, cast

from sema.errors import ResourceError, one_line
from sema.model.scene_graph import SceneGraph
from sema.runtime.threads import available_cores, torch_threads
from sema_ud.conventions import tree_rules
from sema_ud.extraction import PARTICIPANTS, ExtractionOptions, Heads, extract_scenes
from sema_ud.models import ModelSet, find_models, install
from sema_ud.onnx_inference.trees import Parse, tree_models
from sema_ud.trees import ROOT, DependencyTree, TreeProvider

__all__ = ["DependencyExtractor", "StanzaProvider", "install"]

MAX_WORDS = 200
"""A longer sentence is parsed in pieces, cut after punctuation where there is some: memory grows with the square."""
MIN_PIECE = 40
BATCH_TOKENS = 4000
FULL_STOPS = frozenset("，,；;：:。.！!？?、…")


class StanzaProvider:
    """Dependency trees from Stanza's tagger and parser, for sentences that are tokenized already."""

    def __init__(self, language: str, *, threads: int | None = None, prefer_shipped: bool = False) -> None:
        """Choose the models; they are loaded when first needed.

        ``threads``: batches computed in parallel (default: one for each core), torch's threads where Stanza runs
        (default: one).
        """
        self.models = find_models(language, prefer_shipped=prefer_shipped, processors=("pos", "depparse"))
        self.threads = threads
        origin = f"onnx:{language}:shipped" if self.models.shipped else f"{version('stanza')}:{language}:installed"
        self.signature = f"stanza:{origin}:{self.models.fingerprint}"

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """One tree for each sentence, with its own words, index for index; an empty sentence has an empty tree."""
        cut = [_cut(list(sentence)) for sentence in sentences]
        pieces = [piece for some in cut for piece in some]
        parses = iter(self._parses(pieces) if pieces else ())
        return [_join(some, [next(parses) for _ in some]) for some in cut]

    def _parses(self, pieces: list[list[str]]) -> list[Parse]:
        if self.models.shipped:
            return tree_models(self.models.folder).parse(pieces, threads=self.threads or available_cores())
        with torch_threads(self.threads):
            document = parsing_pipeline(self.models)(pieces)
        if [len(sentence.words) for sentence in document.sentences] != [len(piece) for piece in pieces]:
            raise ResourceError("Stanza returned other sentences or words than it was given")
        return [_parse(sentence.words) for sentence in document.sentences]


class DependencyExtractor:
    """A scene extractor: Stanza's trees, or another provider's, turned into Scenes by ``sema_ud.extraction``."""

    def __init__(
        self,
        language: str,
        *,
        heads: str = "clauses",
        participants: Collection[str] = PARTICIPANTS,
        threads: int | None = None,
        provider: TreeProvider | None = None,
    ) -> None:
        """``language`` is Stanza's code: of the models, where no ``provider`` is given, and of the rules for trees."""
        self.options = ExtractionOptions(cast(Heads, heads), participants, tree_rules(language))
        self.provider = provider or StanzaProvider(language, threads=threads)
        self.signature = f"ud({self.options.signature},{self.provider.signature})"

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        """One scene graph for each sentence; the graph's tokens are the sentence's, index for index."""
        return [extract_scenes(tree, self.options) for tree in self.provider.parse(sentences)]


def _cut(words: list[str]) -> list[list[str]]:
    """Pieces of at most ``MAX_WORDS`` words, cut after the last mark that leaves a piece of some length."""
    pieces = []
    while len(words) > MAX_WORDS:
        end = next((at for at in range(MAX_WORDS, MIN_PIECE, -1) if words[at - 1] in FULL_STOPS), MAX_WORDS)
        pieces.append(words[:end])
        words = words[end:]
    return [*pieces, words] if words else pieces


def _parse(words: Sequence[Any]) -> Parse:
    """The columns of a Stanza sentence."""
    return Parse(
        tuple(word.upos or "" for word in words),
        tuple(word.feats or "" for word in words),
        tuple(word.head for word in words),
        tuple(word.deprel or "" for word in words),
    )


def _join(pieces: list[list[str]], parses: Sequence[Parse]) -> DependencyTree:
    """One tree from the pieces of a sentence; the roots of later pieces hang on the first as ``parataxis``."""
    words: list[str] = []
    upos: list[str] = []
    heads: list[int] = []
    relations: list[str] = []
    features: list[str] = []
    root = ROOT
    for piece, parse in zip(pieces, parses, strict=True):
        offset = len(words)
        for head, relation in zip(parse.heads, parse.relations, strict=True):
            if head:
                heads.append(offset + head - 1)
                relations.append(relation or "dep")
            else:
                heads.append(root)
                relations.append("root" if root == ROOT else "parataxis")
        upos.extend(tag or "X" for tag in parse.upos)
        features.extend(parse.features)
        words.extend(piece)
        if root == ROOT:
            root = heads.index(ROOT)
    return DependencyTree(tuple(words), tuple(upos), tuple(heads), tuple(relations), tuple(features))


@lru_cache(maxsize=4)
def parsing_pipeline(models: ModelSet) -> Any:
    """Stanza's pipeline from tokens to trees; one for each process and model set."""
    from sema_ud.decoding import use_fast_decoder

    pipeline = _pipeline(models, "tokenize,pos,lemma,depparse", tokenize_pretokenized=True)
    use_fast_decoder(pipeline.processors["depparse"].trainer.model)
    return pipeline


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
    except Exception as error:  # a broken installation shows in many ways
        raise ResourceError(
            f"Stanza's models for {models.language!r} in {models.folder} cannot be loaded ({one_line(error)}); "
            f"run 'sema models install {models.language}' again"
        ) from error
