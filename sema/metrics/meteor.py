"""METEOR (Lavie and Agarwal 2007), with the language's lexicon instead of NLTK's WordNet.

Words match exactly, by stem, as synonyms, or as paraphrases, in that order. Each stage matches the words that earlier
stages left, from the end of the texts backwards, as NLTK does. A match counts by its stage's weight; a stage of weight
0 is left out. By default the score is NLTK's: Porter stems, no paraphrases, all weights 1, and stems are looked up in
the lexicon, so that *companies* (*compani*) has no synonyms. ``meteor`` takes the best reference; ``meteor_source``
scores the output against its source, as a measure of meaning kept; ``meteor_qats`` does that with the weights of
Mathias and Bhattacharyya (2016, Table 1), METEOR 1.5's parameters for English, Snowball stems, paraphrases, and
synonyms of whole words.

With paraphrases, expressions match too: one that the lexicon lists, with its first or last word inflected (*kicked the
bucket*), matches a synonymous word or expression that shares no word with it (*died*). As in METEOR 1.5, every word
that a match covers counts by the stage's weight.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Self

from sema.errors import ResourceError
from sema.metrics.base import Need
from sema.metrics.stem_recall import stem as stemmed
from sema.metrics.token_metric import LowercaseOption, TokenizedItem, TokenizerOption, TokenMeanMetric
from sema.model.lexicon import IndexedLexicon, Lexicon
from sema.model.text import is_punctuation

if TYPE_CHECKING:
    from sema.model.language import Parts

Stemming = Literal["porter", "snowball"]
Lookup = Literal["stems", "words"]
LONGEST_PHRASE = 4
"""Words of the longest expression that is looked up."""


class Match(NamedTuple):
    """The first matched word of each text, the weight of the match, and how many words it covers on each side."""

    output: int
    reference: int
    weight: float
    output_words: int = 1
    reference_words: int = 1


@dataclass(frozen=True)
class Scheme:
    """The weights and parameters of METEOR.

    A stage of weight 0 is left out. ``alpha`` weighs recall in the mean. ``gamma`` is the greatest penalty for
    scattered matches, ``beta`` its exponent. With ``whole`` a single run that covers both texts has no penalty. A
    content word weighs ``delta``, a function word or punctuation mark 1 - ``delta``.
    """

    exact: float = 1.0
    stem: float = 1.0
    synonym: float = 1.0
    paraphrase: float = 0.0
    stemmer: Stemming = "porter"
    lookup: Lookup = "stems"
    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5
    delta: float = 0.5
    whole: bool = False


NLTK = Scheme()
"""NLTK's METEOR."""
QATS = Scheme(1.0, 0.6, 0.8, 0.6, "snowball", "words", alpha=0.85, beta=0.2, gamma=0.6, delta=0.75, whole=True)
"""The weights of Mathias and Bhattacharyya (2016), Table 1, and METEOR 1.5's for English (Denkowski and Lavie 2014)."""


def meteor(
    output: Sequence[str],
    references: Iterable[Sequence[str]],
    lexicon: Lexicon,
    scheme: Scheme = NLTK,
    function_words: Collection[str] = (),
) -> float:
    """METEOR of a tokenized output against the best of some tokenized references, 0-100; 0 for an empty output."""
    lowered = [word.lower() for word in output]
    lowered_references = ([word.lower() for word in text] for text in references)
    scores = (_score(lowered, text, lexicon, scheme, function_words) for text in lowered_references)
    return 100 * max(scores, default=0.0)


Related = Callable[[str], Sequence[str]]
"""Finds the words of a text that are related to a given word."""


def same_words(words: Collection[str]) -> Related:
    """Finds the word itself, if the text has it."""
    return lambda word: (word,) if word in words else ()


def related_words(words: Collection[str], lexicon: Lexicon, related: Callable[[str, str], bool]) -> Related:
    """Finds a text's words for which ``related(word, other)`` holds: the synonyms or paraphrases of ``lexicon``.

    The keys of an indexed lexicon narrow the candidates, so that the cost does not grow with the product of two texts'
    lengths.
    """
    found: dict[str, Sequence[str]] = {}
    candidates: Callable[[str], Iterable[str]] = lambda word: words  # noqa: E731
    if isinstance(lexicon, IndexedLexicon):
        candidates = _keyed(words, lexicon)

    def of(word: str) -> Sequence[str]:
        if word not in found:
            found[word] = [other for other in candidates(word) if related(word, other)]
        return found[word]

    return of


