"""Everything that the pair reader learns from, as rows of one file: ``python -m training.reader.material FILE``.

A row is JSON: ``s`` and ``o`` are the texts, ``k`` is the kind of example, the other keys are the labels of
:data:`training.reader.batches.NUMBERS`, and ``sw`` and ``ow`` have a sign for each word between spaces: 1 kept or
supported, 0 not, - unknown.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from sema_chinese.language import segmenter
from sema_chinese.relations import spell

from training.reader import stories
from training.reader.batches import BOTH, ENTAILED, JUDGED, NOT_ENTAILED, NUMBERS
from training.reader.chinese import examples as chinese
from training.reader.chinese.bilingual import Row as SetRow
from training.reader.chinese.bilingual import bitext, chinese_words
from training.reader.english import broken, examples
from training.reader.english.examples import CONTRADICTED, NEUTRAL, UNKNOWN, Example, detokenized
from training.reader.swipe import swipe
from training.reader.translations import rows as translation_rows
from training.reader.translations import translations

log = logging.getLogger("training.reader")
Row = dict[str, Any]
STORIES = tuple(sorted((stories.FOLDER / "older").glob("stories_*.jsonl")))
SENTENCES, ROUNDS = 75_000, 3
"""English sentences that a round breaks, and rounds, each with other edits."""
CHINESE_SENTENCES, CHINESE_ROUNDS = 30_000, 2
SUPPORTED = 25_000
"""Claims of FEVER that are supported; all that are refuted are read, but for half of the negated."""
AMONG = 0.3
"""The share of broken sentences that stand between others."""
BY_SENTENCE = {
    "en_passage": 1,
    "zh_passage": 1,
    "en_tale": 0.5,
    "zh_tale": 0.5,
    "story": 0.8,
    "among": 0.5,
    "people": 0.3,
    "zh_broken": 0.3,
    "broken": 0.15,
}
"""The share of examples of each kind whose sentences are also read one by one beside the whole other text."""
UNRELATED = ("story", "en_tale", "zh_tale", "broken", "nli", "zh_broken", "zh_snli", "swipe", "people")
"""Kinds whose texts are put beside those of other examples."""
_UNRELATED_PAIRS = 2_500
LONG = 3
"""Sentences of a text that is no passage yet."""
_END = re.compile(r"[.!?。！？][\"”’)」』]*$")
_EDGES = ".,;:!?\"'()，。；："
_ROUND = 100_000_000
"""Groups of a round begin here."""


def row(example: Example, kind: str, group: int = 0) -> Row:
    """An example as a row; labels that are unknown are left out."""
    found: Row = {"s": example.source, "o": example.output, "k": kind}
    for name, (short, _, empty) in NUMBERS.items():
        value = getattr(example, name)
        if value != empty:
            found[short] = value + group if short == "g" else value
    for short, labels in (("sw", example.source_words), ("ow", example.output_words)):
        if labels:
            found[short] = "".join({1: "1", 0: "0"}.get(label, "-") for label in labels)
    return found


def rows(rng: Random) -> list[Row]:
    """All examples, with their sentences and with unrelated texts, in chance order."""
    found = [*_english(rng), *_chinese(rng), *_across(rng), *_stories()]
    found += [*by_sentence(found, rng), *unrelated(found, rng)]
    rng.shuffle(found)
    return found


def _english(rng: Random) -> Iterator[Row]:
    sets: dict[str, Callable[[], Iterable[Example]]] = {
        "nli": partial(examples.natural_language_inference, rng, 1.0),
        "fever": partial(examples.fever, rng, supported=SUPPORTED),
        "paws": examples.paws, "mono": examples.monotonicity, "sts": examples.graded_similarity,
        "iter": examples.revisions, "wice": examples.unsupported_words, "mwa": examples.aligned_by_hand,
        "story": lambda: (one for file in STORIES for one in broken.written(file)), "swipe": swipe,
    }  # fmt: skip
    for kind, made in sets.items():
        yield from (row(one, kind) for one in made())
        log.info("%s is read", kind)
    for number in range(1, ROUNDS + 1):
        texts = broken.sentences(rng, SENTENCES)
        pool = broken.pool_of(texts)
        near = list(broken.near_copies(texts, pool, rng))
        among = {group for group in {one.group for one in near} if rng.random() < AMONG}
        broken_in: dict[str, Iterable[Example]] = {
            "broken": [one for one in near if one.group not in among],
            "among": broken.side_by_side([one for one in near if one.group in among], rng),
            "people": broken.around_people(broken.human_rewordings(rng), pool, rng),
        }
        for kind, found in broken_in.items():
            yield from (row(one, kind, number * _ROUND) for one in found)
        log.info("round %d of broken sentences", number)


def _chinese(rng: Random) -> Iterator[Row]:
    yield from (row(example, "zh_snli") for example in chinese.captions())
    yield from (row(example, "zh_judged") for example in chinese.rated())
    for number in range(1, CHINESE_ROUNDS + 1):
        for example in chinese.on_purpose(rng, CHINESE_SENTENCES):
            yield row(example, "zh_broken", (number + ROUNDS) * _ROUND)
        log.info("round %d of broken Chinese sentences", number)


def texts_of() -> Iterator[tuple[str, str]]:
    """The language and the words, between spaces, of texts that pieces are chosen by."""
    for name in chinese.ZH_SETS:
        for one in chinese.zh_rows(name):
            yield from (("zh", " ".join(chinese.chinese_words(one[part]))) for part in ("premise", "hypothesis"))
    yield from (("zh", " ".join(words)) for words in chinese.trees())
    for one in translation_rows("en-zh", "train"):
        yield "zh", " ".join(chinese_cut("".join(one["post_edit"].split())))
    for file in sorted(stories.FOLDER.glob("*.jsonl")):
        lang = file.name[:2]
        for story in stories.stories(file, held_out=False):
            yield from ((lang, " ".join(_CUTS[lang](str(story[name])))) for name in ("source", "good", "free"))
    yield from (("en", text) for text in broken.sentences(Random(1), 20_000))


def _stories() -> Iterator[Row]:
    """Stories in both languages with marked words; passages are a kind of their own."""
    for file in sorted(stories.FOLDER.glob("*.jsonl")):
        lang = file.name[:2]
        for example in stories.written(file, _CUTS[lang]):
            sentences = sum(1 for word in example.source.split() if _END.search(word))
            yield row(example, f"{lang}_{'passage' if sentences > LONG else 'tale'}")


def _across(rng: Random) -> Iterator[Row]:
    """Pairs across languages: translations with their originals, and the sets that are there in both languages."""
    from sema_chinese.relations import FUNCTION_WORDS as CHINESE_WORDS
    from sema_english.relations import FUNCTION_WORDS as ENGLISH_WORDS

    function_words = frozenset(ENGLISH_WORDS) | frozenset(CHINESE_WORDS)
    for kind, example in translations(rng, lambda text: tuple(text.split()), chinese_cut, function_words):
        yield row(example, kind)
    for translated, original in bitext().pairs:
        there = [" ".join(chinese_words(translated[part])) for part in ("premise", "hypothesis")]
        here = [detokenized(original[part]) for part in ("premise", "hypothesis")]
        for source, output in ((here[0], there[1]), (there[0], here[1])):
            yield row(_judged(translated, source, output), "cross")
        for one, other in zip(here, there, strict=True):
            source, output = (one, other) if rng.random() < 0.5 else (other, one)
            if rng.random() < 0.4:
                ones = (1,) * len(source.split()), (1,) * len(output.split())
                yield row(Example(source, output, ENTAILED, ENTAILED, 0.96, *ones), "cross")


def _judged(of: SetRow, source: str, output: str) -> Example:
    label = of["label"]
    if label in ("entailment", "neutral", "contradiction"):
        given = {"entailment": ENTAILED, "neutral": NEUTRAL, "contradiction": CONTRADICTED}[label]
        return Example(source, output, given, CONTRADICTED if given == CONTRADICTED else UNKNOWN, teaches=JUDGED)
    same = {"0": 0.25, "1": 0.95}.get(label, float(label) / 5)
    given = ENTAILED if same >= 0.95 else NOT_ENTAILED if same <= 0.6 else UNKNOWN
    return Example(source, output, given, given, same, teaches=BOTH)


@cache
def chinese_cut(text: str) -> tuple[str, ...]:
    """The words of a Chinese text in simplified characters."""
    (found,) = segmenter().segment([text])
    return tuple(word if word.isascii() else spell(word, numerals=False) for word in found.words)


_CUTS: Mapping[str, stories.Cut] = {"en": str.split, "zh": chinese_cut}


def by_sentence(found: Sequence[Row], rng: Random) -> Iterator[Row]:
    """Sentences of texts whose words are labelled, each beside the whole other text: a passage is read so."""
    for one in found:
        if rng.random() > BY_SENTENCE.get(one["k"], 0):
            continue
        for side, words, entailed in (("o", "ow", "oe"), ("s", "sw", "se")):
            labels, text = one.get(words, "-"), one[side].split()
            if "-" in labels or len(labels) != len(text):
                continue
            ends = [place + 1 for place, word in enumerate(text) if _END.search(word)]
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


def unrelated(found: Sequence[Row], rng: Random) -> Iterator[Row]:
    """Texts beside those of other examples; words that both have are left open."""
    for kind in UNRELATED:
        own = [one for one in found if one["k"] == kind]
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


def main() -> None:
    """Write the file."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    with Path(sys.argv[1]).open("w", encoding="utf-8") as out:
        for one in rows(Random(4)):
            out.write(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
