"""A lane of the server: its own scorers, a queue and the thread that works on it; waiting requests share a batch."""

from __future__ import annotations

import gc
import heapq
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count, islice
from typing import Any
from weakref import WeakSet

from sema.analysis.analyser import Analyser
from sema.errors import InputError, SemaError
from sema.model.language import Language, Parts
from sema.model.text import Text
from sema.options import Settings
from sema.plugins import contained
from sema.runtime.caching import BUDGET
from sema.runtime.forks import cached_property
from sema.runtime.threads import stoppable
from sema.scoring.chunk import Chunk
from sema.scoring.coerce import Inputs, coerced
from sema.scoring.engine import ChunkScores, Engine, Keep, Level
from sema.scoring.item_scores import ItemScore
from sema.scoring.results import Report
from sema.scoring.scorer import Scorer
from sema.web.limits import without_folders

KEPT_SCORERS = 8
TURN = 16
"""A turn ends after this many items,"""
TURN_CHARACTERS = 2_000
"""or after this many characters of sources and outputs."""
CHARACTERS_A_SECOND = 1_000
"""A rough speed of scoring: a request also waits for shorter ones that arrive soon after it."""

CALM = 10.0
"""A lane that has been idle for this many seconds empties all caches."""

MOMENT = 0.1
"""Seconds between checks whether a turn of a job or another lane, which uses the caches, has ended."""

Key = tuple[str, tuple[str, ...] | None, Level]
"""Language, metrics (``None``: the defaults) and level of a scorer."""


class TurnRunner:
    """Scores a few items per turn, so that short requests overtake long ones; one turn at a time uses the models.

    ``tell`` is called with the number of scored items after each turn; an exception from it ends the scoring.
    """

    def __init__(self, turn: threading.Lock, tell: Callable[[int], None] | None = None) -> None:
        self._turn, self._tell = turn, tell

    def map(self, engine: Engine, chunks: Iterable[Chunk], *, keep: Keep) -> Iterator[ChunkScores]:
        """The scores of each chunk."""
        for chunk in chunks:
            whole: ChunkScores = [[] for _ in chunk.systems]
            end = 0
            while end < len(chunk):
                start, end = end, _turn_end(chunk, end)
                with self._turn:
                    part = engine.score(chunk.part(start, end), keep=keep)
                for column, scores in zip(whole, part, strict=True):
                    column.extend(scores)
                if self._tell is not None:
                    self._tell(chunk.start + end)
                time.sleep(0.001)  # lets a waiting thread take the lock
            yield whole


def _turn_end(chunk: Chunk | Inputs, start: int) -> int:
    """The end (exclusive) of the turn that begins with item ``start``."""
    total = 0
    for index in range(start, min(len(chunk), start + TURN)):
        total += characters([chunk.sources[index], *(system[index] for system in chunk.systems.values())])
        if total > TURN_CHARACTERS and index > start:
            return index
    return min(len(chunk), start + TURN)


def characters(texts: Iterable[Any]) -> int:
    """The number of characters of texts in any of their forms."""
    usable = [text for text in texts if not isinstance(text, SemaError)]
    parts = [[text] if isinstance(text, str) else text.words if isinstance(text, Text) else text for text in usable]
    return sum(len(part) for text in parts for part in text)


@dataclass(frozen=True)
class Scored:
    """One request's report (system ``output``), with the evidence of its items if requested."""

    report: Report
    evidence: tuple[dict[str, Any], ...] = ()


@dataclass
class Ask:
    """Items of one request that wait to be scored, turn by turn; ``inputs`` has the one system ``output``."""

    key: Key
    inputs: Inputs
    explain: bool
    answer: Future[Scored] = field(default_factory=Future)
    item_scores: list[ItemScore] = field(default_factory=list)
    """The items that are scored already."""

    @cached_property
    def characters(self) -> int:
        """Its size in characters."""
        return characters([*self.inputs.sources, *self.inputs.systems["output"]])

    @property
    def longest_turn(self) -> int:
        """The characters of its longest item, which no turn divides."""
        pairs = zip(self.inputs.sources, self.inputs.systems["output"], strict=True)
        return max(map(characters, pairs), default=0)

    def next_turn(self) -> Inputs:
        """The next items to score."""
        start = len(self.item_scores)
        return self.inputs.part(start, _turn_end(self.inputs, start))


