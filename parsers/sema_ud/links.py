"""Word links within any language and across two: by rules, then between mutual nearest neighbours in context.

Within a language, rules link words that are equal, forms of one lemma (:mod:`sema_ud.lemmas`), the same number in
different notation, or related in a lexicon. Across languages, rules link only names, numbers and punctuation: other
words that are spelled alike may differ in meaning. The remaining content words are linked in context, by the states of
the cross-encoder, if each is the other's nearest, as in SimAlign (Jalili Sabet et al., Findings of EMNLP 2020);
``python -m benchmarks.alignment.languages`` measures the links; it also chose the thresholds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sema.alignment.relations import Shape, WordRelations
from sema.alignment.rules import RuleAligner
from sema.model.language import base_code
from sema.model.lexicon import Lexicon
from sema.model.links import Link, LinkKind, Pair
from sema.model.text import is_punctuation
from sema.runtime.caching import remembered
from sema_ud.lemmas import LemmaLexicon, Lemmas, plain

_CHUNK = 64
"""Pairs whose vectors are in memory at a time."""
Vectors = NDArray[np.float32]
LAYER = 7
"""The layer whose states are compared."""


class Limits(NamedTuple):
    """The least cosines of word pairs."""

    sure: float
    """For a link in any sentences."""
    likely: float
    """For evidence that the sentences correspond."""
    least: float
    """For a link in sentences that correspond."""


WITHIN, ACROSS = Limits(0.79, 0.72, 0.64), Limits(0.77, 0.70, 0.64)
"""The limits within a language and across two."""
CORRESPONDING = 3
"""Sentences correspond if one in this many content words of the shorter has a link by a rule or a likely one."""
MOST = 1 << 22
"""Most pairs of words that are compared; longer sentences are left to the rules."""
STEM, ENDING = 5, 2
"""The least letters that two forms of a name share, and the most that either has beyond them."""
DEPTH = 20
"""Most steps up to a wider output word; the lexicon decides what counts as wider."""
_MONEY = "$£€¥₹₽₺+#"
_GROUPED = re.compile(r"(?P<whole>[1-9]\d{0,2}(?:(?P<sign>[.,'’٬ ])\d{3})(?:(?P=sign)\d{3})*)(?:[.,٫](?P<part>\d+))?")
"""Groups of three digits behind one sign, then a decimal part."""
_PLAIN = re.compile(r"(?P<whole>\d+)(?:[.,٫](?P<part>\d+))?")


def folded(word: str) -> str:
    """The letters of a word without case and accents."""
    letters = unicodedata.normalize("NFKD", plain(word))
    return unicodedata.normalize("NFC", "".join(char for char in letters if not unicodedata.combining(char)))


def is_name(word: str) -> bool:
    """Whether a word begins with a capital, as names do in scripts that have them."""
    return word[:1].isupper()


def _name_keys(word: str) -> tuple[str, ...]:
    return (folded(word)[:STEM],) if is_name(word) else ()


def are_forms_of_a_name(first: str, second: str) -> bool:
    """Whether two capitalised words share at least five letters and differ at most in the last two.

    Treebanks seldom contain the inflected forms of names: Москвы, Москве; Obama, Obamas.
    """
    if not (is_name(first) and is_name(second)):
        return False
    one, other = folded(first), folded(second)
    least = max(STEM, len(one) - ENDING, len(other) - ENDING)
    return min(len(one), len(other)) >= least and one[:least] == other[:least] and (one + other).isalpha()


NAMES = Shape(_name_keys, are_forms_of_a_name)


@remembered
def number_value(word: str) -> Hashable | None:
    """The value of a number, with ``%`` if that follows; ``None`` for other words.

    ``1,000``, ``1.000``, ``1 000``, ``١٠٠٠`` and ``1000`` are one value, ``2.5`` and ``2,5`` another. Three digits
    after a single separator count as thousands in every language.
    """
    if not any(map(str.isdecimal, word)) or any(char.isnumeric() and not char.isdecimal() for char in word):
        return None
    written = "".join(str(unicodedata.decimal(char, char)) for char in unicodedata.normalize("NFKC", word))
    number = written.strip(_MONEY).rstrip(".").replace("٪", "%")
    bare = number.rstrip("%").strip()
    match = _GROUPED.fullmatch(bare) or _PLAIN.fullmatch(bare)
    if match is None:
        return None
    whole = "".join(filter(str.isdecimal, match["whole"]))
    value = float(f"{whole}.{match['part'] or 0}")
    return (value, "%") if number.endswith("%") else value


def relations(code: str, lexicon: Lexicon | None = None) -> WordRelations:
    """The relations between words of one language."""
    lemmas = Lemmas.of(code)

    def key(word: str) -> str:
        return folded(lemmas.key(word)) if is_name(word) else lemmas.key(word)

    return WordRelations(
        None if lexicon is None else LemmaLexicon(lexicon, lemmas),
        stem=key,
        spell=plain,
        value=number_value,
        function_words=lemmas.function_words,
        shape=NAMES,
        hyponymy_depth=DEPTH,
    )


class _RelationsAcross(WordRelations):
    """Relates only names, numbers and punctuation; other words that are spelled alike are unrelated."""

    def kind(self, source: str, output: str) -> LinkKind | None:
        if is_punctuation(source) or number_value(source) is not None or (is_name(source) and is_name(output)):
            return super().kind(source, output)
        return None


def relations_across(source: str, output: str) -> WordRelations:
    """The relations from words of one language to words of another."""
    functional = Lemmas.of(source).function_words | Lemmas.of(output).function_words
    return _RelationsAcross(stem=folded, spell=plain, value=number_value, function_words=functional, shape=NAMES)


class WordEncoder(Protocol):
    """Gives each word of a sentence a unit vector."""

    signature: str

    def words(self, sentences: Sequence[Sequence[str]]) -> list[Vectors]:
        """The words' vectors (words, width) for each tokenized sentence."""


