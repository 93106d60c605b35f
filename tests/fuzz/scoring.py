"""Targets for the path from text to score: the whole, and its first steps, which are cheap."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from typing import TYPE_CHECKING

from sema.errors import InputError
from tests.fuzz.harness import Crash, target

if TYPE_CHECKING:
    from sema.model.language import Parts
    from sema.scoring.scorer import Scorer

LONGEST = 2000
"""Characters of a text that is parsed."""


def _pair(data: bytes) -> tuple[str, str]:
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    source, _, output = text.partition("|")
    return source[:LONGEST], output[:LONGEST]


def _texts(data: bytes) -> tuple[str, str]:
    """The same, where they are texts that a scorer lets through to a language's parts."""
    from sema.analysis.texts import check_text

    source, output = _pair(data)
    for text in (source, output):
        checked = check_text(text, "output")
        if isinstance(checked, InputError):
            raise checked
    return source, output


def _score(scorer: Scorer, data: bytes) -> None:
    source, output = _pair(data)
    report = scorer.score([source], [output], [[output[:200] or "a"]], collect_errors=True)
    (system,) = report.systems
    for item in system.items:
        for name, value in item.scores.items():
            if "needs a reference" in item.errors.get(name, ""):  # a blank output is none
                continue
            low, high = report.metric(name).range
            if not math.isfinite(value) or not low - 1e-6 <= value <= high + 1e-6:
                raise Crash(f"{name} is {value}")
    report.to_dict()
    json.dumps(report.evidence(0))


@lru_cache(maxsize=2)
def _scorer(lang: str, level: str) -> Scorer:
    from sema.scoring.scorer import Scorer
    from tests.esperanto import esperanto

    names = ["sema", "samsa", "meaning", "sari", "bleu", "ld_source"] if level == "sentence" else ["sema", "meaning"]
    return Scorer(esperanto() if lang == "eo" else lang, names, level=level)  # type: ignore[arg-type]


@target("La kato dormas. Mi vidas domon.|La kato dormas.", "a|b", "\u202e. . .|\u0301\u0301")
def esperanto_scores(data: bytes) -> None:
    """From text to score by a language that parses in no time: the engine, the alignment and the metrics."""
    _score(_scorer("eo", "sentence" if len(data) % 2 else "passage"), data)


_ENGLISH = ("John got home and gave Mary a call.|John got home. He called Mary.", "3,000 cats|Cats.", "(((|)))")
_CHINESE = ("他昨天在北京看见了一只猫。|他看见了猫。", "。|，", "a猫1|猫")


@lru_cache(maxsize=2)
def _parts(lang: str) -> Parts:
    from sema.languages import find_language

    return find_language(lang).parts()


def _segment(lang: str, data: bytes) -> None:
    source = _texts(data)[0]
    (text,) = _parts(lang).segmenter.segment([source])
    places = [place for token in text.tokens for place in (token.start, token.end)]
    if places != sorted(places) or not all(0 <= place <= len(text.raw) for place in places):
        raise Crash("words are not where they are said to be, or not in their order")
    if [place for start, end in text.sentences for place in range(start, end)] != list(range(len(text.tokens))):
        raise Crash("sentences do not hold each word once")


def _align(lang: str, data: bytes) -> None:
    source, output = (text.split()[:60] for text in _texts(data))
    (links,) = _parts(lang).aligner.align([(source, output)])
    for link in links:
        if not (0 <= link.source < len(source) and 0 <= link.output < len(output) and math.isfinite(link.weight)):
            raise Crash(f"{link} between {len(source)} and {len(output)} words")


@target(*_ENGLISH, 'Dr. No said "no" at 3 p.m. in the U.S.A. It\'s 5\'11" (e.g.) www.a.com... OK?!')
def english_segments(data: bytes) -> None:
    """English tokens and sentences."""
    _segment("en", data)


@target("John got home|He got to his house", "beer|a drink", "1,000|1000 thousand")
def english_links(data: bytes) -> None:
    """English word links."""
    _align("en", data)


@target(*_ENGLISH)
def english(data: bytes) -> None:
    """From text to score in English."""
    _score(_scorer("en", "sentence"), data)


@target(*_CHINESE, "「你好！」他说：“3.5公斤……”（见下）")
def chinese_segments(data: bytes) -> None:
    """Chinese words and sentences."""
    _segment("zh", data)


@target("他 看见 了 猫|他 见 猫", "啤酒|饮料", "一百|100")
def chinese_links(data: bytes) -> None:
    """Chinese word links."""
    _align("zh", data)


@target(*_CHINESE)
def chinese(data: bytes) -> None:
    """From text to score in Chinese."""
    _score(_scorer("zh", "sentence"), data)
