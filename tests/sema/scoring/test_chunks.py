"""Chunks: the next are read while one is scored, and the first is scored in pieces; neither changes a result."""

import signal
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sema import Item, Language, SceneGraph, Scorer
from sema.metrics.base import MeanMetric
from sema.scoring.coerce import Inputs
from tests.commands import files
from tests.esperanto import Extractor, WordCount, esperanto

SIZE = 16
SECONDS = 600
TEXTS = [f"La kato{number}o dormas." for number in range(4 * SIZE)]


class Threaded(Extractor):
    """May be called from several threads, and says what it was asked for."""

    threads = 2
    asked: list[str]

    def __init__(self) -> None:
        self.asked = []
        self.arrived = threading.Condition()

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        with self.arrived:
            self.asked.extend(words[1] for words in sentences)
            self.arrived.notify_all()
        return super().extract(sentences)


def language(extractor: Extractor) -> Language:
    return replace(esperanto(), extractors={"threaded": lambda: extractor})


def at_work() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("sema-reading")]


@pytest.fixture(autouse=True)
def nothing_is_left_at_work() -> Iterator[None]:
    yield
    assert at_work() == []


class Watching(MeanMetric):
    """Looks, at the turn of the first chunk, whether the third one comes to be read in time."""

    name = "watching"

    def __init__(self, extractor: Threaded) -> None:
        self.extractor = extractor

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        with self.extractor.arrived:
            read = self.extractor.arrived.wait_for(lambda: f"kato{2 * SIZE}o" in self.extractor.asked, SECONDS)
        return [float(read)] * len(items)


def test_scores_are_those_of_one_thread() -> None:
    outputs = {"a": TEXTS, "b": [*TEXTS[1:], "Hundo kuras. Kato0o dormas."]}
    plain = Scorer(language(Extractor()), ["sema", "samsa", WordCount()]).score(TEXTS, outputs)
    ahead = Scorer(language(Threaded()), ["sema", "samsa", WordCount()]).score(TEXTS, outputs)
    assert ahead == plain


def test_the_next_two_chunks_are_read_while_one_is_scored() -> None:
    extractor = Threaded()
    stream = Scorer(language(extractor), ["sema", Watching(extractor)]).stream(Inputs(TEXTS, {"a": TEXTS}))
    assert next(stream)[0][0].scores["watching"] == 1.0
    assert f"kato{3 * SIZE}o" not in extractor.asked  # and no more than these
    stream.close()


class Interrupted(MeanMetric):
    name = "interrupted"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        signal.raise_signal(signal.SIGINT)
        return [0.0] * len(items)


def test_an_interrupt_ends_it() -> None:
    extractor = Threaded()
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are deaf to Ctrl-C
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            Scorer(language(extractor), ["sema", Interrupted()]).score(TEXTS, TEXTS)
    finally:
        signal.signal(signal.SIGINT, heard)
    assert at_work() == [] and caught.tb is not None, "the traceback still holds what was under way"
    assert f"kato{3 * SIZE}o" not in extractor.asked


def test_progress_comes_in_pieces_that_double_then_by_whole_chunks(tmp_path: Path) -> None:
    scorer, seen = Scorer(esperanto(), ["sema", "sari"]), []
    texts = TEXTS[:23]
    given = texts, {"a": texts[::-1], "b": ["La kato."] * 23}, [[text] for text in texts]
    scorer.write(tmp_path / "whole", *given)
    scorer.write(tmp_path / "pieces", *given, progress=lambda done, total: seen.append(done))
    assert seen == [2, 4, 8, 16, 23]
    assert files(tmp_path / "whole") == files(tmp_path / "pieces")


@pytest.mark.parametrize("count", [1, 3, SIZE, SIZE + 1])
def test_every_number_of_items_is_scored_once(count: int) -> None:
    texts = TEXTS[:count]
    report = Scorer(esperanto(), ["sema"]).score(texts, {"a": texts}, progress=lambda done, total: None)
    assert [item.index for item in report["a"].items] == list(range(count))
