"""Targets for the path from text to score: the whole, and its first steps, which are cheap."""

from __future__ import annotations

import json
import math
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from sema.errors import InputError
from tests.fuzz.harness import Crash, register, target

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


PAIRS = {
    "english": ("John got home and gave Mary a call.|John got home. He called Mary.", "3,000 cats|Cats.", "(((|)))"),
    "chinese": ("他昨天在北京看见了一只猫。|他看见了猫。", "。|，", "a猫1|猫"),
}
RAW = {
    "english": 'Dr. No said "no" at 3 p.m. in the U.S.A. It\'s 5\'11" (e.g.) www.a.com... OK?!',
    "chinese": "「你好！」他说：“3.5公斤……”（见下）",
}
WORDS = {
    "english": ("John got home|He got to his house", "beer|a drink", "1,000|1000 thousand"),
    "chinese": ("他 看见 了 猫|他 见 猫", "啤酒|饮料", "一百|100"),
}
for name, lang in (("english", "en"), ("chinese", "zh")):
    register(f"{name}_segments", partial(_segment, lang), *PAIRS[name], RAW[name])
    register(f"{name}_links", partial(_align, lang), *WORDS[name])
    register(name, lambda data, lang=lang: _score(_scorer(lang, "sentence"), data), *PAIRS[name])
