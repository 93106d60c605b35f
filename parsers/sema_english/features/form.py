"""Surface marks of English: of broken sentences, repetitions, unmatched brackets and quotes; of clauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from sema.features.base import TextGroup, ratio
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text, is_punctuation
from sema_english.words import (
    AUXILIARIES,
    BE,
    CONNECTIVES,
    DANGLING,
    IRREGULAR_PARTICIPLES,
    NEGATIONS,
    PREPOSITIONS,
    RELATIVE,
    SUBORDINATORS,
)

_OPEN = {"(": ")", "[": "]", "{": "}", "-LRB-": "-RRB-", "“": "”", "``": "''"}


class Form(TextGroup, name="form"):
    """Marks of broken sentences: capitals, final stops, repetitions, brackets, impossible word pairs.

    Features:
        no_capital: share of the sentences that begin with a small letter
        no_stop: share of the sentences that do not end with a full stop, question mark or the like
        dangling: share of the sentences whose last word cannot end a sentence (an article, *and*)
        repeated_word: words that repeat the word before them, for each word
        repeated_pair: pairs of words that occur again, for each pair
        repeated_triple: sequences of three words that occur again, for each such sequence
        brackets: brackets and quotes without their other half
        impossible_pairs: two articles, an article before a preposition, and the like, for each pair of words
        spaced_punctuation: marks of punctuation with a space before them, or none after, for each mark
        short_sentences: share of the sentences with fewer than four words
        capitals: share of words in capitals or with a capital that do not begin a sentence
        digits: share of words with a digit
    """

    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Mapping[str, float]:
        sentences = [[word for word in words if not is_punctuation(word)] for words in text.sentence_words]
        sentences = [words for words in sentences if words]
        count = len(sentences)
        words = [word for sentence in sentences for word in sentence]
        folded = [word.lower() for word in words]
        pairs = list(pairwise(folded))
        triples = list(zip(folded, folded[1:], folded[2:], strict=False))
        inner = [word for sentence in sentences for word in sentence[1:]]
        return {
            "no_capital": ratio(sum(sentence[0][0].islower() for sentence in sentences), count),
            "no_stop": ratio(sum(not end.endswith((".", "!", "?", "…", ":", ";")) for end in _ends(text)), count),
            "dangling": ratio(sum(sentence[-1].lower() in DANGLING for sentence in sentences), count),
            "repeated_word": ratio(sum(first == second for first, second in pairs), len(pairs)),
            "repeated_pair": ratio(len(pairs) - len(set(pairs)), len(pairs)),
            "repeated_triple": ratio(len(triples) - len(set(triples)), len(triples)),
            "brackets": float(_unmatched(text.words)),
            "impossible_pairs": ratio(sum(map(_impossible, pairs)), len(pairs)),
            "spaced_punctuation": _spacing(text),
            "short_sentences": ratio(sum(len(sentence) < 4 for sentence in sentences), count),
            "capitals": ratio(sum(word[0].isupper() for word in inner), len(words)),
            "digits": ratio(sum(any(map(str.isdigit, word)) for word in words), len(words)),
        }


def _ends(text: Text) -> list[str]:
    """The last token of each sentence before closing quotes and brackets, else its first."""
    closing = ("''", '"', "”", "’", "'", ")", "]", "-RRB-")
    sentences = filter(None, text.sentence_words)
    return [next((word for word in reversed(words) if word not in closing), words[0]) for words in sentences]


def _unmatched(words: Sequence[str]) -> int:
    expected: list[str] = []
    wrong = 0
    for word in words:
        if word in _OPEN:
            expected.append(_OPEN[word])
        elif word in _OPEN.values():
            if word in expected:
                expected.remove(word)
            elif word != "''":
                wrong += 1
    return wrong + len(expected) + words.count('"') % 2


def _impossible(pair: tuple[str, str]) -> bool:
    first, second = pair
    articles = ("the", "a", "an")
    if first in articles:
        return (
            second in articles
            or second in PREPOSITIONS - {"past", "near", "off", "out", "over", "under"}
            or (second in ("is", "are", "was", "were", "and", "or", "who", "which", "he", "she", "it", "they"))
        )
    if first in PREPOSITIONS:
        return second in ("is", "are", "was", "were", "and", "he", "she", "they") and first not in ("in", "on", "off")
    return first in AUXILIARIES and second in AUXILIARIES and first == second


def _spacing(text: Text) -> float:
    marks = [(token.start, token.end) for token in text.tokens if token.text in (".", ",", ";", ":", "!", "?")]
    raw = text.raw
    wrong = sum(
        (start > 0 and raw[start - 1].isspace()) or (end < len(raw) and raw[end].isalpha()) for start, end in marks
    )
    return ratio(wrong, len(marks))


class Clauses(TextGroup, name="clauses"):
    """Passives, relative clauses, connectives, appositions, participles and negations by surface marks.

    Features:
        passives: a form of *be* with a past participle soon after, for each sentence
        relative_words: relative words (who, which, that …), for each sentence
        subordinators: subordinating words, for each sentence
        connectives: connectives, for each sentence
        participles: words in -ing or -ed after a comma, for each sentence
        insertions: stretches between two commas, dashes or brackets, for each sentence
        negations: negations, for each sentence
        sentence_openers: share of the sentences that begin with a connective
    """

    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Mapping[str, float]:
        sentences = [[word.lower() for word in words] for words in text.sentence_words]
        number = max(1, len(sentences))

        def share(counts: Iterable[int]) -> float:
            return sum(counts) / number

        return {
            "passives": share(map(passives, sentences)),
            "relative_words": share(sum(word in RELATIVE for word in words[1:]) for words in sentences),
            "subordinators": share(sum(word in SUBORDINATORS for word in words) for words in sentences),
            "connectives": share(sum(word in CONNECTIVES for word in words) for words in sentences),
            "participles": share(
                sum(a == "," and b.endswith(("ing", "ed")) for a, b in pairwise(words)) for words in sentences
            ),
            "insertions": share(map(insertions, sentences)),
            "negations": share(sum(word in NEGATIONS for word in words) for words in sentences),
            "sentence_openers": share(bool(words) and words[0] in CONNECTIVES for words in sentences),
        }


def is_participle(word: str) -> bool:
    """Whether a lower-cased English word looks like a past participle."""
    return word in IRREGULAR_PARTICIPLES or (len(word) > 3 and word.endswith("ed"))


def passives(words: Sequence[str]) -> int:
    """Forms of *be* followed by a participle within three words."""
    return sum(word in BE and any(map(is_participle, words[place + 1 : place + 4])) for place, word in enumerate(words))


def insertions(words: Sequence[str]) -> int:
    """Stretches of one to ten words between commas, dashes or brackets."""
    marks = [
        place for place, word in enumerate(words) if is_punctuation(word) and word not in (".", '"', "''", "``", "'")
    ]
    return sum(2 <= after - before <= 11 for before, after in pairwise(marks))
