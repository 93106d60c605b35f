"""Targets for the path from text to score."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from typing import TYPE_CHECKING

from tests.fuzz.harness import Crash, register, target

if TYPE_CHECKING:
    from sema.scoring.scorer import Scorer

LONGEST = 2000
"""Characters of a text that is parsed."""
LACKS = ("needs a reference", "the source has no words")
"""What the error of a missing score may say: a blank output is no reference, and signs may be no words."""


def _pair(data: bytes) -> tuple[str, str]:
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    source, _, output = text.partition("|")
    return source[:LONGEST], output[:LONGEST]


def _score(scorer: Scorer, data: bytes) -> None:
    source, output = _pair(data)
    report = scorer.score([source], [output], [[output[:200] or "a"]], collect_errors=True)
    (system,) = report.systems
    for item in system.items:
        for name, value in item.scores.items():
            if any(lack in item.errors.get(name, "") for lack in LACKS):
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


PAIRS = {
    "english": ("John got home and gave Mary a call.|John got home. He called Mary.", "3,000 cats|Cats.", "(((|)))"),
    "chinese": ("他昨天在北京看见了一只猫。|他看见了猫。", "。|，", "a猫1|猫"),
}
for name, lang in (("english", "en"), ("chinese", "zh")):
    register(name, lambda data, lang=lang: _score(_scorer(lang, "sentence"), data), *PAIRS[name])
