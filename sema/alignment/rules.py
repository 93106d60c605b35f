"""The rule aligner: links from word relations, chosen by their neighbourhood. No model, any language.

Links around two words support linking them. The idea is Sultan, Bethard and Sumner's (TACL 2014): words align when they
and their contexts are similar; here the context is the nearby words in both sentences.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import count
from operator import add

from sema.alignment.relations import Stemmer, WordRelations
from sema.model.links import Link, LinkKind, Pair

STRENGTHS = {
    LinkKind.EXACT: 1.0,
    LinkKind.FORM: 0.9,
    LinkKind.SYNONYM: 0.7,
    LinkKind.PARAPHRASE: 0.6,
    LinkKind.CONTEXTUAL: 0.6,
    LinkKind.HYPONYMY: 0.4,
}
_FUNCTION_WORD = 0.3
"""How much a function word's link supports its neighbours', where a content word's counts 1."""

_REACH = 3
_NEAR = [
    (sign * down, sign * across, weight / (1.0 + abs(down - across)))
    for sign in (1, -1)
    for down in range(1, _REACH + 1)
    for across in range(1, _REACH + 1)
    for weight in [0.5 / (down + across - 1)]
]
"""Neighbouring cells as (source step, output step, weight): nearer to the diagonal weighs more."""

_POSITION = 0.3
_EDGE = 0.5
_SUPPORT = (0.6, 0.3, 0.1, 0.05)
"""The context that a function word needs, round by round: links of earlier rounds support those of later ones."""

Cell = tuple[int, int, LinkKind]
"""A possible link: source token, output token, kind."""

CORRESPONDING = 5
"""Hyponymy needs one link of other content words for every five of the output's; four words need none."""

NEAREST = 12
"""The most occurrences of an output word, near its relative position, that a source word may link to."""

Completion = Callable[[Sequence[Link], Sequence[Cell], Sequence[str], Sequence[str]], list[Link]]
"""A language's own step: more links of a source and an output sentence, from those found and all possible ones."""


