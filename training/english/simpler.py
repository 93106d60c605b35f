"""Builds the simplifier's word rules: ``python -m training.english.simpler PAIRS``.

``PAIRS`` is a list of PPDB 1.0 lexical synonyms, two words a line. A pair is kept when the lexicon calls the
words synonyms or paraphrases, when they are inflected alike (*acquired*, *bought*), and when one of them is clearly
more common; that one stands for the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sema_english.words import word_table
from sema_ppdb import ParaphraseLexicon
from sema_simplifier.rules import LEAST_GAIN, WORDS
from sema_wordnet import WordNetLexicon

from sema.model.lexicon import Lexicon, WordTable
from sema.runtime.pairs import save_pairs
from training.command import command
from training.english.paraphrases import read_pairs

LEAST_ZIPF = 3.4
MOST = 8
"""The most simpler words that are kept for a word: the most common ones."""


def inflections(word: str, lexicon: Lexicon) -> frozenset[str]:
    """Which forms a word may be, by its ending: base, s, ing or past."""
    lemmas = lexicon.lemmas(word)
    forms = {"base"} if word in lemmas else set()
    if lemmas - {word}:
        forms.add("s" if word.endswith("s") else "ing" if word.endswith("ing") else "past")
    return frozenset(forms)


def simplifying(
    pairs: Iterable[tuple[str, str]], lexicon: Lexicon, table: WordTable
) -> dict[str, list[tuple[float, str]]]:
    """For each word its simpler words with their frequencies, the most common first."""
    by_word: dict[str, list[tuple[float, str]]] = {}
    for pair in pairs:
        word, simpler = sorted(pair, key=table.zipf)
        gain = table.zipf(simpler) - table.zipf(word)
        if gain < LEAST_GAIN or table.zipf(simpler) < LEAST_ZIPF or word not in table or not word.isalpha():
            continue
        if not simpler.isalpha() or lexicon.lemmas(word) & lexicon.lemmas(simpler):
            continue
        if inflections(word, lexicon).isdisjoint(inflections(simpler, lexicon)):
            continue
        if lexicon.are_synonyms(word, simpler) or lexicon.are_paraphrases(word, simpler):
            by_word.setdefault(word, []).append((table.zipf(simpler), simpler))
    return {word: sorted(set(simpler), reverse=True)[:MOST] for word, simpler in by_word.items()}


@command
def main(pairs: Path, to: Path = WORDS) -> None:
    """Write the rules."""
    lexicon = ParaphraseLexicon(WordNetLexicon.english())
    simpler_words = simplifying(read_pairs(pairs), lexicon, word_table())
    save_pairs(to, [(word, simpler) for word, others in simpler_words.items() for _, simpler in others])


if __name__ == "__main__":
    main()
