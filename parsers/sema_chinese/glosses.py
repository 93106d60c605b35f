"""Words that CC-CEDICT explains alike (``glosses.npz``), as paraphrases beside another lexicon's senses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from sema.errors import ResourceError
from sema.model.lexicon import IndexedLexicon, LayeredLexicon
from sema_chinese.listed import FOLDER

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = FOLDER / "glosses.npz"
"""Pairs of words in simplified characters; ``CARD.md`` says how they were chosen."""


class GlossLexicon(LayeredLexicon):
    """``base`` with the pairs of the table; words that share a sense in ``base`` are no paraphrases."""

    def __init__(self, base: IndexedLexicon, plain: Callable[[str], str]) -> None:
        """``plain`` writes a word in simplified characters; the table is read on first use."""
        super().__init__(base, "cc-cedict-1")
        self._plain = plain
        self.paraphrases = lru_cache(1 << 14)(self._paraphrases)

    def over(self, base: IndexedLexicon) -> GlossLexicon:
        """The same pairs beside another lexicon."""
        return GlossLexicon(base, self._plain)

    def lemmas(self, word: str) -> frozenset[str]:
        """The base lexicon's lemmas, and a traditional word's simplified form."""
        plain, forms = self._plain(word), self.base.lemmas(word)
        return forms if plain == word else forms | {plain}

    def _paraphrases(self, word: str) -> frozenset[str]:
        """The words that are paired with a word or its simplified form."""
        return frozenset(shipped_pairs().partners(self._plain(word)))

    def are_paraphrases(self, first: str, second: str) -> bool:
        """Whether the words are paired and share no sense."""
        return self._plain(second) in self.paraphrases(first) and not self.are_synonyms(first, second)


class Pairs:
    """Pairs of the sorted words' numbers: of each word those with a later word, and those with an earlier one."""

    def __init__(self, words: list[str], first: NDArray[np.uint16], second: NDArray[np.uint16]) -> None:
        """``first`` ascends and is below ``second``."""
        import numpy as np

        self._words = words
        order = np.argsort(second, kind="stable")
        self._later, self._earlier = (first, second), (second[order], first[order])

    @classmethod
    def read(cls, path: Path) -> Pairs:
        """The pairs that :func:`save` wrote.

        Raises:
            ResourceError: the file is missing or damaged.
        """
        import numpy as np

        try:
            with np.load(path) as stored:
                words = stored["words"].tobytes().decode().split("\n")
                counts, steps = stored["counts"], stored["steps"]
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise ResourceError(f"the word table {path} is damaged ({error}): reinstall the package") from error
        first = np.repeat(np.arange(len(words), dtype=np.uint16), counts)
        second = np.cumsum(steps, dtype=np.uint16)  # modulo 65,536
        before = np.zeros(len(words), np.uint16)  # where the steps of each word begin
        before[1:] = np.append(second, 0)[np.cumsum(counts, dtype=np.int64)[:-1] - 1]
        second += first - np.repeat(before, counts)
        return cls(words, first, second)

    def __len__(self) -> int:
        return len(self._later[0])

    def partners(self, word: str) -> list[str]:
        """The words paired with a word."""
        number = bisect_left(self._words, word)
        if number == len(self._words) or self._words[number] != word:
            return []
        listed, owner = [], self._later[0].dtype.type(number)  # another type would copy the arrays
        for owners, partners in (self._earlier, self._later):
            begin, end = owners.searchsorted(owner, "left"), owners.searchsorted(owner, "right")
            listed += [self._words[other] for other in partners[begin:end].tolist()]
        return listed


@cache
def shipped_pairs() -> Pairs:
    """The pairs that ship."""
    return Pairs.read(FILE)


def save(path: Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Write unordered pairs of fewer than 65,536 words: each word's later partners as steps from it and each other."""
    import numpy as np

    unique = sorted({(min(pair), max(pair)) for pair in pairs})
    words = sorted({word for pair in unique for word in pair})
    numbers = {word: number for number, word in enumerate(words)}
    first, second = (np.array([numbers[pair[side]] for pair in unique]) for side in (0, 1))
    counts = np.bincount(first, minlength=len(words))
    before = np.where(np.diff(first, prepend=-1) > 0, first, np.roll(second, 1))
    np.savez_compressed(
        path,
        words=np.frombuffer("\n".join(words).encode(), np.uint8),
        counts=counts.astype(np.uint16),
        steps=(second - before).astype(np.uint16),
    )
