"""Clauses by surface marks of English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from sema.features.base import TextGroup
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text, is_punctuation
from sema_english.words import BE, CONNECTIVES, IRREGULAR_PARTICIPLES, NEGATIONS, RELATIVE, SUBORDINATORS


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
