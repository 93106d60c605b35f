"""Pairs of Chinese words that may replace each other: ``sema_chinese/tables/glosses.npz``.

    python -m training.chinese.synonyms [--to FILE]

A pair's signals, from CC-CEDICT's glosses, characters and embeddings, are weighed by a logistic regression that is
fitted to one half of the hard words that people replaced (``lexicons/zh/lexical_simplification``: 524 words in
sentences, with substitutes by six people); the other half measures it (``benchmarks/results/finished.md``). The
threshold lets a given share of false pairs through.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags
from sema_chinese.aligner import are_opposed
from sema_chinese.notation.spelling import number_value, plain
from sema_chinese.relations import FUNCTION_WORDS, GLOSSES
from sema_chinese.words import word_table
from sema_reader.languages import shipped_pieces
from sema_wordnet import WordNetLexicon

from sema.languages import find_language
from sema.runtime.pairs import save_pairs
from training.command import command
from training.data.tables import read_lines, table

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]
"""Places of words."""
Pairs = Sequence[tuple[str, str]]

FALSE = 0.001
"""The share of false pairs of the fitted half that get through."""
MOST = 1_000_000
"""How many pairs ship at most."""
SENTENCES = 200
"""Sentences of MCTS dev that are paired with unrelated ones."""
APART = (2, 4, 6)
"""How many sentences further the unrelated ones are."""
MOST_FALSE = 60_000
"""The most false pairs of each kind."""
HAN = re.compile(r"^[一-鿿]{1,4}$")
TAGS = frozenset(
    re.findall(
        r"\w+",
        "n ng nr nrt nrfg ns nt nz j v vd vg vi vq vn a ad an ag b z d dg df m mg mq q r rg rr rz c p u ud ug uj ul uv "
        "uz y e o k h i l t tg s f zg g x",
    )
)
"""Parts of speech (ICTCLAS) of jieba's words that are in use."""
LEAST_FREQUENT = 11
"""Occurrences of a word in jieba's dictionary."""
ASIDE = re.compile(r"\([^)]*\)|\[[^]]*\]|[\u4e00-\u9fff|]+")
NO_MEANING = re.compile(
    r"CL:|also pr\.|Taiwan pr\.|surname |see |(\w+ )?variant of|used in|also written|abbr\.|pr\.|lit\."
)
"""Beginnings of notes that are not glosses."""
TOKEN = re.compile(r"[a-z][a-z'-]*")
EMPTY = frozenset(
    TOKEN.findall(
        "a an the to of in on at for with by be sb sth or and from as one one's oneself sb's into up out very etc is "
        "it that this its being have has do esp other about"
    )
)
"""Words of glosses that say nothing."""
DENYING = frozenset(["not", "no", "without", "never", "non", "lack", "lacking"])
"""Words that negate a gloss; the other words of a negated gloss count as different words."""
COMMON = 2000
"""Words of glosses in more entries than this make no pairs."""
LEAST_HEADS, LEAST_CHARACTERS = 0.12, 6.5
"""A pair is a candidate if the cosine of its glosses' words, or the weight of its shared characters, is this high."""
BLOCK = 2000
"""Words that are compared with all others at a time."""


def known_words() -> Iterator[str]:
    """The words of jieba's dictionary and of the Chinese wordnets."""
    for line in files("jieba").joinpath("dict.txt").read_text(encoding="utf-8").splitlines():
        word, frequency, tag = line.split()
        if int(frequency) >= LEAST_FREQUENT and tag in TAGS:
            yield word
    for name in ("lexicons/cow/wn-data-cmn.tab", "lexicons/wikt/wn-wikt-cmn.tab"):
        for columns in (line.split("\t") for line in read_lines(name)):
            if len(columns) == 3 and columns[1].endswith("lemma"):
                yield columns[2].replace("+", "")


def entries() -> Iterator[tuple[str, str]]:
    """The words of one to four characters that are in use and are not names, each with its glosses."""
    used = {*known_words(), *word_table()}
    for row in table("lexicons", "zh", "cc_cedict.tsv.gz"):
        if HAN.match(row["simplified"]) and row["simplified"] in used and not row["pinyin"][:1].isupper():
            yield row["simplified"], row["glosses"]


def glosses(text: str) -> Iterator[str]:
    """The glosses of an entry without notes and asides.

    >>> list(glosses("indeed ; really (very much so) ; CL:個|个[ge4]"))
    ['indeed', 'really']
    """
    for part in re.split(r";(?![^(]*\))", text):
        plain = " ".join(ASIDE.sub(" ", part).removeprefix("fig. ").split()).strip(" ,.:")
        if plain and not NO_MEANING.match(part.strip()):
            yield plain.lower()


