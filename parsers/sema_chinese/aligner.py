"""Links between Chinese words beyond the rules: their probabilities, and links of words in context.

Words that replace each other in simplifications are listed (``synonyms.txt``) and found however a text is segmented.
Opposites are listed too (``opposites.json``), or differ only by opposite characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from sema_reader.languages import shipped
from sema_reader.token_encoder import ReaderTokenEncoder
from sema_ud.links import Limits, UniversalAligner, WordEncoder

from sema.alignment.rules import RuleAligner, nearest
from sema.model.lexicon import Lexicon
from sema.model.links import Link, LinkKind, Pair
from sema.model.text import is_punctuation
from sema.runtime.caching import remembered
from sema.runtime.tables import partners
from sema_chinese.notation.quantities import match, numbers, unmatched
from sema_chinese.notation.spelling import Spelling, number_value, spell
from sema_chinese.relations import FUNCTION_WORDS, OPPOSITE_CHARACTERS, rule_aligner
from sema_chinese.segmentation.segmenter import to_model_characters
from sema_chinese.words import read_lines, table

LISTED, SHORT = 0.9, 0.75
"""The probability of a link between listed words, and of one with a single character."""
KINDS = {
    LinkKind.EXACT: 1.0,
    LinkKind.FORM: 0.9,
    LinkKind.SYNONYM: 0.85,
    LinkKind.PARAPHRASE: 0.8,
    LinkKind.HYPONYMY: 0.65,
    LinkKind.CONTEXTUAL: 0.62,
}
"""The probability of the aligner's links, by kind: simpler words for harder ones are expected."""
SURE = 0.9
"""The probability from which a token needs no other link."""
SHARED = 0.8
"""The probability of a word all of whose characters occur in unlinked words of the other text."""
EMPTY = frozenset(table("relations")["empty characters"])
"""Characters whose sharing is no evidence."""
LEAST = 0.68
"""The least cosine of a link in context."""
LAYER, SHARPNESS = 6, 3
"""Layer and exponent that agree best with post-editing effort, on machine translations and their post-edits (MLQE-PE
en-zh dev; ``benchmarks/results/finished.md``)."""
Grid = NDArray[np.float32]
_LONGEST = 8


@cache
def _lines() -> Sequence[Sequence[str]]:
    return [line.split() for line in read_lines("synonyms.txt")]


@cache
def groups() -> Mapping[str, frozenset[int]]:
    """For each listed word the numbers of the lines that it stands in; the words of a line may replace each other."""
    by_word: dict[str, set[int]] = {}
    for number, words in enumerate(_lines()):
        for word in words:
            by_word.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in by_word.items()}


def replacements(word: str) -> frozenset[str]:
    """The listed words for a word, itself included."""
    return frozenset(other for number in groups().get(word, ()) for other in _lines()[number]) | {word}


def listed_places(spelling: Spelling) -> Iterator[tuple[str, int, int]]:
    """Every listed word of a text, also within longer ones, with the characters where it begins and ends.

    At least one of its edges is an edge of a token; a single character has to be a token.
    """
    known, chars = groups(), spelling.chars
    edges = set(spelling.starts)
    for begin in range(len(chars)):
        for end in range(begin + 1, min(begin + _LONGEST, len(chars)) + 1):
            if (word := chars[begin:end]) in known:
                inside = (begin in edges) + (end in edges)
                if inside == 2 or (inside == 1 and len(word) > 1):
                    yield word, begin, end


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """The listed opposites of each word."""
    return partners(table("opposites"))


def are_listed_opposites(first: str, second: str) -> bool:
    """Whether two words are listed as opposites."""
    return second in opposites().get(first, ())


