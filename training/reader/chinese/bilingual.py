"""English words for Chinese ones: from the wordnets, and from training sentences that exist in both languages.

Three Chinese training sets were translated from English ones that are at hand: PAWS names the pairs, those of SNLI and
STS are found by their words. Model 1 of Brown et al. (Computational Linguistics 1993) then learns which words translate
which, the wordnets' translations being sentences of one word to it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import log, sqrt

import numpy as np
from scipy.sparse import csr_matrix
from sema_chinese.language import segmenter
from sema_wordnet.index import WordIndex
from sema_wordnet.lexicon import DATA, WordNetLexicon

from training.reader.english.examples import rows
from training.reader.words import Words, simplified

Translations = Mapping[str, Mapping[str, float]]
"""For each Chinese word the probabilities of English ones."""
Row = Mapping[str, str]
_ENGLISH = re.compile(r"[a-z]+|\d+")
_SENSES = 8
_LEAST = 0.02
"""The probability below which a translation is left out."""
_ROUNDS = 6
_NEAR = {"snli": 0.55, "sts": 0.72}
"""Similarities from which a pair is the translation of another, if the labels agree."""
_LABELS_DIFFER = 0.75
"""How far the scores of a translated STS pair may differ: the Chinese ones are rounded."""
PAWS_HELD_OUT = 500
"""The pairs at the end of the Chinese PAWS that train nothing."""
_LEFT_OUT = frozenset(["of", "the", "in", "to", "a", "be"])
PARTS = ("premise", "hypothesis")
ZH_SETS = ("snli", "snli_2", "sts", "paws")


def english_words(text: str) -> list[str]:
    """The lower-case words and figures of an English text."""
    return _ENGLISH.findall(text.lower())


def chinese_words(text: str) -> Words:
    """The words of a text of the Chinese training sets, in simplified characters."""
    return _chinese()[text]


@cache
def _chinese() -> Mapping[str, Words]:
    texts = sorted({row[part] for name in ZH_SETS for row in zh_rows(name) for part in PARTS})
    return {text: simplified(read.words) for text, read in zip(texts, segmenter().segment(texts), strict=True)}


@cache
def _rows(name: str) -> list[dict[str, str]]:
    found = list(rows("zh", "train", f"{name}.tsv.gz"))
    return found[:-PAWS_HELD_OUT] if name == "paws" else found


def zh_rows(*names: str) -> Iterator[dict[str, str]]:
    """The rows of Chinese training sets; of PAWS all but the last."""
    for name in names:
        yield from _rows(name)


@cache
def glosses() -> Translations:
    """The English lemmas of each Chinese word's synsets, by how often they are tagged with these."""
    english, chinese = (WordIndex.load(DATA / f"{name}.npz") for name in ("english", "chinese"))
    lemmas: dict[int, dict[str, float]] = defaultdict(dict)
    for lemma in english:
        for synset, tagged in english.senses(lemma):
            lemmas[synset][lemma] = tagged + 0.3
    found = {}
    for word in chinese:
        counts: Counter[str] = Counter()
        for synset, _ in chinese.senses(word):
            counts.update(lemmas[synset])  # type: ignore[arg-type]
        whole = sum(counts.values())
        if whole:
            found[word] = {lemma: count / whole for lemma, count in counts.most_common(_SENSES)}
    return found


@dataclass
class Bitext:
    """Pairs of training rows that translate each other, and the translations of words learned from them."""

    pairs: list[tuple[Row, Row]]
    words: Translations = field(default_factory=dict)

    def sentences(self) -> Iterator[tuple[Words, list[str]]]:
        """Translated sentences."""
        for chinese, english in self.pairs:
            for part in PARTS:
                yield chinese_words(chinese[part]), english_words(english[part])

    def learn(self) -> None:
        """Learn the translations of words."""
        translated = [(words, english, 1.0) for words, english in self.sentences()]
        listed = [
            ((word,), [one for one in lemma.split("_") if one not in _LEFT_OUT] or [lemma], weight)
            for word, lemmas in glosses().items()
            for lemma, weight in lemmas.items()
        ]
        self.words = model_one([*translated, *listed])


