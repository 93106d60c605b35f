"""The server's scorers: short requests, long ones and jobs each have a lane; no short one waits for a long one."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import replace
from functools import lru_cache
from threading import Event
from typing import Any, TypeVar

from sema.analysis.analyser import Analyser
from sema.display.pictures.words import say
from sema.errors import SemaError
from sema.languages import find_language, ready_languages
from sema.model.language import Language
from sema.options import Settings
from sema.plugins import contained
from sema.runtime.caching import BUDGET
from sema.runtime.forks import cached_property
from sema.runtime.threads import available_cores, stoppable
from sema.scoring.chunk import Inputs
from sema.scoring.engine import Keep, Level
from sema.scoring.letters import misfit
from sema.scoring.results import Report
from sema.scoring.scorer import Scorer
from sema.web.limits import Busy, Limits, without_folders

KEPT_SCORERS = 8
SHORT = 2_000  # characters of all texts of a short request
CALM = 10.0  # seconds without requests and jobs, after which the caches are emptied

Answer = TypeVar("Answer")
Key = tuple[str, tuple[str, ...] | None, Level]  # language, metrics (`None`: the defaults) and level of a scorer
Scored = tuple[Report, list[dict[str, Any]]]
"""One request's report (system ``output``), and the evidence of its items where it is to be explained."""


def characters(texts: Iterable[Any]) -> int:
    """The number of characters of texts and of lists of sentences; errors and missing texts have none."""
    usable = [text for text in texts if text is not None and not isinstance(text, SemaError)]
    return sum(len(text) if isinstance(text, str) else sum(map(len, text)) for text in usable)


class Lane:
    """A thread that does one piece of work after the other, and the scorers that it alone uses.

    Lanes share weights and tables but not the parts of languages. ``threads`` model batches are computed in parallel,
    by default one for each core. At most ``most`` pieces of work are under way or waiting.
    """

    def __init__(self, language: Callable[[str], Language], most: int, threads: int | None = None) -> None:
        self._language, self._most, self._waiting = language, most, 0
        self._settings = Settings(None, {} if threads is None else {"threads": threads})
        self._pool = ThreadPoolExecutor(1, "sema-scoring")
        self._parts = lru_cache(KEPT_SCORERS)(lambda lang: language(lang).parts(settings=self._settings))
        self.scorer = lru_cache(KEPT_SCORERS)(self._scorer)
        """The scorer for a key, cached; all scorers of a language share its models."""

    def _scorer(self, key: Key) -> Scorer:
        lang, metrics, level = key
        # The service warns of letters of another language itself.
        language = replace(self._language(lang), scripts=())
        made = Scorer(language, metrics, level=level, options=Settings(local=False))
        made.engine.parts = self._parts(lang)
        return made

    def analyser(self, lang: str) -> Analyser:
        """An analyser with the language's models, for work that needs no scores."""
        return Analyser(self._parts(lang))

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Do work in the lane's thread; if the caller is cancelled, the work ends at its next batch.

        Raises:
            Busy: too much work is waiting.
        """
        if self._waiting >= self._most:
            raise Busy
        left = Event()

        def done() -> Answer:
            with stoppable(left.is_set), contained():
                return work()

        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._pool.submit(copy_context().run, done))
        finally:
            left.set()
            self._waiting -= 1


class Service:
    """The part of the server that answers requests, in its event loop. ``languages`` are besides the installed ones.

    A request with more than :data:`SHORT` characters goes to the lane of long requests. That lane, and the lane of
    uploaded jobs, leave one core to the short ones.
    """

    def __init__(self, limits: Limits | None = None, languages: Mapping[str, Language] | None = None) -> None:
        self.limits = limits or Limits()
        self.languages = dict(languages or {})
        cores = max(1, available_cores() - 1)
        self.short = Lane(self.language, self.limits.waiting)
        self.long = Lane(self.language, self.limits.waiting_long, cores)
        self.jobs = Lane(self.language, self.limits.jobs, cores)
        self._busy = 0  # how many requests and jobs are under way or waiting
        self._calm: asyncio.TimerHandle | None = None

    def language(self, code: str) -> Language:
        """The language of a code."""
        return self.languages[code] if code in self.languages else find_language(code)

    @cached_property
    def offered(self) -> list[Language]:
        """The languages to choose from: the server's own, then all that are ready."""
        ready = [language for language in ready_languages() if language.code not in self.languages]
        return [*self.languages.values(), *ready]

    def warnings(self, lang: str, parts: Mapping[str, Sequence[Any]], start: int | None = 0) -> list[str]:
        """A sentence if nothing was measured in the language, and one for each part of a request (*source* …) with
        texts in another script."""
        language = self.language(lang)
        misfits = (misfit(language, what, texts, start) for what, texts in parts.items())
        return [say(sentence) for sentence in (language.unmeasured, *misfits) if sentence]

    def load(self, lang: str) -> None:
        """Load the models of a language's default metrics, so that the first request does not wait."""
        self.short.scorer((lang, None, "sentence")).engine.load()

    async def score(self, key: Key, inputs: Inputs, *, explain: bool = False) -> Scored:
        """Score a request's items (system ``output``).

        Raises:
            SemaError: what is asked for cannot be scored at all; single broken items have their errors in the report.
            Busy: too many requests are waiting.
        """
        lane = self._lane(characters([*inputs.sources, *inputs.systems["output"]]))

        def work() -> Scored:
            scorer = lane.scorer(key)
            scorer.check(inputs)
            stream = scorer.stream(inputs, keep=Keep.EVIDENCE if explain else Keep.NOTHING)
            items = [item.placed(lambda error, _: without_folders(str(error))) for (part,) in stream for item in part]
            return scorer.report({"output": items}), [item.evidence() for item in items]

        with self.busy():
            return await lane.run(work)

    async def call(self, lang: str, work: Callable[[Analyser], Answer], texts: Iterable[Any]) -> Answer:
        """Run work on texts that needs a language's models.

        Raises:
            SemaError: there is no such language, or the work fails.
            Busy: too many requests are waiting.
        """
        lane = self._lane(characters(texts))
        with self.busy():
            return await lane.run(lambda: work(lane.analyser(lang)))

    def _lane(self, size: int) -> Lane:
        return self.long if size > SHORT else self.short

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Keep the caches; :data:`CALM` seconds after the last of these contexts they are emptied."""
        if self._calm is not None:
            self._calm.cancel()
        self._busy += 1
        try:
            yield
        finally:
            self._busy -= 1
            if not self._busy:
                self._calm = asyncio.get_running_loop().call_later(CALM, _empty_caches)


def _empty_caches() -> None:
    BUDGET.empty()
    gc.collect()
