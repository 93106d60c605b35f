from concurrent.futures import CancelledError
from threading import Event

import numpy as np
import pytest
from sema_ucca.encoder import UccaEncoder
from sema_ucca.parser import UccaParser

from sema.runtime.threads import stoppable
from tests.sema_ucca.sentences import ODD, SENTENCES

LONG = ["the", "old", "man", "gave", "his", "dog", "a", "bone", ","] * 60


def fresh() -> UccaEncoder:
    return UccaEncoder(threads=1)


def test_parsing_keeps_the_states_that_encoding_gives_whatever_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sema_ucca.parser.AT_A_TIME", 7)
    shared = UccaEncoder(threads=2)
    shared.keep_states()
    sentences = [tuple(sentence[:size]) for sentence in SENTENCES for size in range(1, len(sentence) + 1)]
    sentences += [tuple(LONG), *map(tuple, ODD)]
    trees = UccaParser(encoder=shared).trees(sentences)
    plain = UccaParser(encoder=fresh())
    assert trees == [plain.trees([sentence])[0] for sentence in sentences]
    kept = dict(shared._kept[None])
    assert {*sentences} - {*map(tuple, ODD)} | {("Hello",)} <= set(kept) and () not in kept
    for sentence, states in kept.items():
        np.testing.assert_array_equal(states, fresh().states([sentence])[0])


def test_reading_that_nobody_wants_ends_at_its_next_batch() -> None:
    encoder = UccaEncoder(threads=2)
    sentences = [["word"] * size for size in range(20, 90)]
    cut = encoder.cut(sentences)
    words = [list(range(len(part))) for part in cut.parts]
    stop = Event()
    with stoppable(stop.is_set):
        found = encoder.run(cut, words, ("margins.ucca",))
        next(found)
        stop.set()
        with pytest.raises(CancelledError):
            list(found)
    assert list(encoder.run(cut, words[:1] + [[]] * (len(words) - 1), ("margins.ucca",)))  # other readings go on
