"""What must not be left out: conditions, exceptions, and what stands against the rest of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.lists import word_list
from sema_chinese.meaning.reading import Reading

CONDITIONS = word_list("conditions")
"""Words before a condition."""
OPEN = word_list("open conditions")
"""Words by which another text may say the same condition."""
WHATEVER, BUT, ALTHOUGH = word_list("whatever"), word_list("turning"), word_list("conceding")
CONTRASTS = word_list("contrasts")
"""Words that tell that something stands against the rest."""
RULES = word_list("rules")
"""Words of permission and duty: who has it is a condition."""
LEFT, SOME = 0.25, 0.35
"""The share of its words from which a phrase is left; how surely a word must be linked to count."""
SPARE = 0.5
"""The new words of a text, as a share of a phrase's, from which they may be another way to say it."""
SHORTEST = 2
"""Words of content that a phrase must have to be missed."""


def dropped(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """Phrases of which nothing is left, and nothing new that could stand for them."""
    spare = sum(not output.side.linked(o, SOME) for o in output.content(range(len(output.plain))))
    for what, phrase in (*_conditions(source, output), *_contrasts(source, output), *_who(source)):
        content = source.content(phrase)
        left = sum(source.side.linked(t, SOME) for t in content)
        if len(content) >= SHORTEST and left <= LEFT * len(content) and spare < SPARE * (len(content) - left):
            yield Contradiction(f"dropped: {what} {source.side.said(content)}", tuple(content), ())
            return


def _has(reading: Reading, words: frozenset[str]) -> bool:
    return not words.isdisjoint(reading.plain)


def _conditions(source: Reading, output: Reading) -> Iterator[tuple[str, Sequence[int]]]:
    """Clauses behind *if*, and what stands between 除 and 外, where the output has nothing of the kind."""
    plain = source.plain
    for clause in source.spelling.clauses:
        if not _has(output, OPEN) and not CONDITIONS.isdisjoint(plain[t] for t in clause[:2]):
            yield "condition", clause
        for t in clause:
            if plain[t] in ("除", "除了"):
                yield "exception", range(t + 1, clause.stop)


def _contrasts(source: Reading, output: Reading) -> Iterator[tuple[str, Sequence[int]]]:
    """Either part of a sentence that *but* or *although* sets against the other, unless the output sets it so."""
    if _has(output, CONTRASTS):
        return
    for start, end in source.spelling.sentences:
        for clause in source.spelling.clauses:
            if not start <= clause.start < end:
                continue
            head = source.plain[clause.start]
            if head in BUT and clause.start > start:
                yield "contrast", range(clause.start, end)
                yield "contrast", range(start, clause.start)
            elif head in ALTHOUGH:
                yield "contrast", clause
                yield "contrast", range(clause.stop, end)


def _who(source: Reading) -> Iterator[tuple[str, Sequence[int]]]:
    """What tells to whom a rule applies: *持有残疾证 的 乘客 可 免费 乘坐*."""
    for start, end in source.spelling.sentences:
        rule = next((t for t in range(start, end) if source.plain[t] in RULES), None)
        if rule is None:
            continue
        of = next((t for t in range(rule - 1, start, -1) if source.plain[t] == "的"), None)
        if of is not None:
            yield "condition", [t for t in source.clause(of) if t < of]


def no_longer_open(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """*If* that became *whether or not*."""
    gone = [t for t, word in enumerate(source.plain) if word in CONDITIONS - WHATEVER]
    new = [o for o, word in enumerate(output.plain) if word in WHATEVER]
    if gone and new and not _has(source, WHATEVER) and not _has(output, CONDITIONS - WHATEVER):
        said = f"condition: {source.side.said(gone[:1])} became {output.side.said(new[:1])}"
        yield Contradiction(said, tuple(gone[:1]), tuple(new[:1]))
