"""Training data of the reader: sentences that people wrote, and the same ones broken as systems break them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sema_english.relations import FUNCTION_WORDS
from sema_ud.conllu import read_sentences

from sema.datasets.folder import data_folder

Words = list[str]
SHORTEST, LONGEST = 5, 45
"""The words of a sentence, split at spaces."""


@dataclass(frozen=True)
class Broken:
    """A sentence's words, the words of its broken version, and which of these stand at a break (1, else 0)."""

    whole: tuple[str, ...]
    words: tuple[str, ...]
    breaks: tuple[int, ...]


def sentences() -> list[str]:
    """Sentences of WikiSplit, OneStopEnglish and UD's English Web Treebank (train), each once, in order."""
    texts = [text for text in (*_wikisplit(), *_onestop(), *_ewt()) if SHORTEST <= len(text.split()) <= LONGEST]
    return [text for text in dict.fromkeys(texts) if text.isascii()]


def _wikisplit() -> Iterator[str]:
    for part in ("orig", "split"):
        file = data_folder("simplification", "wikisplit", f"wikisplit.valid.untok.{part}")
        for line in file.read_text(encoding="utf-8").splitlines():
            yield from (sentence.strip() for sentence in line.split("<::::>"))


def _onestop() -> Iterator[str]:
    for file in sorted(data_folder("simplification", "onestopenglish", "Texts-SeparatedByReadingLevel").rglob("*.txt")):
        for line in file.read_text(encoding="utf-8", errors="ignore").splitlines():
            yield from re.split(r'(?<=[.!?])\s+(?=[A-Z"“])', line.strip())


def _ewt() -> Iterator[str]:
    file = data_folder("ud", "en_ewt", "en_ewt-ud-train.conllu")
    yield from (sentence.text.strip() for sentence in read_sentences(file))


def break_all(tokenized: Sequence[Sequence[str]], seed: int) -> list[Broken]:
    """Break every sentence in one to three places; sentences that stay whole by chance are left out."""
    rng = random.Random(seed)
    vocabulary = [word for words in tokenized for word in words if word.isalpha()]
    broken = []
    for words in tokenized:
        sentence = _Sentence(list(words), [0] * len(words), vocabulary, rng)
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
            if len(sentence.words) >= SHORTEST:
                rng.choices(_WAYS, _SHARES)[0](sentence)
        if any(sentence.breaks):
            broken.append(Broken(tuple(words), tuple(sentence.words), tuple(sentence.breaks)))
    return broken


@dataclass
class _Sentence:
    """A sentence being broken."""

    words: Words
    breaks: list[int]
    vocabulary: Sequence[str]
    rng: random.Random

    def inner(self) -> int:
        return self.rng.randrange(1, len(self.words) - 1)

    def cut(self, begin: int, end: int) -> None:
        del self.words[begin:end], self.breaks[begin:end]
        self.mark(begin - 1, begin)

    def put(self, place: int, words: Sequence[str]) -> None:
        self.words[place:place] = words
        self.breaks[place:place] = [1] * len(words)

    def mark(self, *places: int) -> None:
        for place in places:
            if 0 <= place < len(self.breaks):
                self.breaks[place] = 1


def _word_deleted(sentence: _Sentence) -> None:
    small = [i for i, word in enumerate(sentence.words) if word.lower() in FUNCTION_WORDS]
    place = sentence.rng.choice(small) if small and sentence.rng.random() < 0.5 else sentence.inner()
    sentence.cut(place, place + 1)


def _phrase_deleted(sentence: _Sentence) -> None:
    place, length = sentence.inner(), sentence.rng.randint(2, 4)
    if place + length < len(sentence.words) - 1:
        sentence.cut(place, place + length)


def _repeated(sentence: _Sentence) -> None:
    place, length = sentence.inner(), sentence.rng.choice((1, 1, 2, 3))
    phrase = sentence.words[place : place + length]
    sentence.put(place + len(phrase), phrase)


def _neighbours_exchanged(sentence: _Sentence) -> None:
    place, words = sentence.inner(), sentence.words
    words[place], words[place + 1] = words[place + 1], words[place]
    sentence.mark(place, place + 1)


def _phrase_moved(sentence: _Sentence) -> None:
    place, length = sentence.inner(), sentence.rng.randint(1, 3)
    phrase = sentence.words[place : place + length]
    sentence.cut(place, place + len(phrase))
    sentence.put(sentence.rng.randrange(len(sentence.words)), phrase)


def _replaced(sentence: _Sentence) -> None:
    place = sentence.inner()
    sentence.words[place] = sentence.rng.choice(sentence.vocabulary)
    sentence.mark(place)


def _inserted(sentence: _Sentence) -> None:
    small = sentence.rng.random() < 0.7
    word = sentence.rng.choice(sorted(FUNCTION_WORDS) if small else sentence.vocabulary)
    sentence.put(sentence.inner(), [word])


def _form_changed(sentence: _Sentence) -> None:
    place = sentence.inner()
    word = sentence.words[place]
    for ending in ("s", "ed", "ing"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            sentence.words[place] = word.removesuffix(ending)
            break
    else:
        sentence.words[place] = word + sentence.rng.choice(("s", "ing", "ed"))
    sentence.mark(place)


def _end_lost(sentence: _Sentence) -> None:
    stop = sentence.rng.randrange(len(sentence.words) // 2, len(sentence.words) - 1)
    sentence.cut(stop, len(sentence.words) - (sentence.rng.random() < 0.7))


_WAYS: Sequence[Callable[[_Sentence], None]] = (
    _word_deleted, _phrase_deleted, _repeated, _neighbours_exchanged, _phrase_moved, _replaced, _inserted,
    _form_changed, _end_lost,
)  # fmt: skip
_SHARES = (22, 12, 12, 12, 8, 14, 8, 6, 6)
