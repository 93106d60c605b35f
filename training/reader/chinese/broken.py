"""Training pairs made on purpose: Chinese near copies that are broken, shortened, added to or reworded in places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random

from training.reader.chinese.breaks import ADDITIONS, BREAKS, LOSSES
from training.reader.chinese.rewordings import REWORDINGS
from training.reader.chinese.sentences import Pool, Sentence, chosen, part_of_speech
from training.reader.english.edits import Edit
from training.reader.example import ENTAILED, NEUTRAL, NOT_ENTAILED, Example
from training.reader.words import Words

SHORTEST, LONGEST = 6, 60
"""Words of a sentence that is edited."""
_GROUPS = count(1)


def pool_of(texts: Sequence[Words]) -> Pool:
    """The material that sentences borrow from each other."""
    words: dict[int, set[str]] = defaultdict(set)
    clauses = []
    for text in texts:
        for word in text:
            if len(word) > 1 and (kind := part_of_speech(word)) is not None:
                words[kind].add(word)
        clauses += [
            text[start:end] for start, end in _sentence(text, Pool({}, ()), Random(0)).clauses if 4 <= end - start <= 12
        ]
    return Pool({kind: sorted(found) for kind, found in words.items()}, clauses)


def near_copies(texts: Sequence[Words], pool: Pool, rng: Random) -> Iterator[Example]:
    """Each text with a version that breaks, loses or adds something, often one that only rewords, and a broken one
    of that."""
    for text in texts:
        group = next(_GROUPS)
        calm = reworded(text, pool, rng, rng.choice((1, 1, 2, 3, 4)))
        if calm != text:
            yield made(text, calm, ENTAILED, ENTAILED, 0.96, (1,) * len(text), (1,) * len(calm), group)
        if (edit := chosen(BREAKS, _sentence(text, pool, rng))) is not None:
            yield edited(text, text, edit, group)
        kind = rng.random()
        editors = BREAKS if kind < 0.4 else LOSSES if kind < 0.75 else ADDITIONS
        if (edit := chosen(editors, _sentence(calm, pool, rng))) is not None:
            yield edited(text, calm, edit, group)


def around(pairs: Sequence[tuple[Words, Words]], pool: Pool, rng: Random) -> Iterator[Example]:
    """Rewordings by people, (source, output), with broken versions of the output."""
    for source, good in pairs:
        group = next(_GROUPS)
        yield made(source, good, ENTAILED, ENTAILED, 0.92, (), (), group)
        if (edit := chosen(BREAKS, _sentence(good, pool, rng))) is not None:
            yield edited(source, good, edit, group)


def reworded(text: Words, pool: Pool, rng: Random, times: int) -> Words:
    """The text reworded in some places."""
    for _ in range(times):
        edit = chosen(REWORDINGS, _sentence(text, pool, rng))
        text = edit.words if edit is not None else text
    return text


def edited(source: Words, calm: Words, edit: Edit, group: int) -> Example:
    """The pair of a text and an edit of it, or of a rewording of it."""
    output_entailed = ENTAILED if edit.output_entailed else NEUTRAL if edit.source_entailed else NOT_ENTAILED
    source_entailed = ENTAILED if edit.source_entailed else NEUTRAL if edit.output_entailed else NOT_ENTAILED
    kept = tuple(int(place not in edit.lost) for place in range(len(source))) if calm == source else ()
    supported = tuple(int(place not in edit.new) for place in range(len(edit.words)))
    if not edit.new and not edit.output_entailed:
        supported = ()
    return made(source, edit.words, output_entailed, source_entailed, edit.same, kept, supported, group)


def made(
    source: Words,
    output: Words,
    output_entailed: int,
    source_entailed: int,
    same: float,
    kept: tuple[int, ...] = (),
    supported: tuple[int, ...] = (),
    group: int = 0,
    weight: float = 1.0,
) -> Example:
    """An example whose words are tokens."""
    return Example(
        " ".join(source), " ".join(output), output_entailed, source_entailed, same, kept, supported, group, weight
    )


def _sentence(text: Words, pool: Pool, rng: Random) -> Sentence:
    return Sentence(text, pool, rng)
