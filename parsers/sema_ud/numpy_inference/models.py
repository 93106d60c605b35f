"""A set of Stanza's models at work: tokens to tags and trees, many sentences at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from sema.runtime.batching import batches
from sema.runtime.threads import one_blas_thread
from sema_ud.models import DICTIONARY, ModelSet, file_of
from sema_ud.numpy_inference.files import Floats, Unsupported, read_model
from sema_ud.numpy_inference.layers import Packing, Rows
from sema_ud.numpy_inference.parser import Parser
from sema_ud.numpy_inference.tagger import Tagged, Tagger
from sema_ud.numpy_inference.words import dictionary

BATCH_WORDS = 2500
"""Words of a batch, the places after its shorter sentences included."""


@dataclass(frozen=True)
class Parse:
    """One sentence's columns, as CoNLL-U has them: heads count from 1 and are 0 for the root."""

    upos: tuple[str, ...]
    features: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]


@dataclass(frozen=True)
class _Types:
    """The words of all sentences, each once, and their input rows; the last stands for the root."""

    numbers: dict[str, int]
    tagger: Floats
    before: Floats
    after: Floats

    @property
    def root(self) -> int:
        return len(self.numbers)


class TreeModels:
    """A tagger and a parser that belong together."""

    def __init__(self, folder: Path) -> None:
        """Read the models of a folder.

        Raises:
            Unsupported: they are of another architecture, or cannot be read.
        """
        try:
            shared = dictionary(file_of(folder, DICTIONARY))
            self.tagger = Tagger(read_model(file_of(folder, "pos")), shared)
            parser = read_model(file_of(folder, "depparse"))
            self.parser = Parser(parser, shared, self.tagger.upos, self.tagger.xpos)
        except (KeyError, IndexError, ValueError) as error:
            raise Unsupported(f"a model lacks {error}") from error

    def parse(self, sentences: Sequence[Sequence[str]], *, threads: int) -> list[Parse]:
        """Tags and trees, one for each sentence, none of which may be empty; batches are computed beside each other."""
        found: list[Parse | None] = [None] * len(sentences)
        groups = batches([(len(one),) for one in sentences], lambda count, size: count * size[0] <= BATCH_WORDS)
        with one_blas_thread(), ThreadPoolExecutor(threads) as pool:
            types = self._types(sentences, pool)

            def work(group: list[int]) -> Iterable[tuple[int, Parse]]:
                longest_first = group[::-1]
                return zip(longest_first, self._batch([sentences[at] for at in longest_first], types), strict=True)

            for parses in pool.map(work, reversed(groups)):
                for at, parse in parses:
                    found[at] = parse
        return [parse for parse in found if parse is not None]

    def _types(self, sentences: Sequence[Sequence[str]], pool: ThreadPoolExecutor) -> _Types:
        numbers: dict[str, int] = {}
        for sentence in sentences:
            for word in sentence:
                numbers.setdefault(word, len(numbers))
        words = [*numbers, None]
        tagger = pool.submit(self.tagger.vectors, words)
        parser = pool.submit(self.parser.vectors, words)
        return _Types(numbers, tagger.result(), *parser.result())

    def _batch(self, sentences: list[Sequence[str]], types: _Types) -> list[Parse]:
        """Tags and trees of sentences of falling length."""
        words = Packing([len(one) for one in sentences])
        flat = np.asarray([types.numbers[word] for one in sentences for word in one], np.intp)
        which = np.empty_like(flat)
        which[words.rows] = flat
        used, places = np.unique(which, return_inverse=True)
        tagged = self.tagger.tag(types.tagger[used], places, words)
        trees = self.parser.parse(*self._parser_rows(sentences, flat, tagged, words, types))
        upos = [self.tagger.upos.shown(number) for number in tagged.upos[words.rows].tolist()]
        features = [self.tagger.features.shown(numbers) for numbers in tagged.features[words.rows].tolist()]
        parses = []
        first = 0
        for heads, relations in trees:
            last = first + len(heads)
            columns = tuple(upos[first:last]), tuple(features[first:last]), tuple(heads.tolist()), tuple(relations)
            parses.append(Parse(*columns))
            first = last
        return parses

    def _parser_rows(
        self, sentences: Sequence[Sequence[str]], flat: Rows, tagged: Tagged, words: Packing, types: _Types
    ) -> tuple[Floats, Rows, Packing]:
        """The parser's input: rows of what differs in word or tags, which of them each packed node has, the packing."""
        nodes = Packing([len(one) + 1 for one in sentences])
        begins = np.cumsum([0, *(len(one) for one in sentences[:-1])])
        triples = np.full((len(flat) + len(sentences), 3), -1, np.intp)
        is_root = np.zeros(len(triples), bool)
        is_root[begins + np.arange(len(sentences))] = True
        triples[is_root, 0] = types.root
        triples[~is_root, 0] = flat
        triples[~is_root, 1] = tagged.upos[words.rows]
        triples[~is_root, 2] = tagged.xpos[words.rows]
        packed = np.empty_like(triples)
        packed[nodes.rows] = triples
        keys = (packed[:, 0] * (len(self.tagger.upos.names) + 1) + packed[:, 1] + 1) * (
            len(self.tagger.xpos.names) + 1
        ) + packed[:, 2]
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        kinds = packed[first]
        tags = self.parser.tag_vectors(kinds[:, 1], kinds[:, 2])
        return np.concatenate([types.before[kinds[:, 0]], tags, types.after[kinds[:, 0]]], axis=1), which, nodes


@lru_cache(maxsize=4)
def numpy_trees(models: ModelSet) -> TreeModels | None:
    """The tagger and parser of a set of models, one pair for each process; None if only Stanza can run them.

    Of an installation Stanza alone knows which files belong together and which lemmatizer stands between them.
    """
    try:
        return TreeModels(models.folder) if models.shipped else None
    except Unsupported:
        return None
