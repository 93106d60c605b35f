"""Worked pictures of the metrics that compare with references, and of HSK's levels, computed from the texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from drawings import grid_svg, words_svg
from sema_chinese.levels.hsk import LOW

from sema import Alignment, Link, LinkKind
from sema.metrics.meteor import matches

BLEU_OUTPUT, BLEU_REFERENCE = "the cat slept on the mat", "the cat slept on a mat"
METEOR_SOURCE, METEOR_OUTPUT = "on the mat a cat slept", "cats slept on the mat"
VECTORS = {"cats": (1.0, 0.0), "slept": (0.0, 1.0)}, {"kittens": (0.8, 0.6), "dozed": (0.0, 1.0), "often": (0.6, -0.8)}
"""Words of an output and of a reference, as an encoder with two dimensions might give them, of length 1."""
LEVELS = {"我": 1, "打算": 3, "参观": 4, "博物馆": 5}
HSK_OUTPUT = ("我", "打算", "参观", "博物馆", "。")


def shared_ngrams(output: Sequence[str], reference: Sequence[str], order: int) -> list[tuple[str, bool]]:
    """The output's n-grams in order, each with whether the reference still has an unmatched one."""
    left = Counter(_ngrams(reference, order))
    ngrams = []
    for ngram in _ngrams(output, order):
        ngrams.append((ngram, left[ngram] > 0))
        left[ngram] -= 1
    return ngrams


def _ngrams(words: Sequence[str], order: int) -> list[str]:
    return [" ".join(words[start : start + order]) for start in range(len(words) - order + 1)]


def bleu_svg() -> str:
    """The n-grams of an output, those that the reference shares in boxes."""
    rows = {}
    for order in range(1, 5):
        ngrams = shared_ngrams(BLEU_OUTPUT.split(), BLEU_REFERENCE.split(), order)
        count = sum(shared for _, shared in ngrams)
        rows[f"{order}: {count} of {len(ngrams)}"] = [(ngram, "kept" if shared else "") for ngram, shared in ngrams]
    return words_svg("The n-grams that the output shares with its reference", rows, {"kept": "in the reference"})


def meteor_svg() -> str:
    """The matched words of a source and an output."""
    source, output = METEOR_SOURCE.split(), METEOR_OUTPUT.split()
    matched = matches(output, source, _NoWords())
    places = [(match.reference, match.output) for match in matched]
    links = [Link(i, j, LinkKind.EXACT if source[i] == output[j] else LinkKind.FORM) for i, j in places]
    return Alignment((*source,), ((*output,),), ((*links,),)).to_svg()


class _NoWords:
    """A lexicon without a word."""

    signature = "none"

    def are_synonyms(self, first: str, second: str) -> bool:
        return False

    are_paraphrases = are_synonyms


def similarities() -> np.ndarray:
    """The cosines of the output's words (down) and the reference's (across)."""
    output, reference = (np.array(list(words.values())) for words in VECTORS)
    return output @ reference.T


def bertscore_svg() -> str:
    """The cosines of all pairs, each word's best in a box."""
    output, reference = VECTORS
    return grid_svg("Cosines between the words of output and reference", list(output), list(reference), similarities())


def hsk_svg() -> str:
    """The words of an output by whether they are of HSK's levels 1 to 3."""
    words = [(f"{word} {LEVELS.get(word, '–')}", "kept" if LEVELS.get(word) in LOW else "") for word in HSK_OUTPUT]
    rows = {f"{sum(kind == 'kept' for _, kind in words)} of {len(words)}": words}
    return words_svg("The words that are of levels 1 to 3", rows, {"kept": "levels 1 to 3"})
