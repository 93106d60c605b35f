import subprocess
import sys
from concurrent.futures import CancelledError
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from sema_ucca.encoder import UccaEncoder
from sema_ucca.parser import UccaParser

from sema.runtime.threads import stoppable
from tests.commands import environment
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


SESSIONS = """
from pathlib import Path
import numpy as np
from sema.runtime.onnx import Session
from sema_ucca.network import WEIGHTS
from sema_ucca.pieces import all_spans

starts, ends = all_spans(2)
words, mask, two = np.zeros((8, 300, 384), np.float32), np.ones((8, 300), np.int64), np.ones((8, 2), np.int64)
given = {"words": words, "mask": mask, "first": two, "last": two, "starts": starts, "ends": ends}
for session in [Session(WEIGHTS / "model.int8.onnx") for _ in range(2)]:
    session.run(["states"], given)
    print(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0])
"""


@pytest.mark.stress
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
def test_sessions_share_their_buffers() -> None:
    run = subprocess.run([sys.executable, "-c", SESSIONS], capture_output=True, text=True, env=environment())
    first, second = map(int, run.stdout.split())
    assert second - first < 20_000, "a batch takes some 100,000 kB"