class RuleAligner:
    """Aligns by exact, form, synonym, paraphrase and hyponymy relations (:class:`sema.model.links.Aligner`).

    Links are one-to-one, save that several source words may meet in one output word that holds them all
    (*well known* / *well-known*) or that is wider than each of them (*apple and pear* / *fruit*).
    """

    def __init__(self, relations: WordRelations, completions: Sequence[Completion] = ()) -> None:
        """Align by the given relations; language and lexicon are theirs. ``completions`` add links, one by one."""
        self.relations = relations
        self._completions = completions
        self.signature = f"rules-5|{relations.signature}"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of each pair, ascending by source index; at most one link a source token."""
        given = [(tuple(source), tuple(output)) for source, output in pairs]
        distinct = {words for pair in given for words in pair}
        sentences = {words: Sentence(words, self.relations.spell) for words in distinct}
        return [
            self._align_pair(sentences[source], sentences[output], related)
            for (source, output), related in zip(given, self.relations.related_in(given), strict=True)
        ]

    def _align_pair(self, source: Sentence, output: Sentence, related: dict[str, frozenset[str]]) -> list[Link]:
        joined = _compound_links(source, output)
        taken, used = {link.source for link in joined}, {link.output for link in joined}
        relations = self.relations
        kind_of, is_function_word, is_main_verb = relations.kind, relations.is_function_word, relations.is_main_verb
        cells: list[Cell] = []
        function_words: set[int] = set()
        present = output.places.keys()
        ratio = len(output.words) / max(1, len(source.words))
        for i, word in enumerate(source.words):
            candidates = related[word]
            if present.isdisjoint(candidates) or i in taken:
                continue
            others = sorted(present & candidates, key=output.places.__getitem__)  # a set's order differs by process
            found = {other: kind for other in others if (kind := kind_of(word, other)) is not None}
            if is_function_word(word):
                function_words.add(i)
            elif certain := {other: kind for other, kind in found.items() if not is_main_verb(other)}:
                found = certain
            else:
                function_words.add(i)  # *owns* and *has*: may be an auxiliary, so the neighbours decide
            for other, kind in found.items():
                cells.extend((i, j, kind) for j in nearest(output.places[other], i * ratio) if j not in used)
        if all(i in function_words for i, _, _ in cells) and all(map(is_function_word, source.words)):
            function_words = set()  # function words only (*Why not?*): no content words support links
        links = joined + choose_links(cells, function_words, len(source.words), len(output.words))
        links += _shared_hypernyms(links, cells, ratio)
        for complete in self._completions:
            links += complete(links, cells, source.words, output.words)
        if not self._correspond(output.words, links):
            links = [link for link in links if link.kind is not LinkKind.HYPONYMY]
        return sorted(links)

    def _correspond(self, output: Sequence[str], links: Sequence[Link]) -> bool:
        """Whether enough other content words are linked to trust wider words: *country* may be a coincidence."""
        wider = {link.output for link in links if link.kind is LinkKind.HYPONYMY}
        if not wider:
            return True
        others = {j for j, word in enumerate(output) if j not in wider and not self.relations.is_function_word(word)}
        return len(others & {link.output for link in links}) >= len(others) // CORRESPONDING


def nearest(places: list[int], around: float) -> list[int]:
    """At most ``NEAREST`` of ascending places, those around another; a frequent word would pair with too many."""
    if len(places) <= NEAREST:
        return places
    middle = bisect_left(places, around)
    first = min(max(0, middle - NEAREST // 2), len(places) - NEAREST)
    return places[first : first + NEAREST]


def _shared_hypernyms(links: Sequence[Link], cells: Sequence[Cell], ratio: float) -> list[Link]:
    """Links from unlinked source words to an output word already linked as a hypernym, the nearest in relative place.

    ``ratio`` is the output's length divided by the source's.
    """
    taken = {link.source for link in links}
    wider = {link.output for link in links if link.kind is LinkKind.HYPONYMY}
    shared = [cell for cell in cells if cell[2] is LinkKind.HYPONYMY and cell[0] not in taken and cell[1] in wider]
    farthest_first = sorted(shared, key=lambda cell: (abs(cell[0] * ratio - cell[1]), cell[1]), reverse=True)
    return list({cell[0]: Link(*cell) for cell in farthest_first}.values())


_SHORTEST_JOINED = 5
"""The fewest letters of a joined word, so that *a* and *t* do not make *at*; scripts without case have no minimum."""


class Sentence:
    """A sentence's words with their places, and its words and runs of two and three words by what they spell."""

    __slots__ = ("_runs", "places", "runs", "spelled", "words")

    def __init__(self, words: tuple[str, ...], spell: Stemmer) -> None:
        self.words = words
        self.places: dict[str, list[int]] = {}
        for place, word in enumerate(words):
            self.places.setdefault(word, []).append(place)
        spelled = [word.replace("-", "") for word in map(spell, words)]
        self.spelled = dict(zip(reversed(spelled), range(len(spelled) - 1, -1, -1), strict=True))
        pairs = list(map(add, spelled, spelled[1:]))
        # Start and length in one number: a tuple for each run would take longer than all the rest to make and to free.
        self._runs = dict(zip(map(add, pairs, spelled[2:]), count(1, 2), strict=False))
        self._runs.update(zip(pairs, count(0, 2), strict=False))
        self.runs = self._runs.keys()

    def run(self, joined: str) -> range:
        """The places of the words that spell a word together."""
        start, longer = divmod(self._runs[joined], 2)
        return range(start, start + 2 + longer)


def _is_joined(word: str) -> bool:
    if not word.isalnum():
        return False
    return len(word) >= _SHORTEST_JOINED or (word == word.upper() and not word.isdecimal())