def _keyed(words: Iterable[str], lexicon: IndexedLexicon) -> Callable[[str], Iterable[str]]:
    """Finds the words of a text that share a sense with a word or are listed as its paraphrases."""

    def keys(word: str, *, asked: bool) -> Iterable[Hashable]:
        forms, listed = lexicon.lemmas(word) | {word.lower()}, lexicon.paraphrases(word)
        yield from (("sense", sense) for sense in lexicon.senses(word))
        yield from (("form", form) for form in (listed if asked else forms))
        yield from (("listed", form) for form in (forms if asked else listed))

    by_key: dict[Hashable, list[str]] = {}
    for word in words:
        for key in keys(word, asked=False):
            by_key.setdefault(key, []).append(word)
    return lambda word: dict.fromkeys(other for key in keys(word, asked=True) for other in by_key.get(key, ()))


def matches(output: Sequence[str], reference: Sequence[str], lexicon: Lexicon, scheme: Scheme = NLTK) -> list[Match]:
    """The matched words of two tokenized texts in lower case, in the output's order."""
    words = output, reference
    stemmer = "porter" if scheme.stemmer == "porter" else "english"
    stems = [stemmed(word, stemmer) for word in output], [stemmed(word, stemmer) for word in reference]
    asked = stems if scheme.lookup == "stems" else words
    stages: Sequence[tuple[float, tuple[Sequence[str], Sequence[str]], Callable[[Collection[str]], Related]]] = (
        (scheme.exact, words, same_words),
        (scheme.stem, stems, same_words),
        (scheme.synonym, asked, lambda others: related_words(others, lexicon, lexicon.are_synonyms)),
        (scheme.paraphrase, asked, lambda others: related_words(others, lexicon, lexicon.are_paraphrases)),
    )
    free_output, free_reference = dict.fromkeys(range(len(output))), dict.fromkeys(range(len(reference)))
    matched = _phrase_matches(output, reference, lexicon, scheme.paraphrase) if scheme.paraphrase else []
    for match in matched:
        for token in range(match.output, match.output + match.output_words):
            del free_output[token]
        for token in range(match.reference, match.reference + match.reference_words):
            del free_reference[token]
    for weight, (outputs, references), relate in stages:
        if not weight:
            continue
        places: dict[str, list[int]] = {}
        for j in free_reference:
            places.setdefault(references[j], []).append(j)
        related = relate(places)
        for i in [*free_output][::-1]:
            partner = max((places[other][-1] for other in related(outputs[i]) if places[other]), default=None)
            if partner is not None:
                matched.append(Match(i, partner, weight))
                places[references[partner]].pop()
                del free_output[i], free_reference[partner]
    return sorted(matched)


Expression = tuple[int, int, list[str]]
"""The first word, the number of words, and the forms in which a lexicon may list them."""


def _phrase_matches(output: Sequence[str], reference: Sequence[str], lexicon: Lexicon, weight: float) -> list[Match]:
    """Matches of an expression with an expression or word of other words; words in both texts are not matched alone."""
    outputs = [*_expressions(output, lexicon), *_words_of_one(output, reference)]
    references = [*_expressions(reference, lexicon), *_words_of_one(reference, output)]
    by_form: dict[str, list[int]] = {}
    for place, (_, _, forms) in enumerate(references):
        for form in forms:
            by_form.setdefault(form, []).append(place)
    synonyms = related_words(by_form, lexicon, lexicon.are_synonyms)
    taken: tuple[set[int], set[int]] = set(), set()
    phrases = []
    for i, length, forms in outputs:
        for place in sorted({place for form in forms for other in synonyms(form) for place in by_form[other]}):
            j, reference_length, _ = references[place]
            spans = range(i, i + length), range(j, j + reference_length)
            free = all(known.isdisjoint(span) for known, span in zip(taken, spans, strict=True))
            other_words = set(output[i : i + length]).isdisjoint(reference[j : j + reference_length])
            if length + reference_length > 2 and free and other_words:
                phrases.append(Match(i, j, weight, length, reference_length))
                for known, span in zip(taken, spans, strict=True):
                    known.update(span)
    return phrases


def _words_of_one(words: Sequence[str], other: Sequence[str]) -> list[Expression]:
    others = set(other)
    return [(place, 1, [word]) for place, word in enumerate(words) if word not in others]


def _expressions(words: Sequence[str], lexicon: Lexicon) -> list[Expression]:
    """The expressions that the lexicon lists, the longest first."""
    return [
        (start, size, forms)
        for size in range(LONGEST_PHRASE, 1, -1)
        for start in range(len(words) - size + 1)
        if (forms := _listed_forms(words[start : start + size], lexicon))
    ]


