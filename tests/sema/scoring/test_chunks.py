"""Chunks: the next are read while one is scored, and the first is scored in pieces; neither changes a result."""

import signal
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sema import InputError, Item, Language, SceneGraph, Scorer
from sema.metrics.base import MeanMetric
from sema.scoring.chunk import Chunk, make_chunk
from sema.scoring.coerce import Inputs
from sema.scoring.engine import Keep
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

    def wait_for(self, chunk: int) -> bool:
        """Whether a chunk comes to be read in time."""
        first = f"kato{chunk * SIZE}o"
        with self.arrived:
            return self.arrived.wait_for(lambda: first in self.asked, SECONDS)

    def graph(self, words: Sequence[str]) -> SceneGraph:
        if "malbona" in words:
            raise RecursionError("too deep")
        return super().graph(words)


def language(extractor: Extractor) -> Language:
    return replace(esperanto(), extractors={"threaded": lambda: extractor})


def at_work() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("sema-reading")]


@pytest.fixture(autouse=True)
def nothing_is_left_at_work() -> Iterator[None]:
    yield
    assert at_work() == []


class Watching(MeanMetric):
    """Looks, at a chunk's turn, whether a later one is read already."""

    name = "watching"

    def __init__(self, extractor: Threaded, later: int) -> None:
        self.extractor, self.later = extractor, later

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [float(self.extractor.wait_for(self.later))] * len(items)


def test_scores_are_those_of_one_thread() -> None:
    outputs = {"a": TEXTS, "b": [*TEXTS[1:], "Hundo kuras. Kato0o dormas."]}
    plain = Scorer(language(Extractor()), ["sema", "samsa", WordCount()]).score(TEXTS, outputs)
    ahead = Scorer(language(Threaded()), ["sema", "samsa", WordCount()]).score(TEXTS, outputs)
    assert ahead == plain


def test_the_next_two_chunks_are_read_while_one_is_scored() -> None:
    extractor = Threaded()
    stream = Scorer(language(extractor), ["sema", Watching(extractor, 2)]).stream(Inputs(TEXTS, {"a": TEXTS}))
    assert next(stream)[0][0].scores["watching"] == 1.0
    assert f"kato{3 * SIZE}o" not in extractor.asked  # and no more than these
    stream.close()


def test_an_item_that_fails_ahead_costs_itself_alone() -> None:
    bad = SIZE + 5
    sources = [*TEXTS[:bad], "Jen malbona vorto.", *TEXTS[bad + 1 :]]
    report = Scorer(language(Threaded()), ["sema"]).score(sources, TEXTS, collect_errors=True)
    items = report.systems[0].items
    assert [item.index for item in items if item.error is not None] == [bad]
    assert "cannot be analysed (too deep)" in (items[bad].error or "")
    with pytest.raises(InputError, match="cannot be analysed"):
        Scorer(language(Threaded()), ["sema"]).score(sources, TEXTS)


def test_errors_in_making_chunks_are_raised_after_all_earlier_chunks() -> None:
    def chunks() -> Iterator[Chunk]:
        yield make_chunk(0, Inputs(TEXTS[:2], {"a": TEXTS[:2]}))
        yield make_chunk(2, Inputs(TEXTS[2:4], {"a": TEXTS[2:4]}))
        raise OSError("the disk is gone")

    scorer = Scorer(language(Threaded()), ["sema"])
    seen = []
    with pytest.raises(OSError, match="the disk is gone"):
        for part in scorer.runner.map(scorer.engine, chunks(), keep=Keep.NOTHING):
            seen.extend(item.index for item in part[0])
    assert seen == [0, 1, 2, 3]


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


def test_one_thread_reads_nothing_ahead() -> None:
    extractor = Threaded()
    extractor.threads = 1
    stream = Scorer(language(extractor), ["sema"]).stream(Inputs(TEXTS, {"a": TEXTS}))
    next(stream)
    assert at_work() == [] and len(extractor.asked) == SIZE


PIECES = TEXTS[:23]
SYSTEMS = {"a": PIECES[::-1], "b": ["La kato."] * 23}


def test_progress_comes_in_pieces_that_double_then_by_whole_chunks(tmp_path: Path) -> None:
    scorer = Scorer(esperanto(), ["sema", "sari"])
    references = [[text] for text in PIECES]
    seen: list[int] = []
    report = scorer.score(PIECES, SYSTEMS, references, progress=lambda done, total: seen.append(done))
    assert seen == [2, 4, 8, 16, 23]
    assert report == scorer.score(PIECES, SYSTEMS, references)
    scorer.write(tmp_path / "whole", PIECES, SYSTEMS, references)
    scorer.write(tmp_path / "pieces", PIECES, SYSTEMS, references, progress=lambda done, total: seen.append(done))
    assert files(tmp_path / "whole") == files(tmp_path / "pieces")
    assert seen == [2, 4, 8, 16, 23] * 2


@pytest.mark.parametrize("count", [1, 2, 3, 16, 17])
def test_every_number_of_items_is_scored_once(count: int) -> None:
    outputs = {name: texts[:count] for name, texts in SYSTEMS.items()}
    report = Scorer(esperanto(), ["sema"]).score(PIECES[:count], outputs, progress=lambda done, total: None)
    assert [item.index for item in report["a"].items] == list(range(count))