@dataclass
class Call:
    """Another task that needs the models; it is done in one turn."""

    work: Callable[[], Any]
    characters: int
    answer: Future[Any] = field(default_factory=Future)


class Lane:
    """Scores requests in turns, short ones before long ones; thread-safe.

    Lanes share weights and tables but not the parts of languages, so no lane waits for another: a turn has the parts
    of its lane to itself.

    Args:
        language: the language of a code.
        threads: model batches computed in parallel; ``None``: one for each core.
    """

    def __init__(self, language: Callable[[str], Language], threads: int | None = None) -> None:
        self._language = language
        self._settings = Settings(None, {} if threads is None else {"threads": threads})
        self._turn = threading.Lock()
        self._guard = threading.Lock()
        self._scorer = lru_cache(KEPT_SCORERS)(self._make)
        self._parts = lru_cache(KEPT_SCORERS)(self._make_parts)
        self._asked: list[tuple[float, int, Ask | Call]] = []
        """The queue, a heap: time of the turn, a unique number, the entry."""
        self._numbers = count()
        self._closing = False
        self._used = False
        """Whether there were turns since it last emptied the caches."""
        self._last = time.monotonic()
        """The end of the last turn."""
        self._worker: threading.Thread | None = None
        self._door = threading.Condition()
        """Held while entries are added or taken and while the worker ends, so that none are added after its end."""
        _LANES.add(self)

    def scorer(self, key: Key) -> Scorer:
        """The scorer for these options, cached; all scorers of a language share its models."""
        with self._guard:
            return self._scorer(key)

    def job_scorer(self, key: Key, tell: Callable[[int], None]) -> Scorer:
        """A scorer that reports progress; it shares the language's models and is not cached."""

        def told(done: int) -> None:
            self._note()
            tell(done)

        with self._guard:
            return self._make(key, told)

    def analyser(self, lang: str) -> Analyser:
        """An analyser with the language's models, for Scenes and links; use it only in a :class:`Call`."""
        with self._guard:
            return Analyser(self._parts(lang))

    def _make(self, key: Key, tell: Callable[[int], None] | None = None) -> Scorer:
        lang, metrics, level = key
        # Items of several requests are scored together, so the service checks each request's script instead.
        language = replace(self._language(lang), scripts=())
        options = Settings(local=False)
        made = Scorer(language, metrics, level=level, options=options, runner=TurnRunner(self._turn, tell))
        made.engine.parts = self._parts(lang)
        return made

    def _make_parts(self, lang: str) -> Parts:
        return self._language(lang).parts(settings=self._settings)

    def add(self, asked: Ask | Call) -> None:
        """Add a request to the queue; it is answered after its last turn."""
        turn = time.monotonic() + asked.characters / CHARACTERS_A_SECOND
        with self._door:
            heapq.heappush(self._asked, (turn, next(self._numbers), asked))
            self._closing = False
            self._wake()

    def _note(self) -> None:
        """Note a turn; the caches are emptied once nothing has followed it for a while."""
        with self._door:
            self._used = True
            self._last = time.monotonic()
            if not self._closing:
                self._wake()

    def _wake(self) -> None:
        """Start or notify the worker; the caller holds the door."""
        if self._worker is None or not self._worker.is_alive():
            self._worker = threading.Thread(target=self._work, name="sema-scoring", daemon=True)
            self._worker.start()
        self._door.notify()

    def close(self) -> None:
        """Stop the worker when the queue is empty."""
        with self._door:
            self._closing = True
            self._door.notify()

    def _work(self) -> None:
        while True:
            with self._door:
                left = self._last + CALM - time.monotonic() if self._used else None
                working = any(lane._turn.locked() for lane in list(_LANES))
                if left is not None and left <= 0 and not self._asked and not working:
                    taken, self._used = None, False
                elif self._asked:
                    taken = self._take()
                elif self._closing:
                    self._worker = None
                    return
                else:
                    self._door.wait(None if left is None else max(left, MOMENT))
                    continue
            if taken is None:
                BUDGET.empty()
                gc.collect()
            else:
                self._go_on(*taken)

    def _go_on(self, turn: float, taken: Sequence[Ask | Call]) -> None:
        """Run a turn of the taken entries, and put back those with more items."""
        waiting = [asked for asked in taken if not asked.answer.cancelled()]
        if waiting:
            self._answer(waiting)
        with self._door:
            self._last = time.monotonic()
            for asked in waiting:
                if not asked.answer.done():
                    heapq.heappush(self._asked, (turn, next(self._numbers), asked))

    def _take(self) -> tuple[float, list[Ask | Call]]:
        """Take the next call, or the next batch of requests for one scorer; returns its time and the entries."""
        turn, _, first = heapq.heappop(self._asked)
        taken = [first]
        total = first.characters
        while isinstance(first, Ask) and self._asked:
            following = self._asked[0][2]
            total += following.characters
            if not isinstance(following, Ask) or following.key != first.key or total > TURN_CHARACTERS:
                break
            taken.append(heapq.heappop(self._asked)[2])
        return turn, taken

    def _answer(self, waiting: Sequence[Ask | Call]) -> None:
        """Process the taken entries together and answer those that are complete; if that fails, process each alone."""
        results: list[Any]
        try:
            with stoppable(lambda: all(asked.answer.cancelled() for asked in waiting)):
                if isinstance(waiting[0], Call):
                    self._note()
                    with self._turn, contained():
                        results = [waiting[0].work()]
                else:
                    results = self._scored([asked for asked in waiting if isinstance(asked, Ask)])
        except CancelledError:  # nobody waits for them
            return
        except Exception as error:
            if len(waiting) == 1:
                with suppress(InvalidStateError):
                    waiting[0].answer.set_exception(error)
            else:
                for asked in waiting:
                    self._answer([asked])
            return
        for asked, result in zip(waiting, results, strict=True):
            if result is not None or isinstance(asked, Call):
                with suppress(InvalidStateError):  # the client is gone
                    asked.answer.set_result(result)

    def _scored(self, asks: Sequence[Ask]) -> list[Scored | None]:
        """The next items of several requests to the same scorer, scored together; ``None`` while there are more."""
        scorer = self.scorer(asks[0].key)
        parts = [ask.next_turn() for ask in asks]
        self._note()
        references = targets = None
        if any(part.references is not None for part in parts):
            references = [texts for part in parts for texts in part.references or [[]] * len(part)]
        if any(part.targets is not None for part in parts):
            targets = [target for part in parts for target in part.targets or [None] * len(part)]
        given = coerced(
            [text for part in parts for text in part.sources],
            [text for part in parts for text in part.systems["output"]],
            references,
            targets=targets,
        )
        # Each whole request has been checked; a part of it may lack the references that another part has.
        keep = Keep.EVIDENCE if any(ask.explain for ask in asks) else Keep.NOTHING
        scored = (item for (items,) in scorer.stream(given, keep=keep) for item in items)
        answers: list[Scored | None] = []
        for ask, part in zip(asks, parts, strict=True):
            ask.item_scores += [
                replace(item, index=place).placed(_error)
                for place, item in enumerate(islice(scored, len(part)), len(ask.item_scores))
            ]
            if len(ask.item_scores) < len(ask.inputs):
                answers.append(None)
                continue
            evidence = tuple(item.evidence(scorer.engine.metrics) for item in ask.item_scores) if ask.explain else ()
            answers.append(Scored(scorer.report({"output": ask.item_scores}), evidence))
        return answers


_LANES: WeakSet[Lane] = WeakSet()
"""The lanes of the process, which share its caches."""


def _error(cause: SemaError, place: int) -> str:
    """An item's error with its number in the request."""
    if isinstance(cause, InputError) and cause.item is not None:
        return without_folders(str(InputError(cause.message, item=place)))
    return without_folders(str(cause))
