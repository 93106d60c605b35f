"""A lane of the server: its own scorers, a queue and the thread that works on it; waiting requests share a batch."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from itertools import islice
from typing import Any

from sema.analysis.analyser import Analyser
from sema.errors import SemaError
from sema.model.language import Language
from sema.model.text import Text
from sema.options import Settings
from sema.plugins import contained
from sema.runtime.threads import stoppable
from sema.scoring.chunk import Inputs
from sema.scoring.engine import ChunkScores, Engine, Keep, Level
from sema.scoring.item_scores import ItemScore
from sema.scoring.scorer import Scorer

KEPT_SCORERS = 8
TURN = 16  # a turn ends after this many items
TURN_CHARACTERS = 2_000  # or after this many characters of sources and outputs
CHARACTERS_A_SECOND = 1_000  # roughly; a request also waits for shorter ones that arrive soon after it

Key = tuple[str, tuple[str, ...] | None, Level]  # language, metrics (`None`: the defaults) and level of a scorer


def sizes(inputs: Inputs) -> list[int]:
    """The number of characters of each item's source and outputs."""
    return [characters(row) for row in zip(inputs.sources, *inputs.systems.values(), strict=True)]


def characters(texts: Iterable[Any]) -> int:
    """The number of characters of texts in any of their forms."""
    usable = [text for text in texts if not isinstance(text, SemaError)]
    parts = [[text] if isinstance(text, str) else text.words if isinstance(text, Text) else text for text in usable]
    return sum(len(part) for text in parts for part in text)


