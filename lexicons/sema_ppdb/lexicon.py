"""A lexicon that adds PPDB's paraphrases to another lexicon's lemmas, synonyms and hypernyms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from sema.model.lexicon import IndexedLexicon, LayeredLexicon
from sema.runtime.caching import remembered
from sema.runtime.checksums import digest_of

DATA = Path(__file__).parent / "data"


@cache
def _table(path: Path) -> Mapping[str, tuple[str, ...]]:
    from sema.runtime.pairs import load_pairs  # NumPy is not needed before the first word

    return load_pairs(path)


class ParaphraseLexicon(LayeredLexicon):
    """``base`` with paraphrases (Ganitkevitch et al., NAACL 2013: PPDB 1.0, lexical, size XXXL).

    Two words are paraphrases when the table lists some form of one with some form of the other (the word itself or one
    of its lemmas) and they are not synonyms in ``base``. The table is in lower case, so a word for which ``is_name``
    holds is a paraphrase of capitalised words alone: *China* is not *porcelain*. Everything else comes from ``base``.
    """

    def __init__(
        self, base: IndexedLexicon, table: Path = DATA / "english.npz", *, is_name: Callable[[str], bool] | None = None
    ) -> None:
        """Add a table to a lexicon; the table is read on first use."""
        super().__init__(base, f"ppdb-1.0+{digest_of(table)}")
        self._is_name = is_name
        self._path = table
        self.paraphrases = remembered(self._paraphrases)

    def over(self, base: IndexedLexicon, *, is_name: Callable[[str], bool] | None = None) -> ParaphraseLexicon:
        """The same paraphrases added to another lexicon."""
        made = ParaphraseLexicon(base, self._path, is_name=is_name)
        if base.lemmas == self.base.lemmas:
            made.paraphrases = self.paraphrases
        return made

    def _paraphrases(self, word: str) -> frozenset[str]:
        """The lower-cased forms listed as paraphrases of the word or of one of its lemmas."""
        table = _table(self._path)
        return frozenset(other for form in self._forms(word) for other in table.get(form, ()))

    def _forms(self, word: str) -> frozenset[str]:
        return self.base.lemmas(word) | {word.lower()}

    def are_paraphrases(self, first: str, second: str) -> bool:
        """Whether the table lists the words, or lemmas of them, and they share no sense."""
        if (
            self._is_name
            and first[:1].isupper() is not second[:1].isupper()
            and any(map(self._is_name, (first, second)))
        ):
            return False
        return not self.paraphrases(first).isdisjoint(self._forms(second)) and not self.are_synonyms(first, second)
