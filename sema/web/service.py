"""The server's scorers: short requests and long ones each have a lane, so that no short one waits for a long one."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from sema.analysis.analyser import Analyser
from sema.display.pictures.words import say
from sema.errors import InputError, SemaError
from sema.languages import find_language, ready_languages
from sema.model.language import Language
from sema.runtime.caching import BUDGET
from sema.runtime.forks import cached_property
from sema.runtime.threads import available_cores
from sema.scoring.chunk import Inputs
from sema.scoring.engine import Keep
from sema.scoring.item_scores import ItemScore
from sema.scoring.letters import misfit
from sema.scoring.results import Report
from sema.web.lanes import TURN_CHARACTERS, Key, Lane, due, sizes, turns
from sema.web.limits import Busy, Limits, without_folders

CALM = 10.0  # seconds without requests and jobs, after which the caches are emptied

Answer = TypeVar("Answer")
Scored = tuple[Report, list[dict[str, Any]]]
"""One request's report (system ``output``), and the evidence of its items where it is to be explained."""


class Service:
    """The part of the server that answers requests; thread-safe.

    A request with a turn of more than :data:`~sema.web.lanes.TURN_CHARACTERS` characters goes to the lane of long
    requests, and so do uploaded jobs. That lane leaves one core to the other. ``languages`` are besides the installed.
    """

    def __init__(self, limits: Limits | None = None, languages: Mapping[str, Language] | None = None) -> None:
        self.limits = limits or Limits()
        self.languages = dict(languages or {})
        self.short = Lane(self.language)
        self.long = Lane(self.language, max(1, available_cores() - 1))
        self._waiting: list[int] = []  # the sizes of the requests in work or waiting
        self._busy = 0  # how many of them there are, and jobs
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
        """Score a request's items (system ``output``) turn by turn, together with others that wait for the same scorer.

        Raises:
            SemaError: what is asked for cannot be scored at all; single broken items have their errors in the report.
            Busy: too many requests are waiting.
        """
        self.short.scorer(key).check(inputs)
        found = sizes(inputs)
        lane, total, keep = self._lane(max(found)), sum(found), Keep.EVIDENCE if explain else Keep.NOTHING
        items: list[ItemScore] = []
        with self._room(total):
            time = due(total)
            for start, end in turns(found):
                part = lane.score(key, keep, inputs.part(start, end), sum(found[start:end]), time)
                scored: list[ItemScore] = await asyncio.wrap_future(part)
                items += scored
        placed = [replace(item, index=place).placed(_error) for place, item in enumerate(items)]
        return lane.scorer(key).report({"output": placed}), [item.evidence() for item in placed]

    async def call(self, lang: str, work: Callable[[Analyser], Answer], size: int = 0) -> Answer:
        """Run work that needs a language's models, in its turn; ``size`` is the number of characters of its texts.

        Raises:
            SemaError: there is no such language, or the work fails.
            Busy: too many requests are waiting.
        """
        lane = self._lane(size)
        analyser = lane.analyser(lang)
        with self._room(size):
            answer: Answer = await asyncio.wrap_future(lane.call(lambda: work(analyser), size))
        return answer

    def _lane(self, longest_turn: int) -> Lane:
        return self.long if longest_turn > TURN_CHARACTERS else self.short

    @contextmanager
    def _room(self, size: int) -> Iterator[None]:
        """Count a request among those in work or waiting."""
        longs = sum(other > TURN_CHARACTERS for other in self._waiting)
        is_late = size > TURN_CHARACTERS and longs >= self.limits.waiting_long
        if is_late or len(self._waiting) >= self.limits.waiting:
            raise Busy
        self._waiting.append(size)
        try:
            with self.busy():
                yield
        finally:
            self._waiting.remove(size)

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


def _error(cause: SemaError, place: int) -> str:
    """An item's error with its number in the request."""
    if isinstance(cause, InputError) and cause.item is not None:
        return without_folders(str(InputError(cause.message, item=place)))
    return without_folders(str(cause))