_english = cache(WordNetLexicon.english)


@cache
def content(gloss: str) -> tuple[str, ...]:
    """The base forms of a gloss's content words; the words of a negated gloss are marked.

    >>> content("to be unable to wait"), content("not quiet")
    (('unable', 'wait'), ('not quiet',))
    """
    words = TOKEN.findall(gloss)
    sign = "not " if DENYING.intersection(words) else ""
    forms = (_english().lemmas(word) or {word} for word in words if word not in EMPTY | DENYING)
    return tuple(sign + min(own, key=lambda form: (len(form), form)) for own in forms)


class Glosses:
    """All words with the features that they are compared by.

    Attributes:
        words: the words, sorted.
        numbers: the place of each.
    """

    def __init__(self) -> None:
        """Read the dictionary."""
        glosses_of: dict[str, set[str]] = {}
        for word, text in entries():
            glosses_of.setdefault(word, set()).update(glosses(text))
        self.words = sorted(word for word, listed in glosses_of.items() if listed)
        self.numbers = {word: number for number, word in enumerate(self.words)}
        read = [[content(gloss) for gloss in glosses_of[word]] for word in self.words]
        heads = _matrix([{head for gloss in listed for head in gloss} for listed in read])
        rare = heads @ diags(_rarity(heads))
        length = np.sqrt(np.asarray(rare.multiply(rare).sum(1)).ravel())
        kept = diags((np.asarray(heads.sum(0)).ravel() <= COMMON).astype(float))
        parts = [heads, _matrix([{" ".join(gloss) for gloss in listed} for listed in read])]
        parts.append(_matrix([set(word) for word in self.words]))
        heads, whole, characters = (part @ diags(np.sqrt(_rarity(part))) for part in parts)
        unit = diags(1 / np.maximum(length, 1e-9)) @ rare @ kept
        self._parts = [csr_matrix(part) for part in (unit, heads @ kept, whole, characters)]
        pieces, table = shipped_pieces()
        vectors = (table[np.array([pieces.of_string(word)[0]])][0].mean(0) for word in self.words)
        unit_vectors = [vector / max(float(np.linalg.norm(vector)), 1e-9) for vector in vectors]
        self._vectors = np.stack(unit_vectors).astype(np.float32)
        self._lengths = np.array([len(word) for word in self.words])

    def candidates(self) -> Iterator[tuple[Numbers, Numbers]]:
        """The pairs to look at, each once, a block of words at a time."""
        heads, characters = self._parts[0], self._parts[3]
        for start in range(0, len(self.words), BLOCK):
            alike = heads[start : start + BLOCK] @ heads.T >= LEAST_HEADS
            alike += characters[start : start + BLOCK] @ characters.T >= LEAST_CHARACTERS
            first, second = alike.nonzero()
            first = first + start
            yield first[first < second], second[first < second]

    def signals(self, first: Numbers, second: Numbers) -> Floats:
        """The signals of pairs of words (pairs, 6); the last is the cosine of the means of their pieces' embeddings."""
        products = [np.asarray(part[first].multiply(part[second]).sum(1)).ravel() for part in self._parts]
        near = np.einsum("ij,ij->i", self._vectors[first], self._vectors[second])
        return np.stack([*products, products[3] / (self._lengths[first] + self._lengths[second]), near], axis=1)


def _matrix(rows: Sequence[set[str]]) -> csr_matrix:
    columns = {name: number for number, name in enumerate(sorted({name for row in rows for name in row}))}
    indices = [columns[name] for row in rows for name in sorted(row)]
    starts = np.cumsum([0, *map(len, rows)])
    return csr_matrix((np.ones(len(indices)), indices, starts), shape=(len(rows), len(columns)))


def _rarity(part: csr_matrix) -> Floats:
    """The logarithm of each column's inverse frequency, at least 0.01."""
    rarity: Floats = np.maximum(np.log(part.shape[0] / (1 + np.asarray(part.sum(0)).ravel())), 0.01)
    return rarity


def looked_at(rows: Floats) -> NDArray[np.bool_]:
    """Whether pairs with these signals are candidates."""
    wanted: NDArray[np.bool_] = (rows[:, 0] >= LEAST_HEADS) | (rows[:, 3] >= LEAST_CHARACTERS)
    return wanted


