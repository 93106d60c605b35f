"""The scorers behind the server: models loaded once, requests that wait together scored in one batch."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from sema.analysis.analyser import Analyser
from sema.errors import InputError
from sema.languages import find_language
from sema.model.language import Language, Parts
from sema.scoring.engine import ChunkScores, Engine, Keep, Level
from sema.scoring.inputs import Chunk
from sema.scoring.item_scores import ItemScore
from sema.scoring.results import Report
from sema.scoring.scorer import Scorer
from sema.web.limits import Limits

KEPT_SCORERS = 8
TURN = 16
"""Items that are scored before somebody else has a turn."""

Key = tuple[str, tuple[str, ...] | None, Level]
Answer = TypeVar("Answer")


class Busy(Exception):
    """Too many requests are waiting."""


class TooSlow(Exception):
    """A request took longer than it may."""


class TurnRunner:
    """Scores a few items at a time, so that short requests pass long ones; one at a time holds the models.

    ``tell`` is called with the number of items done after each turn; what it raises ends the scoring.
    """

    def __init__(self, turn: threading.Lock, tell: Callable[[int], None] | None = None) -> None:
        self._turn, self._tell = turn, tell

    def map(self, engine: Engine, chunks: Iterable[Chunk], *, keep: Keep) -> Iterator[ChunkScores]:
        """The scores of each chunk."""
        for chunk in chunks:
            whole: ChunkScores = [[] for _ in chunk.outputs]
            for start in range(0, len(chunk), TURN):
                with self._turn:
                    part = engine.score(_part(chunk, start), keep=keep)
                for column, scores in zip(whole, part, strict=True):
                    column.extend(scores)
                if self._tell is not None:
                    self._tell(min(chunk.start + start + TURN, chunk.start + len(chunk)))
                time.sleep(0.001)  # whoever waits for the lock gets it now
            yield whole


def _part(chunk: Chunk, start: int) -> Chunk:
    end = start + TURN
    return replace(
        chunk,
        start=chunk.start + start,
        sources=chunk.sources[start:end],
        outputs=[system[start:end] for system in chunk.outputs],
        references=chunk.references[start:end],
        errors=[errors[start:end] for errors in chunk.errors],
    )


@dataclass
class Ask:
    """Items of one request that wait to be scored."""

    key: Key
    sources: Sequence[str]
    outputs: Sequence[str]
    references: Sequence[Sequence[str]] | None
    explain: bool
    answer: Future[Scored] = field(default_factory=Future)


@dataclass(frozen=True)
class Scored:
    """One request's report (system ``output``), with the evidence of its items where it was asked for."""

    report: Report
    evidence: tuple[dict[str, Any], ...] = ()


@dataclass
class Call:
    """Something else that needs the models."""

    work: Callable[[], Any]
    answer: Future[Any] = field(default_factory=Future)


