"""Training pairs made on purpose: Chinese near copies that are broken, shortened, added to or reworded in places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random

from training.reader.chinese.breaks import ADDITIONS, BREAKS, LOSSES
from training.reader.chinese.rewordings import REWORDINGS
from training.reader.chinese.sentences import Pool, Sentence, part_of_speech
from training.reader.example import ENTAILED, Example
from training.reader.perturbation import Edit, chosen
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
            text[start:end] for start, end in Sentence(text, Pool({}, ()), Random(0)).clauses if 4 <= end - start <= 12
        ]
    return Pool({kind: sorted(of_kind) for kind, of_kind in words.items()}, clauses)


def near_copies(texts: Sequence[Words], pool: Pool, rng: Random) -> Iterator[Example]:
    """Each text with a version that breaks, loses or adds something, often one that only rewords, and a broken one
    of that."""
    for text in texts:
        group = next(_GROUPS)
        calm = reworded(text, pool, rng, rng.choice((1, 1, 2, 3, 4)))
        if calm != text:
            yield made(text, calm, ENTAILED, ENTAILED, 0.96, (1,) * len(text), (1,) * len(calm), group)
        if (edit := chosen(BREAKS, Sentence(text, pool, rng))) is not None:
            yield edited(text, text, edit, group)
        kind = rng.random()
        editors = BREAKS if kind < 0.4 else LOSSES if kind < 0.75 else ADDITIONS
        if (edit := chosen(editors, Sentence(calm, pool, rng))) is not None:
            yield edited(text, calm, edit, group)


def around(pairs: Sequence[tuple[Words, Words]], pool: Pool, rng: Random) -> Iterator[Example]:
    """Rewordings by people, (source, output), with broken versions of the output."""
    for source, good in pairs:
        group = next(_GROUPS)
        yield made(source, good, ENTAILED, ENTAILED, 0.92, (), (), group)
        if (edit := chosen(BREAKS, Sentence(good, pool, rng))) is not None:
            yield edited(source, good, edit, group)


def reworded(text: Words, pool: Pool, rng: Random, times: int) -> Words:
    """The text reworded in some places."""
    for _ in range(times):
        edit = chosen(REWORDINGS, Sentence(text, pool, rng))
        text = edit.words if edit is not None else text
    return text


def edited(source: Words, calm: Words, edit: Edit, group: int) -> Example:
    """The pair of a text and an edit of it, or of a rewording of it."""
    kept = edit.kept(len(source)) if calm == source else ()
    supported = edit.supported if edit.new or edit.output_entailed else ()
    return made(source, edit.words, *edit.entails, edit.same, kept, supported, group)


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