def _listed_forms(words: Sequence[str], lexicon: Lexicon) -> list[str]:
    """The forms in which the lexicon lists an expression: as it stands, or with its first or last word's base form."""
    first, *middle, last = words
    ends = {
        (first, last),
        *((form, last) for form in lexicon.lemmas(first)),
        *((first, f) for f in lexicon.lemmas(last)),
    }
    forms = (" ".join((begin, *middle, end)) for begin, end in sorted(ends))
    return [form for form in forms if lexicon.lemmas(form)]


def _score(
    output: Sequence[str], reference: Sequence[str], lexicon: Lexicon, scheme: Scheme, function_words: Collection[str]
) -> float:
    pairs = matches(output, reference, lexicon, scheme)
    if not pairs:
        return 0.0
    words, others = (
        [1 - scheme.delta if word in function_words or is_punctuation(word) else scheme.delta for word in text]
        for text in (output, reference)
    )
    found = sum(one.weight * sum(words[one.output : one.output + one.output_words]) for one in pairs)
    kept = sum(one.weight * sum(others[one.reference : one.reference + one.reference_words]) for one in pairs)
    if not found or not kept:
        return 0.0
    precision, recall = found / sum(words), kept / sum(others)
    mean = precision * recall / (scheme.alpha * precision + (1 - scheme.alpha) * recall)
    ends = [(match.output + match.output_words, match.reference + match.reference_words) for match in pairs]
    runs = 1 + sum(end != then[:2] for end, then in zip(ends, pairs[1:], strict=False))
    matched = sum(match.output_words + match.reference_words for match in pairs) / 2
    if scheme.whole and runs == 1 and 2 * matched == len(output) + len(reference):
        return mean
    return float((1 - scheme.gamma * (runs / matched) ** scheme.beta) * mean)


class MeteorMetric(TokenMeanMetric):
    """METEOR against some texts; its lexicon is the language's own unless one is given.

    Raises:
        ResourceError: neither the language nor the metric has a lexicon.
    """

    scheme: ClassVar[Scheme] = NLTK

    def __init__(
        self, *, tokenizer: TokenizerOption = None, lowercase: LowercaseOption = False, lexicon: Lexicon | None = None
    ) -> None:
        super().__init__(tokenizer=tokenizer, lowercase=lowercase)
        self._lexicon = lexicon
        self._function_words: Collection[str] = ()

    def bind(self, parts: Parts) -> Self:
        bound = super().bind(parts)
        bound._lexicon = self._lexicon or parts.lexicon
        bound._function_words = parts.function_words
        bound.lexicon  # noqa: B018 - fail now, not after an hour of scoring
        return bound

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon in use."""
        if self._lexicon is None:
            where = "" if self._parts is None else f", and language {self._parts.code!r} has none"
            raise ResourceError(f"{self.name} needs a lexicon{where}; give one, or leave {self.name} out")
        return self._lexicon

    @property
    def signature(self) -> str:
        from nltk import __version__

        words = "none" if self._lexicon is None else self._lexicon.signature.replace("|", "+")
        scheme, shown = self.scheme, ""
        if scheme != NLTK:
            weights = ":".join(f"{w:g}" for w in (scheme.exact, scheme.stem, scheme.synonym, scheme.paraphrase))
            order = ":".join(f"{value:g}" for value in (scheme.alpha, scheme.beta, scheme.gamma, scheme.delta))
            shown = f",weights={weights},parameters={order},stemmer={scheme.stemmer},lookup={scheme.lookup}"
        return f"{super().signature},lexicon={words}{shown},nltk={__version__}"

    def _score(self, item: TokenizedItem) -> float:
        texts = item.references if Need.REFERENCES in self.requires else (item.source,)
        return meteor(item.output, texts, self.lexicon, self.scheme, self._function_words)


class Meteor(MeteorMetric, name="meteor"):
    """Words matched exactly, by stem or as synonyms, in runs (as NLTK), against the references.

    The best reference counts.
    """

    requires = frozenset({Need.REFERENCES})


class MeteorSource(MeteorMetric, name="meteor_source"):
    """METEOR of the output against its source: meaning kept."""

    one_language = True


class MeteorQats(MeteorSource, name="meteor_qats"):
    """meteor_source with paraphrases and the weights of Mathias and Bhattacharyya (2016), Table 1."""

    scheme = QATS