def bitext() -> Bitext:
    """Translations of the training sets, found twice: by the wordnets' words, then by those learned."""
    paws = {row["id"]: row for row in rows("train", "paws.tsv.gz")}
    known: list[tuple[Row, Row]] = [(row, paws[row["id"]]) for row in zh_rows("paws")]
    found = Bitext(known)
    sets = {"snli": list(rows("dev", "snli.tsv.gz")), "sts": list(rows("train", "sts.tsv.gz"))}
    for _ in range(2):
        found = Bitext(
            [*known, *(pair for name, english in sets.items() for pair in _matched(name, english, found.words))]
        )
        found.learn()
    return found


def model_one(sentences: Sequence[tuple[Words, Sequence[str], float]]) -> Translations:
    """The probabilities of English words given Chinese ones, from weighted pairs of sentences."""
    chinese: dict[str, int] = {}
    english: dict[str, int] = {}
    entries = []
    place = 0
    for words, others, weight in sentences:
        numbers = [chinese.setdefault(word, len(chinese)) for word in words]
        for other in others:
            number = english.setdefault(other, len(english))
            entries += [(word, number, place, weight) for word in numbers]
            place += 1
    columns = np.array(entries)
    keys, of_entry = np.unique(columns[:, 0] * len(english) + columns[:, 1], return_inverse=True)
    places, weights = columns[:, 2].astype(np.int64), columns[:, 3]
    first, second = (keys // len(english)).astype(np.int64), (keys % len(english)).astype(np.int64)
    chances = np.ones(len(keys))
    for _ in range(_ROUNDS):
        shares = chances[of_entry]
        shares = shares / np.bincount(places, shares)[places] * weights
        counts = np.bincount(of_entry, shares, len(keys))
        chances = counts / np.bincount(first, counts)[first]
    names, others = list(chinese), list(english)
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for key in np.argsort(-chances):
        if chances[key] < _LEAST:
            break
        mine = found[names[first[key]]]
        if len(mine) < _SENSES:
            mine[others[second[key]]] = float(chances[key])
    return found


def _matched(name: str, english: Sequence[Row], words: Translations) -> Iterator[tuple[Row, Row]]:
    """The rows of a Chinese set with the English rows whose words they share most of, if the labels agree."""
    chinese = list(zh_rows(name))
    counts: Counter[str] = Counter()
    bags = [[Counter(map(_lemma, english_words(row[part]))) for part in PARTS] for row in english]
    for both in bags:
        counts.update(both[0].keys() | both[1].keys())
    rarity = {word: log(len(english) / count) for word, count in counts.items()}
    column = {word: number for number, word in enumerate(rarity)}

    def matrix(of_rows: Sequence[Sequence[Mapping[str, float]]]) -> csr_matrix:
        places, columns, values = [], [], []
        for place, both in enumerate(of_rows):
            for side, bag in enumerate(both):
                known = {word: min(count, 1.5) * rarity[word] for word, count in bag.items() if word in rarity}
                size = sqrt(sum(value * value for value in known.values())) or 1.0
                for word, value in known.items():
                    places.append(place)
                    columns.append(column[word] + side * len(column))
                    values.append(value / size)
        return csr_matrix((values, (places, columns)), (len(of_rows), 2 * len(column)), dtype=np.float32)

    there = matrix(bags).T.tocsr()
    here = matrix([[_in_english(chinese_words(row[part]), words) for part in PARTS] for row in chinese])
    for start in range(0, len(chinese), 500):
        near = (here[start : start + 500] @ there).toarray()
        for row, values in zip(chinese[start : start + 500], near, strict=True):
            other = english[int(values.argmax())]
            if values.max() > _NEAR[name] and _agree(row["label"], other["label"]):
                yield row, other


def _agree(label: str, other: str) -> bool:
    if label.replace(".", "").isdigit():
        return abs(float(label) - float(other)) <= _LABELS_DIFFER
    return label == other


def _in_english(words: Words, learned: Translations) -> Counter[str]:
    """A bag of English lemmas for a Chinese sentence."""
    found: Counter[str] = Counter()
    for word in words:
        translations = learned.get(word) or glosses().get(word) or {}
        if not translations and word.isascii():
            translations = dict.fromkeys(english_words(word), 1.0)
        for english, chance in translations.items():
            for lemma in map(_lemma, english.split("_")):
                found[lemma] += sqrt(chance)  # type: ignore[assignment]
    return found


@cache
def _lemma(word: str) -> str:
    return min(_wordnet().lemmas(word), key=len, default=word)


@cache
def _wordnet() -> WordNetLexicon:
    return WordNetLexicon.english()
