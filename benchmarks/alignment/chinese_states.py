"""Whether states in context tell which Chinese words may replace each other, alone and beside glosses.

    python -m benchmarks.alignment.chinese_states

Data, halves and thresholds are those of ``benchmarks.alignment.chinese_synonyms``. A hard word in its sentence is
compared with the other word in its place; unrelated words stand in their own sentences. The signal is the cosine of
their vectors in a layer of the cross-encoder; alone, it has the first ``MOST`` pairs of the same class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from sema_chinese.relations import spell
from sema_chinese.token_encoder import ChineseTokenEncoder, Vectors

from benchmarks.alignment.chinese_synonyms import DATA, DIGITS, KINDS, SHARES, kinds, shares
from benchmarks.records import CommandLine, Figures, run
from training.chinese.glosses import SIGNALS, Floats, Glosses
from training.chinese.substitutes import content_words, hard_words, read_sets, some, unrelated_sentences
from training.chinese.synonyms import Scorer, fit, looked_at, signals_of, threshold

LAYERS, MOST, SMOKE = (4, 6, 8), 6000, 20
CHUNK = 64
Use = tuple[tuple[str, ...], int]
"""A word in a sentence."""
Pairs = list[tuple[Use, Use]]


def in_context(which: int, same_class: Sequence[tuple[str, str]]) -> list[Pairs]:
    """The pairs of a half, in the order of ``read_sets``."""
    rows = hard_words(which)
    first = {row["word"]: row for row in reversed(rows)}
    true = [replaced(row, other) for row in rows for other in row["substitutes"].split()]
    return [true, [replaced(first[word], other) for word, other in same_class], some(list(apart(which)))]


def replaced(row: Mapping[str, str], other: str) -> tuple[Use, Use]:
    words, place = row["sentence"].split(), int(row["position"])
    return (tuple(words), place), ((*words[:place], other, *words[place + 1 :]), place)


def apart(which: int) -> Iterator[tuple[Use, Use]]:
    for source, output in unrelated_sentences(which):
        sides = [
            [(tuple(words), k) for k, word in enumerate(words) if content_words([word])] for words in (source, output)
        ]
        for (words, i), (others, j) in ((use, other) for use in sides[0] for other in sides[1]):
            if spell(words[i], numerals=False) != spell(others[j], numerals=False):
                yield (words, i), (others, j)


def cosines(encoder: ChineseTokenEncoder, pairs: Pairs, wanted: Sequence[int]) -> Floats:
    """The cosines of the wanted pairs (pairs, 1), 0 for the others."""
    places: dict[tuple[str, ...], set[int]] = {}
    for words, place in (use for number in wanted for use in pairs[number]):
        places.setdefault(words, set()).add(place)
    known: dict[Use, Vectors] = {}
    sentences = list(places)
    for start in range(0, len(sentences), CHUNK):
        chunk = sentences[start : start + CHUNK]
        for words, states in zip(chunk, encoder.words(chunk), strict=True):
            known.update(((words, place), states[place].copy()) for place in places[words])
    found = np.zeros((len(pairs), 1))
    for number in wanted:
        found[number] = known[pairs[number][0]] @ known[pairs[number][1]]
    return found


def main(argv: Sequence[str] | None = None) -> None:
    smoke = CommandLine(__doc__).parse(argv).smoke
    sets = [read_sets(0), read_sets(1)]
    pairs = [in_context(which, one.same_class) for which, one in enumerate(sets)]
    if smoke:
        cosines(ChineseTokenEncoder(), pairs[0][2], range(SMOKE))
        return
    glosses = Glosses()
    rows = [[signals_of(glosses, listed) for listed in kinds(one)] for one in sets]
    for layer in LAYERS:  # a fitted score looks at some pairs of the same class alone
        encoder = ChineseTokenEncoder(layer=layer)
        for half, known in zip(pairs, rows, strict=True):
            for kind, row in enumerate(known):
                seen = looked_at(row) | (np.arange(len(row)) < MOST) | (kind != 1)
                known[kind] = np.append(row, cosines(encoder, half[kind], np.flatnonzero(seen).tolist()), axis=1)
    own = len(SIGNALS)
    for share in SHARES:
        print(f"\nThresholds let {share:.1%} of the fitted half's false pairs through:\n")
        table = Figures(f"chinese_alignment.states_{share * 1000:.0f}", "by", digits=DIGITS, data=DATA)

        def show(
            name: str, score: Scorer, most: int | None = None, share: float = share, table: Figures = table
        ) -> None:
            fitted, held = ([half[0], half[1][:most], half[2]] for half in rows)
            found = shares(held, score, threshold(score, fitted[1:], share))
            table.row(name, dict(zip(KINDS, found, strict=True)), n=dict(zip(KINDS, map(len, held), strict=True)))

        for column, layer in enumerate(LAYERS, own):
            show(f"states, layer {layer}", lambda signals, column=column: signals[:, column], MOST)
        show("glosses, characters, embeddings of pieces", fit(rows[0][0], rows[0][1:], range(own)))
        for column, layer in enumerate(LAYERS, own):
            score = fit(rows[0][0], rows[0][1:], [*range(own), column])
            show(f"... and states, layer {layer}", score)


if __name__ == "__main__":
    run(main)