@remembered
def are_opposed(first: str, second: str) -> bool:
    """Whether two words, or words that may replace them, are listed as opposites, or differ by opposite characters."""
    whole = {first, second}
    degree = table("grammar")["degree characters"]  # before an adjective, without changing its sense
    first, second = first.lstrip(degree) or first, second.lstrip(degree) or second
    if first == second:
        return False
    if are_listed_opposites(first, second):
        return True
    if len(first) == len(second) > 1:
        differing = [frozenset(pair) for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
        if len(differing) == 1 and differing[0] in OPPOSITE_CHARACTERS:
            return True
    if second in replacements(first) or any(len(word) == 1 and word not in whole for word in (first, second)):
        return False  # 最低 is not an opposite of 超过
    return second in _opposites_of(first) or first in _opposites_of(second)


@remembered
def _opposites_of(word: str) -> frozenset[str]:
    """The opposites of a word and of its listed replacements; for an ambiguous single character only its own."""
    words = replacements(word) if len(word) > 1 else (word,)
    return frozenset(other for word in words for other in opposites().get(word, ()))


class ChineseAligner:
    """The rule aligner with a probability for every link: of its links, listed words, shared characters and numbers."""

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self._rules: RuleAligner = rule_aligner(lexicon=lexicon)

    @property
    def signature(self) -> str:
        """The rule aligner's signature, and this version."""
        return f"{self._rules.signature}+weights-1"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The rule aligner's links."""
        return self._rules.align(pairs)

    def probabilities(self, pairs: Sequence[Pair]) -> list[Grid]:
        """For each pair the probability of every link, (source tokens, output tokens)."""
        return [
            _weigh(tuple(source), tuple(output), links)
            for (source, output), links in zip(pairs, self.align(pairs), strict=True)
        ]


def _weigh(source: tuple[str, ...], output: tuple[str, ...], links: Sequence[Link]) -> Grid:
    grid = np.zeros((len(source), len(output)), np.float32)
    if not grid.size:
        return grid
    first, second = map(Spelling, (source, output))
    for link in links:
        if not are_listed_opposites(first.plain[link.source], second.plain[link.output]):
            grid[link.source, link.output] = KINDS[link.kind] * link.weight
    _link_listed(grid, first, second)
    _link_shared_characters(grid, first, second)
    _link_numbers(grid, first, second)
    return grid


def _link_listed(grid: Grid, source: Spelling, output: Spelling) -> None:
    """Link the tokens of words listed as synonyms, the longest and nearest first, each token once."""
    known = groups()
    waiting: dict[int, dict[str, dict[int, int]]] = {}
    for word, begin, end in listed_places(output):
        for group in known[word]:
            waiting.setdefault(group, {}).setdefault(word, {})[begin] = end
    places = {group: {word: sorted(ends) for word, ends in words.items()} for group, words in waiting.items()}
    ranked = []
    ratio = len(output.chars) / max(1, len(source.chars))
    for own, first, last in listed_places(source):
        for group in known[own]:
            for word, ends in waiting.get(group, {}).items():
                if word == own or are_listed_opposites(word, own):
                    continue
                short, letters = min(len(word), len(own)) == 1, len(word) + len(own)
                for begin in nearest(places[group][word], first * ratio):
                    off = abs(first * ratio - begin) / max(1, len(output.chars))
                    ranked.append((short, off - 0.1 * letters, first, last, begin, ends[begin]))
    taken, used = (set(np.flatnonzero((grid >= SURE).any(axis)).tolist()) for axis in (1, 0))
    for short, _, first, last, begin, end in sorted(set(ranked)):
        sources, outputs = source.tokens(first, last), output.tokens(begin, end)
        if taken.issuperset(sources) or used.issuperset(outputs):
            continue
        sure = SHORT if short else LISTED
        for t in sources:
            share = _covered(source, t, first, last)
            for o in outputs:
                if t not in taken or o not in used:
                    grid[t, o] = max(grid[t, o], sure * min(share, _covered(output, o, begin, end)))
        taken.update(sources)
        used.update(outputs)


def _covered(spelling: Spelling, token: int, begin: int, end: int) -> float:
    """The share of a token's characters in a range of characters."""
    start, stop = spelling.starts[token], spelling.starts[token + 1]
    return (min(stop, end) - max(start, begin)) / max(1, stop - start)


def _link_shared_characters(grid: Grid, source: Spelling, output: Spelling) -> None:
    """Link unlinked words that share characters with unlinked words of the other text."""
    for cells, text, other in ((grid, source, output), (grid.T, output, source)):
        free = {
            char: o
            for o in np.flatnonzero(cells.max(0) < SURE).tolist()
            if _is_content(other.plain[o])
            for char in other.plain[o]
            if char not in EMPTY
        }
        for t in np.flatnonzero(cells.max(1) < SHARED).tolist():
            word = text.plain[t]
            chars = [char for char in word if char in free] if _is_content(word) else []
            if chars and not are_listed_opposites(word, other.plain[free[chars[0]]]):
                o = free[chars[0]]
                cells[t, o] = max(cells[t, o], SHARED * len(chars) / len(word))


def _is_content(word: str) -> bool:
    return bool(word) and word not in FUNCTION_WORDS and not is_punctuation(word)


def _link_numbers(grid: Grid, source: Spelling, output: Spelling) -> None:
    """Numbers of several words are linked completely or not at all."""
    sources, outputs = numbers(source), numbers(output)
    gone, new = unmatched(sources, outputs)
    grid[[t for number in gone for t in number.tokens]] = 0.0
    grid[:, [o for number in new for o in number.tokens]] = 0.0
    for one, other in match(sources, outputs):
        for t in one.tokens:
            grid[t, other.tokens[0]] = 1.0
        for o in other.tokens:
            grid[one.tokens[0], o] = 1.0


class ContextualAligner(UniversalAligner):
    """The rule aligner's links, and those of words that mean the same in their sentences.

    Two words are linked if each is the other's nearest by their vectors in a middle layer of the cross-encoder. Layer
    and threshold were chosen on half of the sentences that were linked by hand, with at most 10 links for 1,000 words
    between unrelated sentences and at most 10 % of wrong words in place of a right one linked
    (``benchmarks/results/finished.md``). Links around two words are not evidence here: they would support any word in
    the same place, whatever it means.
    """

    def __init__(self, rules: RuleAligner, encoder: WordEncoder) -> None:
        super().__init__(rules, encoder, limits=Limits(LEAST, LEAST, LEAST))
        self.signature = f"{rules.signature}|contextual:{LEAST}|{encoder.signature}"

    def content(self, words: Sequence[str], side: int) -> set[int]:
        """The content words; numerals are left to the rules."""
        is_function_word = self.rules.relations.is_function_word
        return {place for place, word in enumerate(words) if not is_function_word(word) and number_value(word) is None}

    def kind(self, source: str, output: str) -> LinkKind | None:
        """The kind of a link between two words in context; none between opposites."""
        kind = self.rules.relations.classify(source, output)
        return None if kind is None or are_opposed(spell(source), spell(output)) else kind


def contextual_aligner(*, lexicon: Lexicon | None = None) -> ContextualAligner:
    """The rules' links, and those of words that mean the same in their sentences."""
    return ContextualAligner(rule_aligner(lexicon=lexicon), token_encoder())


def token_encoder() -> ReaderTokenEncoder:
    """Pieces in a middle layer of the cross-encoder, for BERTScore."""
    return ReaderTokenEncoder(shipped(), layer=LAYER, sharpness=SHARPNESS, spelling=to_model_characters, spaced=False)
