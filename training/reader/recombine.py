"""More examples out of others: a sentence beside the whole other text, and texts of different examples together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from training.reader.batches import NUMBERS, Row
from training.reader.example import BOTH, ENTAILED, NOT_ENTAILED, UNKNOWN

BY_SENTENCE = {
    "en_passage": 1, "zh_passage": 1, "en_tale": 0.5, "zh_tale": 0.5, "story": 0.8, "among": 0.5, "people": 0.3,
    "zh_broken": 0.3, "broken": 0.15,
}  # fmt: skip
"""The share of examples of each kind whose sentences are also read one by one beside the whole other text."""
UNRELATED = ("story", "en_tale", "zh_tale", "broken", "nli", "zh_broken", "zh_snli", "swipe", "people")
"""Kinds whose texts are put beside those of other examples."""
_UNRELATED_PAIRS = 2_500
_END = re.compile(r"[.!?。！？][\"”’)」』]*$")
_EDGES = ".,;:!?\"'()，。；："


def sentence_ends(words: Sequence[str]) -> list[int]:
    """The places behind words that end a sentence."""
    return [place + 1 for place, word in enumerate(words) if _END.search(word)]


def by_sentence(rows: Sequence[Row], rng: Random) -> Iterator[Row]:
    """Sentences of texts whose words are labelled, each beside the whole other text: a passage is read so."""
    for one in rows:
        if rng.random() > BY_SENTENCE.get(one["k"], 0):
            continue
        for side, words, entailed in (("o", "ow", "oe"), ("s", "sw", "se")):
            labels, text = one.get(words, "-"), one[side].split()
            if "-" in labels or len(labels) != len(text):
                continue
            ends = sentence_ends(text)
            spans = list(zip([0, *ends], [*ends, len(text)], strict=True))
            spans = [(start, end) for start, end in spans if end - start >= 3]
            for start, end in rng.sample(spans, min(3, len(spans))) if len(spans) > 1 else ():
                own = labels[start:end]
                label = one.get(entailed, NOT_ENTAILED) or NOT_ENTAILED
                yield {
                    **one, side: " ".join(text[start:end]), words: own, "k": f"{one['k']}_by",
                    entailed: ENTAILED if "0" not in own else label,
                    **{key: empty for key, _, empty in NUMBERS.values() if key in ("m", "g", "gr")},
                    **({"se": UNKNOWN, "sw": ""} if side == "o" else {"oe": UNKNOWN, "ow": ""}),
                }  # fmt: skip


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
