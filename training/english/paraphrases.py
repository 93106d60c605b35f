"""Builds the paraphrase table: ``python -m training.english.paraphrases PAIRS DICTIONARY``.

``PAIRS`` is a list of PPDB 1.0 lexical synonyms, two words a line with a tab between them (DATA: ``lexicons/ppdb``);
``DICTIONARY`` the folder of WordNet 3.0's dictionary files (see ``sema_wordnet.build``).
PPDB is mined from translations and contains much that is neither English nor a paraphrase, so a pair is kept if WordNet
has both words, if neither is the other with a negating prefix, and if the pair does not follow from its lemmas, its
synonyms or another kept pair of base forms. Names are no paraphrases of one another (*John*, *Jones*): see
:class:`Names`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from sema_ppdb.lexicon import DATA
from sema_wordnet import WordNetLexicon
from sema_wordnet.wndb import WordNet, read_wordnet

from sema.model.lexicon import Lexicon
from sema.runtime.contents import text_content
from sema.runtime.pairs import save_pairs
from training.command import command

_WORD = re.compile(r"[a-z][a-z'-]+")
_NEGATING = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "mis", "anti", "anti-")


def read_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """The pairs of a list, lower-cased."""
    for line in filter(None, text_content(path).lower().replace("\r\n", "\n").split("\n")):
        first, second = line.split("\t")
        yield first, second


class Names:
    """Finds pairs of a name and a word that does not belong to it.

    A word is a name when all senses of its lemmas are single persons, places or things (instances, in WordNet). Its
    other spellings are synonyms in WordNet, so PPDB adds only other names and words that look similar. Two
    kinds of words belong to a name: those capitalised without being a name (*Yemen*, *Yemeni*), and the common words of
    its longer spellings (*Britain*, the United *Kingdom*).
    """

    def __init__(self, wordnet: WordNet, lexicon: Lexicon) -> None:
        """``lexicon`` gives the words' lemmas, ``wordnet`` the lemmas' senses."""
        self._wordnet = wordnet
        self._lexicon = lexicon
        self._spelt: dict[tuple[int, int], set[str]] = {synset: set() for synset in wordnet.individuals}
        for lemma, synsets in wordnet.senses.items():
            for synset in self._spelt.keys() & synsets:
                self._spelt[synset].update(lemma.split())

    def _synsets(self, word: str) -> set[tuple[int, int]]:
        return {synset for lemma in self._lexicon.lemmas(word) for synset in self._wordnet.senses.get(lemma, ())}

    def _is_name(self, word: str) -> bool:
        synsets = self._synsets(word)
        return bool(synsets) and synsets <= self._wordnet.individuals

    def _belongs(self, partner: str, name: str) -> bool:
        if partner in self._wordnet.capitalised:
            return not self._is_name(partner)
        common = self._synsets(partner).isdisjoint(self._wordnet.individuals)
        return common and any(partner in self._spelt[synset] for synset in self._synsets(name))

    def apart(self, first: str, second: str) -> bool:
        """Whether one of the words is a name and the other does not belong to it."""
        return any(
            self._is_name(name) and not self._belongs(partner, name)
            for name, partner in ((first, second), (second, first))
        )


def select(pairs: Iterable[tuple[str, str]], lexicon: Lexicon, names: Names) -> set[tuple[str, str]]:
    """The pairs worth keeping (see the module), each in alphabetical order."""
    kept = {
        (min(pair), max(pair))
        for pair in pairs
        if all(_WORD.fullmatch(word) and lexicon.lemmas(word) for word in pair)
        and lexicon.lemmas(pair[0]).isdisjoint(lexicon.lemmas(pair[1]))
        and not lexicon.are_synonyms(*pair)
        and not _negated(*pair)
        and not names.apart(*pair)
    }

    def implied(first: str, second: str) -> bool:
        return any(
            (min(base, other), max(base, other)) in kept
            for base in lexicon.lemmas(first)
            for other in lexicon.lemmas(second)
            if {base, other} != {first, second}
        )

    # a base form may itself look like another's inflection (leaf, leaves, leave): only an inflected pair may go
    return {pair for pair in kept if all(word in lexicon.lemmas(word) for word in pair) or not implied(*pair)}


def _negated(first: str, second: str) -> bool:
    short, long = sorted((first, second), key=len)
    return any(long == prefix + short for prefix in _NEGATING)


@command
def main(pairs: Path, dictionary: Path, to: Path = DATA / "english.npz") -> None:
    """Write the table."""
    lexicon = WordNetLexicon.english()
    to.parent.mkdir(parents=True, exist_ok=True)
    save_pairs(to, select(read_pairs(pairs), lexicon, Names(read_wordnet(dictionary), lexicon)))


if __name__ == "__main__":
    main()
