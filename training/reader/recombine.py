"""More examples out of others: a sentence beside the whole other text, and texts of different examples together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from sema.meaning.sentences import MOST
from training.reader.batches import NUMBERS, Row
from training.reader.example import BOTH, ENTAILED, NOT_ENTAILED, UNKNOWN

BY_SENTENCE = {
    "en_passage": 1, "zh_passage": 1, "en_tale": 0.5, "zh_tale": 0.5, "tale_across": 0.4, "story": 0.8, "among": 0.5,
    "people": 0.3, "zh_broken": 0.3, "broken": 0.15,
}  # fmt: skip
"""The share of examples of each kind whose sentences are also read one by one beside the whole other text."""
SUPPORTED = ("en_passage", "en_tale", "zh_passage", "zh_tale")
"""Kinds whose sentences are also read beside the sentences of the other text that they share most words with."""
UNRELATED = ("story", "en_tale", "zh_tale", "broken", "nli", "zh_broken", "zh_snli", "swipe", "people")
"""Kinds whose texts are put beside those of other examples."""
FAULTLESS = 2
"""The most sentences without a fault that are read of a side of a pair, beside all with one."""
_STEM = 5
_UNRELATED_PAIRS = 2_500
_END = re.compile(r"[.!?。！？][\"”’)」』]*$")
_EDGES = ".,;:!?\"'()，。；："


def sentence_ends(words: Sequence[str]) -> list[int]:
    """The places behind words that end a sentence."""
    return [place + 1 for place, word in enumerate(words) if _END.search(word)]


def by_sentence(rows: Sequence[Row], rng: Random) -> Iterator[Row]:
    """Sentences of texts whose words are labelled, each beside the whole other text (kinds end in ``_by``) and beside
    the part of it that it rests on (in ``_near``): a passage is read so."""
    for one in rows:
        for kind, part in (("by", False), ("near", True)):
            share = one["k"] in SUPPORTED if part else BY_SENTENCE.get(one["k"], 0)
            if rng.random() < share:
                yield from _sentences(one, f"{one['k']}_{kind}", part, rng)


def _sentences(one: Row, kind: str, part: bool, rng: Random) -> Iterator[Row]:
    """Some of a pair's sentences beside the other text, or beside the ``part`` of it that they rest on."""
    for side, words, entailed in (("o", "ow", "oe"), ("s", "sw", "se")):
        labels, text = one.get(words, "-"), one[side].split()
        if "-" in labels or len(labels) != len(text):
            continue
        spans = [(start, end) for start, end in _spans(text) if end - start >= 3]
        faulty = [(start, end) for start, end in spans if "0" in labels[start:end]]
        whole = [span for span in spans if span not in faulty]
        for start, end in [*faulty, *rng.sample(whole, min(FAULTLESS, len(whole)))] if len(spans) > 1 else ():
            own = labels[start:end]
            label = one.get(entailed, NOT_ENTAILED) or NOT_ENTAILED
            other = "s" if side == "o" else "o"
            rest = supporting(text[start:end], one[other].split()) if part else one[other].split()
            yield {
                **one, side: " ".join(text[start:end]), other: " ".join(rest), words: own, "k": kind,
                entailed: ENTAILED if "0" not in own else label,
                **{key: empty for key, _, empty in NUMBERS.values() if key in ("m", "g", "gr")},
                **({"se": UNKNOWN, "sw": ""} if side == "o" else {"oe": UNKNOWN, "ow": ""}),
            }  # fmt: skip


def _spans(text: Sequence[str]) -> list[tuple[int, int]]:
    """The sentences of a text's words."""
    ends = sentence_ends(text)
    return [(start, end) for start, end in zip([0, *ends], [*ends, len(text)], strict=True) if end > start]


def supporting(sentence: Sequence[str], text: Sequence[str]) -> list[str]:
    """The words of the sentences of a text, three at most, that together share most of a sentence's words."""
    spans = _spans(text)
    if not spans:
        return []
    own = _stems(sentence)
    shared = [own & _stems(text[start:end]) for start, end in spans]
    chosen: list[int] = []
    covered: set[str] = set()
    while len(chosen) < MOST:
        best = max(range(len(spans)), key=lambda place: len(shared[place] - covered))
        if chosen and not shared[best] - covered:
            break
        chosen.append(best)
        covered |= shared[best]
    return [word for place in sorted(set(chosen)) for word in text[slice(*spans[place])]]


def _stems(words: Sequence[str]) -> set[str]:
    """What words begin with: enough of them to know a word again in another form."""
    bare = (word.lower().strip(_EDGES) for word in words)
    return {word[:_STEM] for word in bare if len(word) >= (4 if word.isascii() else 1) or word.isdecimal()}


def unrelated(rows: Sequence[Row], rng: Random) -> Iterator[Row]:
    """Texts beside those of other examples; words that both have are left open."""
    for kind in UNRELATED:
        own = [one for one in rows if one["k"] == kind]
        for _ in range(min(_UNRELATED_PAIRS, len(own) // 3)):
            source, output = rng.choice(own)["s"], rng.choice(own)["o"]
            known = [{word.lower().strip(_EDGES) for word in text.split()} for text in (source, output)]
            yield {
                "s": source, "o": output, "k": "off", "oe": NOT_ENTAILED, "se": NOT_ENTAILED, "m": 0.02, "gr": 0.02,
                "t": BOTH, "sw": _strange(source, known[1]), "ow": _strange(output, known[0]),
            }  # fmt: skip


def _strange(text: str, known: set[str]) -> str:
    bare = [word.lower().strip(_EDGES) for word in text.split()]
    return "".join("-" if word in known or len(word) < (4 if word.isascii() else 2) else "0" for word in bare)