def _compound_links(source: Sentence, output: Sentence) -> list[Link]:
    """Form links between a word that one sentence has and the run of words that spells it in the other.

    A joined source word links to the last word of the run (its head, where the language is right-headed); the words of
    a source run all link to the joined output word. Of joined words that need the same words the first is linked; one
    that both sentences have is left to the other rules.
    """
    found: dict[int, Link] = {}
    used: set[int] = set()
    for word in sorted(source.spelled.keys() & output.runs, key=source.spelled.__getitem__):
        if _is_joined(word) and word not in output.spelled:
            i, j = source.spelled[word], output.run(word)[-1]
            if j not in used:
                found[i] = Link(i, j, LinkKind.FORM)
                used.add(j)
    for word in sorted(source.runs & output.spelled.keys(), key=output.spelled.__getitem__):
        if _is_joined(word) and word not in source.spelled:
            j, run = output.spelled[word], source.run(word)
            if j not in used and found.keys().isdisjoint(run):
                found.update((i, Link(i, j, LinkKind.FORM)) for i in run)
                used.add(j)
    return list(found.values())


def choose_links(cells: Sequence[Cell], function_words: Collection[int], length: int, output_length: int) -> list[Link]:
    """Choose one-to-one links among possible ones, ascending by source token.

    ``cells`` are the possible links, ``function_words`` the source tokens that are function words or punctuation, and
    the lengths those of the two sentences. Content words are chosen best first by strength, context and relative
    position, twice: first every possible link around counts as context, then the chosen ones only. Function words
    are linked where chosen links are close enough; without a linked content word there are no links.
    """
    content = [cell for cell in cells if cell[0] not in function_words]
    if not content:
        return []
    stride = output_length + 2 * _REACH + 2
    steps = [(down * stride + across, weight) for down, across, weight in _NEAR]
    tilt = _POSITION / length, _POSITION / output_length
    grid = {i * stride + j: STRENGTHS[kind] * (_FUNCTION_WORD if i in function_words else 1.0) for i, j, kind in cells}
    chosen: list[Cell] = []
    sources, outputs = Counter([i for i, _, _ in content]), Counter([j for _, j, _ in content])
    alone = [cell for cell in content if sources[cell[0]] == 1 == outputs[cell[1]]]
    rivals = [cell for cell in content if not sources[cell[0]] == 1 == outputs[cell[1]]]
    for _ in range(2 if rivals else 1):
        ranked = sorted(
            (-STRENGTHS[kind] - _context(i * stride + j, grid, steps) + abs(i * tilt[0] - j * tilt[1]), i, j, kind)
            for i, j, kind in rivals
        )
        chosen = alone + _take([entry[1:] for entry in ranked], set(), set())
        grid = {i * stride + j: STRENGTHS[kind] for i, j, kind in chosen}
    grid[-stride - 1] = grid[length * stride + output_length] = _EDGE
    taken, used = {i for i, _, _ in chosen}, {j for _, j, _ in chosen}
    waiting = [cell for cell in cells if cell[0] in function_words]
    for support in _SUPPORT:
        waiting = [cell for cell in waiting if cell[0] not in taken and cell[1] not in used]
        if not waiting:
            break
        ranked = sorted(
            (abs(i * tilt[0] - j * tilt[1]) - context - STRENGTHS[kind], i, j, kind)
            for i, j, kind in waiting
            if (context := _context(i * stride + j, grid, steps)) >= support
        )
        linked = _take([entry[1:] for entry in ranked], taken, used)
        chosen += linked
        grid.update((i * stride + j, STRENGTHS[kind] * _FUNCTION_WORD) for i, j, kind in linked)
    return sorted(Link(*cell) for cell in chosen)


def _context(place: int, grid: dict[int, float], steps: Sequence[tuple[int, float]]) -> float:
    """The strength of the links around a cell, weighted by nearness."""
    total = 0.0
    for step, weight in steps:
        near = place + step
        if near in grid:
            total += weight * grid[near]
    return total


def _take(ranked: Iterable[Cell], sources: set[int], outputs: set[int]) -> list[Cell]:
    """The cells, in ranked order, whose tokens are both free; the sets are updated."""
    taken: list[Cell] = []
    for i, j, kind in ranked:
        if i not in sources and j not in outputs:
            sources.add(i)
            outputs.add(j)
            taken.append((i, j, kind))
    return taken