class Service:
    """Everything that answers requests; threads may share it.

    Args:
        limits: what is taken.
        languages: languages by code besides those that are installed.
    """

    def __init__(self, limits: Limits | None = None, languages: Mapping[str, Language] | None = None) -> None:
        self.limits = limits or Limits()
        self._languages = dict(languages or {})
        self._scorers: OrderedDict[Key, Scorer] = OrderedDict()
        self._parts: dict[str, Parts] = {}
        self._guard = threading.Lock()
        self.turn = threading.Lock()
        self._waiting = 0
        self._queue: queue.SimpleQueue[Ask | Call | None] = queue.SimpleQueue()
        self._worker: threading.Thread | None = None
        self._door = threading.Lock()
        """Held while somebody asks and while the worker goes, so that nobody asks one that has gone."""

    def language(self, code: str) -> Language:
        """The language of a code.

        Raises:
            InputError: nobody offers it.
            ResourceError: whoever offers it is broken.
        """
        return self._languages[code] if code in self._languages else find_language(code)

    @property
    def own_languages(self) -> list[Language]:
        """The languages that were handed over."""
        return list(self._languages.values())

    def scorer(self, lang: str, metrics: Sequence[str] | None, level: Level) -> Scorer:
        """The scorer for these, kept for the next request; all of a language share its models.

        Raises:
            SemaError: a name that is not known, or a combination that is refused.
        """
        key: Key = (lang, None if metrics is None else tuple(metrics), level)
        with self._guard:
            if key in self._scorers:
                self._scorers.move_to_end(key)
                return self._scorers[key]
            made = self._scorers[key] = self._make(key)
            while len(self._scorers) > KEPT_SCORERS:
                self._scorers.popitem(last=False)
            return made

    def job_scorer(self, lang: str, metrics: Sequence[str] | None, level: Level, tell: Callable[[int], None]) -> Scorer:
        """A scorer that tells how far it is; it shares the language's models, and is not kept.

        Raises:
            SemaError: as :meth:`scorer`.
        """
        with self._guard:
            return self._make((lang, None if metrics is None else tuple(metrics), level), tell)

    def _make(self, key: Key, tell: Callable[[int], None] | None = None) -> Scorer:
        lang, metrics, level = key
        made = Scorer(self.language(lang), metrics, level=level, runner=TurnRunner(self.turn, tell))
        made.engine.parts = self._shared(lang, made.engine.parts)
        return made

    def _shared(self, lang: str, parts: Parts) -> Parts:
        """The parts of the language that were made first: what they have loaded is there for all."""
        while len(self._parts) > KEPT_SCORERS:
            self._parts.pop(next(iter(self._parts)))
        return self._parts.setdefault(lang, parts)

    def load(self, lang: str) -> None:
        """Load what the default metrics need in a language, so that the first request need not wait for it.

        Raises:
            SemaError: the language is not known, or is broken.
        """
        self.scorer(lang, None, "sentence").score(["1."], ["1."], collect_errors=True, keep_items=False)

    def analyser(self, lang: str) -> Analyser:
        """An analyser with the language's models, for Scenes and links; use it in :meth:`call` alone."""
        with self._guard:
            return Analyser(self._shared(lang, self.language(lang).parts()))

    async def score(
        self,
        key: Key,
        sources: Sequence[str],
        outputs: Sequence[str],
        references: Sequence[Sequence[str]] | None,
        *,
        explain: bool = False,
    ) -> Scored:
        """Score a request's items, together with what else waits for the same scorer.

        Raises:
            SemaError: what is asked for cannot be scored at all; single broken items have their errors in the report.
            Busy, TooSlow: beyond the limits.
        """
        scorer = self.scorer(*key)
        scorer.check(sources, {"output": outputs}, references)
        ask = Ask(key, sources, outputs, references, explain)
        return await self._wait(ask, ask.answer)

    async def call(self, work: Callable[[], Answer]) -> Answer:
        """Do something that needs the models, when it is its turn.

        Raises:
            Busy, TooSlow: beyond the limits.
        """
        asked = Call(work)
        found: Answer = await self._wait(asked, asked.answer)
        return found

    async def _wait(self, asked: Ask | Call, answer: Future[Answer]) -> Answer:
        if self._waiting >= self.limits.waiting:
            raise Busy
        self._waiting += 1
        try:
            self._ask(asked)
            return await asyncio.wait_for(asyncio.wrap_future(answer), self.limits.seconds)
        except TimeoutError as error:
            answer.cancel()
            raise TooSlow from error
        finally:
            self._waiting -= 1

    def _ask(self, asked: Ask | Call) -> None:
        with self._door:
            if self._worker is None or not self._worker.is_alive():
                self._worker = threading.Thread(target=self._work, name="sema-scoring", daemon=True)
                self._worker.start()
            self._queue.put(asked)

    def close(self) -> None:
        """Let the worker end when it has done what it was asked."""
        with self._door:
            if self._worker is not None:
                self._queue.put(None)

    def _work(self) -> None:
        while True:
            waiting: list[Ask | Call | None] = [self._queue.get()]
            while not self._queue.empty():
                waiting.append(self._queue.get())
            self._answer([asked for asked in waiting if asked is not None])
            if None in waiting:
                with self._door:
                    if self._queue.empty():  # else somebody has asked since
                        self._worker = None
                        return

    def _answer(self, waiting: Sequence[Ask | Call]) -> None:
        """Answer all; what one scorer can do is scored together."""
        groups: dict[Key, list[Ask]] = {}
        for asked in waiting:
            if asked.answer.cancelled():
                continue
            if isinstance(asked, Ask):
                groups.setdefault(asked.key, []).append(asked)
            else:
                with self.turn:
                    _settle(asked.answer, asked.work)
        for key, asks in groups.items():
            self._score(key, asks)

    def _score(self, key: Key, asks: list[Ask]) -> None:
        """Score the items of several requests in one go; if that fails, each request alone."""
        try:
            found = self._scored(self.scorer(*key), asks)
        except Exception as error:
            if len(asks) > 1:
                for ask in asks:
                    self._score(key, [ask])
                return
            _fail(asks[0].answer, error)
            return
        for ask, scored in zip(asks, found, strict=True):
            _give(ask.answer, scored)

    def _scored(self, scorer: Scorer, asks: Sequence[Ask]) -> list[Scored]:
        sources = [text for ask in asks for text in ask.sources]
        outputs = [text for ask in asks for text in ask.outputs]
        references: list[Sequence[str]] | None = None
        if any(ask.references is not None for ask in asks):
            references = [texts for ask in asks for texts in ask.references or [[]] * len(ask.sources)]
        explain = any(ask.explain for ask in asks)
        report = scorer.score(sources, outputs, references, collect_errors=True, keep_items=explain)
        (system,) = report.systems
        found, start = [], 0
        for ask in asks:
            items = [
                replace(item, index=place, error=_error(item, place))
                for place, item in enumerate(system.items[start : start + len(ask.sources)])
            ]
            start += len(ask.sources)
            evidence = tuple(item.evidence(scorer.engine.metrics) for item in items) if ask.explain else ()
            found.append(Scored(scorer.report({"output": items}), evidence))
        return found


def _error(item: ItemScore, place: int) -> str | None:
    """The item's error with the number of its line in the request."""
    if isinstance(item.cause, InputError) and item.cause.line is not None:
        return str(InputError(item.cause.message, line=place + 1))
    return item.error


def _settle(answer: Future[Any], work: Callable[[], Any]) -> None:
    try:
        result = work()
    except Exception as error:
        _fail(answer, error)
        return
    _give(answer, result)


def _give(answer: Future[Any], result: Any) -> None:
    try:
        answer.set_result(result)
    except InvalidStateError:  # nobody waits for it any more
        return


def _fail(answer: Future[Any], error: Exception) -> None:
    try:
        answer.set_exception(error)
    except InvalidStateError:
        return