def fitted(glosses: Glosses) -> tuple[Callable[[Floats], Floats], float]:
    """A score of signals and their products, fitted to the candidates among true and false pairs, minus infinity for
    any other pair; and the score that at most :data:`FALSE` of each kind of false pairs exceed."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    def signals_of(pairs: Pairs) -> Floats:
        """Zeros where the dictionary lacks a word."""
        known = [place for place, pair in enumerate(pairs) if all(word in glosses.numbers for word in pair)]
        first, second = (np.array([glosses.numbers[pairs[place][side]] for place in known], np.intp) for side in (0, 1))
        signals = glosses.signals(first, second)
        rows = np.zeros((len(pairs), signals.shape[1]))
        rows[known] = signals
        return rows

    true, *false = map(signals_of, (*read_substitutes(0), unrelated()))
    rows = np.concatenate([true, *false])
    used = looked_at(rows)
    model = make_pipeline(PolynomialFeatures(include_bias=False), StandardScaler(), LogisticRegression(max_iter=500))
    model.fit(rows[used], (np.arange(len(rows)) < len(true))[used])

    def score(rows: Floats) -> Floats:
        return np.where(looked_at(rows), model.decision_function(rows), -np.inf)

    return score, max(float(np.quantile(score(own), 1 - FALSE, method="higher")) for own in false)


def pairs(glosses: Glosses, score: Callable[[Floats], Floats], least: float) -> list[tuple[str, str]]:
    """The pairs above the threshold that are likeliest and of the most common words.

    Opposites are left out, and so are pairs of which one word has all characters of the other (规则, 不规则): those
    are judged by their forms.
    """
    zipf = np.array([word_table().zipf(word) for word in glosses.words])
    blocks = []
    for first, second in glosses.candidates():
        scores = score(glosses.signals(first, second))
        places = np.flatnonzero(scores > least)
        first, second = first[places], second[places]
        blocks.append((first, second, scores[places] + zipf[first] + zipf[second]))
    firsts, seconds, worth = map(np.concatenate, zip(*blocks, strict=True))
    order = np.argsort(-worth, kind="stable").tolist()
    likeliest = ((glosses.words[firsts[place]], glosses.words[seconds[place]]) for place in order)
    return list(islice((pair for pair in likeliest if not _judged_by_form(*pair)), MOST))


def _judged_by_form(one: str, other: str) -> bool:
    return set(one) <= set(other) or set(other) <= set(one) or are_opposed(one, other)


def read_substitutes(which: int) -> tuple[Pairs, Pairs]:
    """Hard words of a half with their substitutes, and false pairs: with words of other sentences of the same part of
    speech."""
    listing = table("lexicons", "zh", "lexical_simplification.tsv.gz")
    rows = [row for row in listing if crc32(row["word"].encode()) % 2 == which]
    listed: dict[str, set[str]] = {}
    for row in rows:
        listed.setdefault(row["word"], {row["word"]}).update(row["substitutes"].split())
    true = [(row["word"], other) for row in rows for other in row["substitutes"].split()]
    false = [
        (row["word"], word)
        for row in rows
        for other in rows
        if row["pos"] == other["pos"] and row["word"] != other["word"]
        for word in (other["word"], *other["substitutes"].split())
        if word not in listed[row["word"]]
    ]
    return true, _some(false)


def _some(pairs: Pairs) -> Pairs:
    return random.Random(0).sample(pairs, min(MOST_FALSE, len(pairs)))


def unrelated() -> Pairs:
    """False pairs: content words of sources, every second one, and of simplifications of other sentences."""
    texts = []
    segmenter = find_language("zh").parts().segmenter
    for name in ("mcts.dev.orig", "mcts.dev.simp.0"):
        lines = read_lines("simplification", "mcts", "dataset", name)[:SENTENCES]
        texts.append([content_words(text.words) for text in segmenter.segment(lines)])
    sources, outputs = texts
    others = [(source, outputs[(number + step) % len(outputs)])
              for number, source in enumerate(sources) if number % 2 == 0 for step in APART]  # fmt: skip
    return _some([(a, b) for source, output in others for a in source for b in output if a != b])


def content_words(words: Sequence[str]) -> list[str]:
    """The content words of a sentence, in simplified characters."""
    bare = [plain(word) for word in words]
    return [word for word in bare if word.isalpha() and word not in FUNCTION_WORDS and number_value(word) is None]


@command
def main(to: Path = GLOSSES) -> None:
    """Write the table."""
    glosses = Glosses()
    save_pairs(to, pairs(glosses, *fitted(glosses)))


if __name__ == "__main__":
    main()
