"""Machine translations with their post-edits (MLQE-PE, Fomicheva et al., LREC 2022) as training pairs.

The post-edit says what should be there; the words that it changes are the errors of the translation. The originals give
pairs across languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from random import Random

from sema_chinese.relations import FUNCTION_WORDS as CHINESE_WORDS
from sema_english.relations import FUNCTION_WORDS as ENGLISH_WORDS

from training.data.tables import table
from training.reader.english.examples import detokenized
from training.reader.example import ENTAILED, NEUTRAL, NOT_ENTAILED, UNKNOWN, Example
from training.reader.words import CUTS, shared

ENGLISH = ("ro", "ru", "et", "ne", "si")
"""Languages that were translated into English."""
_COPIES = 0.05
"""The share of unchanged translations that are kept: half of the Russian ones are."""
_BROKEN, _GOOD = 0.4, 0.12
"""Shares of changed words from which a translation does not say the same, and below which it may."""
_GROUPS = count(30_000_000)
_FUNCTION_WORDS = frozenset(ENGLISH_WORDS) | frozenset(CHINESE_WORDS)


def rows(name: str, part: str) -> Iterator[dict[str, str]]:
    """The rows of a pair of languages, such as ``ro-en``."""
    return table("translation", f"{name}.{part}.tsv.gz")


def translations(rng: Random) -> Iterator[tuple[str, Example]]:
    """The pairs of post-edit and translation (of the kind ``mlqe`` or ``zh_mlqe``), and of original and either (of the
    kind ``across``)."""
    for name in (*(f"{code}-en" for code in ENGLISH), "en-zh"):
        into_english = name != "en-zh"
        cut = CUTS["en" if into_english else "zh"]
        listed = list(rows(name, "train"))
        for place, row in enumerate(listed):
            post = row["post_edit"]
            good = cut(detokenized(post)) if into_english else cut("".join(post.split()))
            output, source = cut(row["mt"]), tuple(row["source"].split())
            if not good or not output or not source:
                continue
            changed, adequacy = float(row["hter"]), float(row["da_mean"]) / 100
            same = max(0.0, 1 - 1.3 * changed) if not into_english else adequacy
            if changed == 0:
                same = max(same, 0.95)
            label = ENTAILED if changed == 0 else NOT_ENTAILED if changed > _BROKEN or same < 0.35 else UNKNOWN
            kept, supported = _differing(good, output)
            pair = Example(
                " ".join(good), " ".join(output), label, label, same, kept, supported, next(_GROUPS),
                weight=0.8 if into_english else 0.6, graded=same,
            )  # fmt: skip
            if changed or rng.random() < _COPIES:
                yield ("mlqe" if into_english else "zh_mlqe"), pair
            across = replace(pair, source=" ".join(source), source_words=(), group=next(_GROUPS))
            faithful = replace(
                across, output=" ".join(good), output_entailed=ENTAILED, source_entailed=ENTAILED, same=0.96,
                output_words=(1,) * len(good), graded=-1.0,
            )  # fmt: skip
            other = replace(
                across, output=" ".join(cut(rng.choice(listed)["mt"])), output_entailed=NEUTRAL,
                source_entailed=NEUTRAL, same=0.02, output_words=(), graded=0.02,
            )  # fmt: skip
            for one in (across, faithful, *([other] if place % 5 == 0 else [])):
                yield "across", one.turned() if rng.random() < 0.3 else one


def _differing(good: Sequence[str], output: Sequence[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each word of either text 1 if the other has it in order, 0 if it is content that it lacks, else -1."""
    first, second = ([word.lower().strip(".,;:!?\"'()，。、；：") for word in text] for text in (good, output))
    kept, supported = (
        tuple(label or -int(word in _FUNCTION_WORDS or not word) for word, label in zip(*labelled, strict=True))
        for labelled in zip((first, second), shared(first, second), strict=True)
    )
    return kept, supported