def mutual(cosines: Vectors) -> list[tuple[int, int]]:
    """Row and column of each cell that is the maximum of both its row and its column; ties go to the first cell."""
    best = cosines.argmax(1)
    rows = np.flatnonzero(cosines.argmax(0)[best] == np.arange(len(best)))
    return list(zip(rows.tolist(), best[rows].tolist(), strict=True))


class UniversalAligner:
    """The rule aligner's links, and those of content words in context (:class:`sema.model.links.Aligner`).

    Attributes:
        rules: the rule aligner.
        signature: that of the rules, the limits and the encoder.
    """

    def __init__(
        self,
        rules: RuleAligner,
        encoder: WordEncoder,
        function_words: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset()),
        limits: Limits = WITHIN,
    ) -> None:
        """``function_words``: those of sources and of outputs."""
        self.rules = rules
        self._encoder, self._function_words, self._limits = encoder, function_words, limits
        contextual = f"{limits.sure}/{limits.likely}/{limits.least}/{CORRESPONDING}"
        self.signature = f"{rules.signature}|contextual:{contextual}|{encoder.signature}"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of each pair, ascending by source index; at most one link a source token."""
        links = self.rules.align(pairs)
        near = self.nearest(pairs, links)
        return [self.chosen(*found, self._limits) for found in zip(pairs, links, near, strict=True)]

    def chosen(
        self, pair: Pair, links: Sequence[Link], near: Sequence[tuple[float, Link]], limits: Limits
    ) -> list[Link]:
        """The rules' links, and the possible links in context that the limits allow."""
        first, second = (self.content(words, side) for side, words in enumerate(pair))
        known = sum(link.source in first for link in links) + sum(cosine >= limits.likely for cosine, _ in near)
        enough = known * CORRESPONDING >= min(len(first), len(second))
        least = limits.least if known and enough else limits.sure
        return sorted([*links, *(link for cosine, link in near if cosine >= least)])

    def nearest(self, pairs: Sequence[Pair], links: Sequence[Sequence[Link]]) -> list[list[tuple[float, Link]]]:
        """For each pair the possible links, with cosines: mutual nearest neighbours among the unlinked words."""
        left = [
            (
                sorted(self.content(source, 0).difference(link.source for link in some)),
                sorted(self.content(output, 1).difference(link.output for link in some)),
            )
            for (source, output), some in zip(pairs, links, strict=True)
        ]
        found: list[list[tuple[float, Link]]] = [[] for _ in pairs]
        waiting = [place for place, (first, second) in enumerate(left) if 0 < len(first) * len(second) <= MOST]
        vectors: dict[tuple[str, ...], Vectors] = {}
        for start in range(0, len(waiting), _CHUNK):
            chunk = waiting[start : start + _CHUNK]
            wanted = dict.fromkeys(tuple(words) for place in chunk for words in pairs[place])
            vectors = {words: vectors[words] for words in wanted if words in vectors}
            new = [words for words in wanted if words not in vectors]
            vectors.update(zip(new, self._encoder.words(new), strict=True))
            for place in chunk:
                (source, output), (first, second) = map(tuple, pairs[place]), left[place]
                cosines = vectors[source][first] @ vectors[output][second].T
                for i, j in mutual(cosines):
                    if kind := self.kind(source[first[i]], output[second[j]]):
                        found[place].append((float(cosines[i, j]), Link(first[i], second[j], kind)))
        return found

    def content(self, words: Sequence[str], side: int) -> set[int]:
        """The content words of a source (side 0) or output (1); words with a digit are left to the rules."""
        function_words = self._function_words[side]
        return {
            place
            for place, word in enumerate(words)
            if any(map(str.isalpha, word)) and not any(map(str.isdecimal, word)) and plain(word) not in function_words
        }

    def kind(self, source: str, output: str) -> LinkKind | None:
        """The kind of a link between two words in context; ``None`` if they must not be linked."""
        return self.rules.relations.kind(source, output) or LinkKind.CONTEXTUAL


def token_encoder(layer: int = LAYER, threads: int | None = None) -> WordEncoder:
    """Word vectors of any language by the cross-encoder, with the pieces of the extra ``languages``.

    Raises:
        ResourceError: the extra is not installed.
    """
    from sema_reader.languages import all_languages
    from sema_reader.token_encoder import ReaderTokenEncoder

    return ReaderTokenEncoder(all_languages(), layer=layer, threads=threads)


def universal_aligner(
    code: str,
    *,
    lexicon: Lexicon | None = None,
    source: str | None = None,
    encoder: WordEncoder | None = None,
) -> UniversalAligner:
    """The aligner of a language, or from sources in another language.

    Args:
        code: the language of the outputs, and of the sources unless ``source`` names another.
        lexicon: its synonyms and wider words; not asked across languages.
        source: the code of the sources' language.
        encoder: :func:`token_encoder` by default.

    Raises:
        ResourceError: the default encoder's extra is not installed.
    """
    across = source is not None and base_code(source) != base_code(code)
    related = relations_across(source or code, code) if across else relations(code, lexicon)
    own = Lemmas.of(source or code).function_words, Lemmas.of(code).function_words
    return UniversalAligner(RuleAligner(related), encoder or token_encoder(), own, ACROSS if across else WITHIN)
