"""Fit the levels of passages: ``python -m training.english.passages``.

A passage's level is linear in the mean level of its sentences, by the shipped networks, and in the mean level of its
different content words. It is fitted to the beginnings of every second article of OneStopEnglish at three levels, which
count as midway between A2 and B1, between B1 and B2, and between B2 and C1; the other articles remain for figures.
Writes ``passages.json`` beside the networks. One thread; a few minutes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from math import isnan
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sema_english.features.lexical import is_content
from sema_english.levels.cefr import EnglishLevels
from sema_english.levels.network import FILE as NETWORKS
from sema_english.levels.network import PASSAGES, WEIGHTS, PassageLevels
from sema_english.relations import english_lexicon
from sema_english.segmentation import EnglishSegmenter
from sema_ucca.encoder import UccaEncoder

from sema.model.text import Text
from sema.runtime.checksums import write_sums
from training.command import command
from training.data.corpora import LEVELS, articles

Array = NDArray[np.float64]
WORDS = 180
"""The beginning of an article is its first paragraphs that together have so many words."""
TARGETS = {"adv": 4.5, "int": 3.5, "ele": 2.5}


def beginning(article: str) -> str:
    """The first paragraphs of an article."""
    chosen: list[str] = []
    for paragraph in filter(None, map(str.strip, article.splitlines())):
        chosen.append(paragraph)
        if sum(len(part.split()) for part in chosen) >= WORDS:
            break
    return "\n".join(chosen)


def means(texts: Sequence[str]) -> Array:
    """The mean level of each text's sentences, weighted by their words, and that of its content words (texts, 2)."""
    reader, encoder = EnglishLevels(english_lexicon()), UccaEncoder(threads=1)
    rows = []
    for text in EnglishSegmenter().segment(texts):
        states = [one.astype(np.float16).astype(np.float32) for one in encoder.states(text.sentence_words)]
        alone = [Text.from_sentences([words]) for words in text.sentence_words]
        levels = reader.read(zip(alone, states, strict=True))
        rated = [(level.value, len(level.words)) for level in levels if not isnan(level.value)]
        words = {
            word.lower(): own
            for sentence, level in zip(text.sentence_words, levels, strict=True)
            for word, own in zip(sentence, level.words, strict=True)
            if own is not None and is_content(word)
        }
        values, sizes = zip(*rated, strict=True)
        rows.append([np.average(values, weights=sizes), np.mean([*words.values()])])
    return np.array(rows)


@command
def main(to: Path = WEIGHTS) -> None:
    """Fit."""
    given = articles()
    features = means([beginning(text) for level in LEVELS for text in given[level]])
    targets = np.repeat([TARGETS[level] for level in LEVELS], len(given["adv"]))
    known = np.tile(np.arange(len(given["adv"])) % 2 == 0, len(LEVELS))
    table = np.column_stack([np.ones(len(features)), features])
    weights = np.linalg.lstsq(table[known], targets[known], rcond=None)[0].round(4).tolist()
    record = json.dumps(asdict(PassageLevels(*weights)), indent=1)
    (to / PASSAGES).write_text(f"{record}\n", encoding="utf-8")
    write_sums(to, [NETWORKS, PASSAGES])


if __name__ == "__main__":
    main()
