"""The server's scorers: short requests and long ones each have a lane, so that no short one waits for a long one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from sema.analysis.analyser import Analyser
from sema.display.pictures.words import say
from sema.languages import find_language, ready_languages
from sema.model.language import Language
from sema.runtime.forks import cached_property
from sema.runtime.threads import available_cores
from sema.scoring.coerce import Inputs
from sema.scoring.letters import misfit
from sema.scoring.scorer import Scorer
from sema.web.detection import Detector, Guess
from sema.web.lanes import TURN_CHARACTERS, Ask, Call, Key, Lane, Scored
from sema.web.limits import Busy, Limits, TooSlow

Answer = TypeVar("Answer")


class Service:
    """The part of the server that answers requests; thread-safe.

    A request with a turn of more than :data:`~sema.web.lanes.TURN_CHARACTERS` characters goes to the lane of long
    requests, and so do uploaded jobs. That lane leaves one core to the other.

    Args:
        limits: the server's limits.
        languages: languages by code besides those that are installed.
    """

    def __init__(self, limits: Limits | None = None, languages: Mapping[str, Language] | None = None) -> None:
        self.limits = limits or Limits()
        self.languages = dict(languages or {})
        self._short = Lane(self.language)
        self._long = Lane(self.language, max(1, available_cores() - 1))
        self._waiting, self._waiting_long = 0, 0

    def language(self, code: str) -> Language:
        """The language of a code."""
        return self.languages[code] if code in self.languages else find_language(code)

    @cached_property
    def offered(self) -> list[Language]:
        """The languages to choose from: the server's own, then all that are ready."""
        offered = {**self.languages}
        for language in ready_languages():
            offered.setdefault(language.code, language)
        return list(offered.values())

    def detect(self, text: str) -> Guess | None:
        """The likeliest language of a text among those offered; ``None`` if it cannot be told."""
        return self._detector.detect(text)

    @cached_property
    def _detector(self) -> Detector:
        return Detector(self.offered)

    def warnings(self, lang: str, parts: Mapping[str, Sequence[Any]], start: int | None = 0) -> list[str]:
        """A sentence if nothing was measured in the language, and one for each part of a request (*source* …) with
        texts in another script."""
        language = self.language(lang)
        misfit_sentences = (misfit(language, what, texts, start) for what, texts in parts.items())
        return [say(sentence) for sentence in (language.unmeasured, *misfit_sentences) if sentence]

    def _lane(self, longest_turn: int) -> Lane:
        return self._long if longest_turn > TURN_CHARACTERS else self._short

    def scorer(self, key: Key) -> Scorer:
        """The scorer that checks a request."""
        return self._short.scorer(key)

    def job_scorer(self, key: Key, tell: Callable[[int], None]) -> Scorer:
        """A scorer for a job, which calls ``tell`` with the items done."""
        return self._long.job_scorer(key, tell)

    def load(self, lang: str) -> None:
        """Load the models of a language's default metrics, so that the first request does not wait."""
        self._short.scorer((lang, None, "sentence")).engine.load()

    async def score(self, key: Key, inputs: Inputs, *, explain: bool = False) -> Scored:
        """Score a request's items (system ``output``), together with others that wait for the same scorer.

        Raises:
            SemaError: what is asked for cannot be scored at all; single broken items have their errors in the report.
            Busy, TooSlow: beyond the limits.
        """
        self.scorer(key).check(inputs)
        ask = Ask(key, inputs, explain)
        return await self._wait(self._lane(ask.longest_turn), ask, ask.answer)

    async def call(self, lang: str, work: Callable[[Analyser], Answer], characters: int = 0) -> Answer:
        """Run work that needs a language's models, in its turn; ``characters`` is the length of its texts.

        Raises:
            SemaError: there is no such language, or the work fails.
            Busy, TooSlow: beyond the limits.
        """
        lane = self._lane(characters)
        analyser = lane.analyser(lang)
        asked = Call(lambda: work(analyser), characters)
        answer: Answer = await self._wait(lane, asked, asked.answer)
        return answer

    async def _wait(self, lane: Lane, asked: Ask | Call, answer: Future[Answer]) -> Answer:
        """The answer; if this task is cancelled or takes too long, the work is stopped."""
        is_long = asked.characters > TURN_CHARACTERS
        if self._waiting >= self.limits.waiting or (is_long and self._waiting_long >= self.limits.waiting_long):
            raise Busy
        self._waiting += 1
        self._waiting_long += is_long
        try:
            lane.add(asked)
            return await asyncio.wait_for(asyncio.wrap_future(answer), self.limits.seconds)
        except TimeoutError as error:
            raise TooSlow from error
        finally:
            self._waiting -= 1
            self._waiting_long -= is_long

    def close(self) -> None:
        """Stop the workers when their queues are empty."""
        self._short.close()
        self._long.close()
