"""Everything that the cross-encoder learns from, as rows of one file.

A row is JSON: ``s`` and ``o`` are the texts, ``k`` is the kind of example, the other keys are the labels of
:data:`training.reader.batches.NUMBERS`, and ``sw`` and ``ow`` have a sign for each word between spaces: 1 kept or
supported, 0 not, - unknown.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from training.reader import stories
from training.reader.batches import NUMBERS, Row
from training.reader.broken import Breaker, side_by_side
from training.reader.chinese import examples as chinese
from training.reader.chinese.bilingual import ZH_SETS, chinese_words, translated, zh_rows
from training.reader.chinese.rules import CHINESE
from training.reader.english import examples
from training.reader.english.examples import detokenized
from training.reader.english.rules import ENGLISH
from training.reader.example import ENTAILED, JUDGED, Example, judged
from training.reader.recombine import by_sentence, sentence_ends, unrelated
from training.reader.swipe import swipe
from training.reader.translations import rows as translation_rows
from training.reader.translations import translations
from training.reader.words import CUTS, any_cut, chinese_cut

log = logging.getLogger("training.reader")
STORIES = tuple(sorted((stories.FOLDER / "older").glob("stories_*.jsonl")))
SENTENCES, ROUNDS = 75_000, 3
"""English sentences that a round breaks, and rounds, each with other edits."""
CHINESE_SENTENCES, CHINESE_ROUNDS = 30_000, 4
SUPPORTED = 25_000
"""Claims of FEVER that are supported; all that are refuted are read, but for half of the negated."""
AMONG = 0.3
"""The share of broken sentences that stand between others."""
LONG = 3
"""Sentences of a text that is no passage yet."""
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


def write(file: Path) -> None:
    """Write all examples."""
    lines = (json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in rows(Random(4)))
    file.write_text("\n".join(lines), encoding="utf-8")


def rows(rng: Random) -> list[Row]:
    """All examples, with their sentences and with unrelated texts, in chance order."""
    found = [*_english(rng), *_chinese(rng), *_across(rng), *_stories()]
    found += [*by_sentence(found, rng), *unrelated(found, rng)]
    rng.shuffle(found)
    return found


def _english(rng: Random) -> Iterator[Row]:
    sets: dict[str, Callable[[], Iterable[Example]]] = {
        "nli": examples.natural_language_inference,
        "fever": partial(examples.fever, rng, supported=SUPPORTED),
        "paws": examples.paws, "mono": examples.monotonicity, "sts": examples.graded_similarity,
        "iter": examples.revisions, "wice": examples.unsupported_words, "mwa": examples.aligned_by_hand,
        "story": lambda: (one for file in STORIES for one in stories.older(file)), "swipe": swipe,
    }  # fmt: skip
    for kind, made in sets.items():
        yield from (row(one, kind) for one in made())
        log.info("%s is read", kind)
    for number in range(1, ROUNDS + 1):
        texts = examples.sentences(rng, SENTENCES)
        breaker = Breaker(ENGLISH, ENGLISH.pool(texts), rng)
        near = list(breaker.near_copies(texts))
        among = {group for group in {one.group for one in near} if rng.random() < AMONG}
        broken_in: dict[str, Iterable[Example]] = {
            "broken": [one for one in near if one.group not in among],
            "among": side_by_side([one for one in near if one.group in among], rng),
            "people": breaker.around_people(list(examples.human_rewordings(rng))),
        }
        for kind, found in broken_in.items():
            yield from (row(one, kind, number * _ROUND) for one in found)
        log.info("round %d of broken sentences", number)


def _chinese(rng: Random) -> Iterator[Row]:
    yield from (row(example, "zh_snli") for example in chinese.captions())
    yield from (row(example, "zh_judged") for example in chinese.rated())
    for number in range(1, CHINESE_ROUNDS + 1):
        texts = chinese.sentences(rng, CHINESE_SENTENCES)
        breaker = Breaker(CHINESE, CHINESE.pool(texts), rng)
        for example in (*breaker.near_copies(texts), *breaker.around_people(list(chinese.rewordings()))):
            yield row(example, "zh_broken", (number + ROUNDS) * _ROUND)
        log.info("round %d of broken Chinese sentences", number)


def texts_of() -> Iterator[tuple[str, str]]:
    """The language and the words, between spaces, of texts that pieces are chosen by."""
    for name in ZH_SETS:
        for one in zh_rows(name):
            yield from (("zh", " ".join(chinese_words(one[part]))) for part in ("premise", "hypothesis"))
    yield from (("zh", " ".join(words)) for words in chinese.trees())
    for one in translation_rows("en-zh", "train"):
        yield "zh", " ".join(chinese_cut("".join(one["post_edit"].split())))
    for file in sorted(stories.FOLDER.glob("*.jsonl")):
        lang = file.name[:2]
        for story in stories.stories(file, held_out=False):
            yield from ((lang, " ".join(CUTS[lang](str(story[name])))) for name in ("source", "good", "free"))
    yield from (("en", text) for text in examples.sentences(Random(1), 20_000))


def _stories() -> Iterator[Row]:
    """Stories with marked words; passages are a kind of their own, and so are stories across languages."""
    for file in sorted(stories.FOLDER.glob("*.jsonl")):
        lang = file.name[:2]
        for example in stories.written(file, CUTS[lang]):
            long = len(sentence_ends(example.source.split())) > LONG
            yield row(example, f"{lang}_{'passage' if long else 'tale'}")
    for file in sorted(stories.ACROSS.glob("*.jsonl")):
        yield from (row(example, "tale_across") for example in stories.written(file, CUTS["en"], any_cut))
        yield from (row(example, "tale_any") for example in stories.within(file, any_cut))


def _across(rng: Random) -> Iterator[Row]:
    """Pairs across languages: translations with their originals, and the sets that are there in both languages."""
    for kind, example in translations(rng):
        yield row(example, kind)
    for name, chinese_row, original in translated():
        there = [" ".join(chinese_words(chinese_row[part])) for part in ("premise", "hypothesis")]
        here = [detokenized(original[part]) for part in ("premise", "hypothesis")]
        for source, output in ((here[0], there[1]), (there[0], here[1])):
            pair = judged(source, output, chinese_row["label"], graded=name == "sts")
            yield row(replace(pair, teaches=JUDGED) if name == "snli" else pair, "cross")
        for one, other in zip(here, there, strict=True):
            source, output = (one, other) if rng.random() < 0.5 else (other, one)
            if rng.random() < 0.4:
                ones = (1,) * len(source.split()), (1,) * len(output.split())
                yield row(Example(source, output, ENTAILED, ENTAILED, 0.96, *ones), "cross")