def turns(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first item of each turn and the one after its last, for items of these sizes."""
    start = total = 0
    for index, size in enumerate(sizes):
        total += size
        if index > start and (total > TURN_CHARACTERS or index - start == TURN):
            yield start, index
            start, total = index, size
    yield start, len(sizes)


@dataclass(eq=False)
class Turn:
    """Work that waits in a queue."""

    due: float  # the time of its turn, if others wait too
    size: int  # the number of characters of its texts
    work: Callable[[list[Any]], Sequence[Any]]  # makes the answers of turns of one batch from what they are given
    given: Any = None
    batch: object = None  # turns with the same value may be done together; `None`: it is done alone
    answer: Future[Any] = field(default_factory=Future)

    def __lt__(self, other: Turn) -> bool:
        return self.due < other.due


@dataclass(frozen=True)
class TurnRunner:
    """Scores a few items per turn, so that short work overtakes long work."""

    turn: Callable[[Callable[[], ChunkScores], int], ChunkScores]  # does the work of a turn of so many characters
    tell: Callable[[int], object]  # called with the number of scored items after each turn; its exception ends the work

    def map(self, engine: Engine, chunks: Iterable[Inputs], *, keep: Keep) -> Iterator[ChunkScores]:
        """The scores of each chunk."""
        for chunk in chunks:
            whole: ChunkScores = [[] for _ in chunk.systems]
            found = sizes(chunk)
            for start, end in turns(found):
                scored = self.turn(partial(engine.score, chunk.part(start, end), keep=keep), sum(found[start:end]))
                for column, scores in zip(whole, scored, strict=True):
                    column.extend(scores)
                self.tell(chunk.start + end)
            yield whole


HERE = TurnRunner(lambda work, _: work(), lambda _: None)  # scores in the thread that asks


class Lane:
    """Does work in turns, what is short before what is long; thread-safe.

    Lanes share weights and tables but not the parts of languages, so no lane waits for another: a turn has the parts
    of its lane to itself. ``threads`` model batches are computed in parallel, by default one for each core.
    """

    def __init__(self, language: Callable[[str], Language], threads: int | None = None) -> None:
        self._language = language
        self._settings = Settings(None, {} if threads is None else {"threads": threads})
        self._guard = threading.Lock()
        self._scorer = lru_cache(KEPT_SCORERS)(self._make)
        self._parts = lru_cache(KEPT_SCORERS)(lambda lang: language(lang).parts(settings=self._settings))
        self._queue: list[Turn] = []  # a heap
        self._working = False
        self._door = threading.Lock()
        """Held while entries are added or taken, so that none is added to a queue that its worker has left."""

    def scorer(self, key: Key) -> Scorer:
        """The scorer for these options, cached; all scorers of a language share its models."""
        with self._guard:
            return self._scorer(key)

    def job_scorer(self, key: Key, tell: Callable[[int], None]) -> Scorer:
        """A scorer for another thread, whose turns wait in the queue; it shares the language's models."""

        def turn(work: Callable[[], ChunkScores], size: int) -> ChunkScores:
            scores: ChunkScores = self.call(work, size).result()
            return scores

        with self._guard:
            return self._make(key, TurnRunner(turn, tell))

    def analyser(self, lang: str) -> Analyser:
        """An analyser with the language's models, for Scenes and links; use it only in a turn."""
        with self._guard:
            return Analyser(self._parts(lang))

    def _make(self, key: Key, runner: TurnRunner = HERE) -> Scorer:
        lang, metrics, level = key
        # Items of several requests are scored together, so the service checks each request's script instead.
        language = replace(self._language(lang), scripts=())
        made = Scorer(language, metrics, level=level, options=Settings(local=False), runner=runner)
        made.engine.parts = self._parts(lang)
        if runner is HERE:  # a job's depends on its inputs; listing plug-ins takes longer than scoring a sentence
            made.engine.signature = cache(made.engine.signature)  # type: ignore[method-assign]
        return made

    def call(self, work: Callable[[], Any], size: int) -> Future[Any]:
        """Do work that needs the models, on texts of so many characters."""
        return self.add(Turn(due(size), size, lambda _: [work()]))

    def score(self, key: Key, keep: Keep, inputs: Inputs, size: int, due: float) -> Future[list[ItemScore]]:
        """Score the items of one turn (system ``output``), together with others that wait for the same scorer."""
        return self.add(Turn(due, size, partial(self._score, key, keep), inputs, (key, keep)))

    def _score(self, key: Key, keep: Keep, parts: list[Inputs]) -> list[list[ItemScore]]:
        # Each whole request has been checked; a part of it may lack the references that another part has.
        given = Inputs(
            _joined(parts, [part.sources for part in parts]),
            {"output": _joined(parts, [part.systems["output"] for part in parts])},
            _joined(parts, [part.references for part in parts], []),
            targets=_joined(parts, [part.targets for part in parts]),
        )
        scored = (item for (items,) in self.scorer(key).stream(given, keep=keep) for item in items)
        return [list(islice(scored, len(part))) for part in parts]

    def add(self, turn: Turn) -> Future[Any]:
        """Put a turn into the queue; if no thread works on it, a new one does until it is empty."""
        with self._door:
            heapq.heappush(self._queue, turn)
            if not self._working:
                threading.Thread(target=self._work, name="sema-scoring", daemon=True).start()
                self._working = True
        return turn.answer

    def _work(self) -> None:
        while turns := self._next():
            self._do(turns)

    def _next(self) -> list[Turn]:
        """Take the next turn, or the next batch of turns; none if the queue is empty."""
        with self._door:
            if not self._queue:
                self._working = False
                return []
            taken = [heapq.heappop(self._queue)]
            batch, room = taken[0].batch, TURN_CHARACTERS - taken[0].size
            while self._queue and batch is not None and self._queue[0].batch == batch:
                room -= self._queue[0].size
                if room < 0:
                    break
                taken.append(heapq.heappop(self._queue))
            return taken

    def _do(self, turns: Sequence[Turn]) -> None:
        """Do turns together; if that fails, each alone."""
        waiting = [turn for turn in turns if not turn.answer.cancelled()]
        if not waiting:
            return
        try:
            with stoppable(lambda: all(turn.answer.cancelled() for turn in waiting)), contained():
                answers = waiting[0].work([turn.given for turn in waiting])
        except CancelledError:  # nobody waits for them
            return
        except Exception as error:
            if len(waiting) > 1:
                for turn in waiting:
                    self._do([turn])
            else:
                with suppress(InvalidStateError):  # the client is gone
                    waiting[0].answer.set_exception(error)
        else:
            for turn, answer in zip(waiting, answers, strict=True):
                with suppress(InvalidStateError):
                    turn.answer.set_result(answer)


def due(size: int) -> float:
    """The time of a turn for work of so many characters that arrives now."""
    return time.monotonic() + size / CHARACTERS_A_SECOND


def _joined(parts: Sequence[Inputs], columns: Sequence[Any], instead: Any = None) -> Any:
    """The columns of several parts as one; ``instead`` fills in where only some parts have the column."""
    if all(column is None for column in columns):
        return None
    return [value for part, column in zip(parts, columns, strict=True) for value in column or [instead] * len(part)]
