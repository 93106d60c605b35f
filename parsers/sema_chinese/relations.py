"""Chinese word relations: lexicon, function words, words that are cut differently; and the rule aligner with them.

Chinese words are segmented inconsistently and have meaningful parts. So :class:`Completions` adds to the rules' links:
runs of tokens that spell a word of the lexicon are linked as one (研讨 会, a seminar, with 会议, a conference); then
abbreviations are linked, and related words in the same place between links.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import Annotated, NamedTuple

from sema.alignment.relations import Shape, WordRelations
from sema.alignment.rules import Cell, Completion, RuleAligner
from sema.model.lexicon import IndexedLexicon, LayeredLexicon, Lexicon
from sema.model.links import Link, LinkKind
from sema.runtime.caching import remembered
from sema.runtime.pairs import Partners, load_pairs
from sema_chinese.notation.spelling import DIGITS, POWERS, characters, number_value, plain, spell
from sema_chinese.words import TABLES, table, word_list

FUNCTION_WORDS = word_list("relations", "function words")
"""Words that are linked only on their neighbours' evidence; pronouns are not among them."""


class FunctionWords(Collection[str]):
    """Function words, pronouns, particles and measure words, in either script."""

    simplified = FUNCTION_WORDS.union(*table("closed_classes").values())

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and plain(word) in self.simplified

    def __iter__(self) -> Iterator[str]:
        return iter(self.simplified)

    def __len__(self) -> int:
        return len(self.simplified)


ROLES: dict[str, set[int]] = {}
"""The functions of each function word. Words of one function replace each other: news prefers the older ones, plain
Chinese the newer.
"""
for _role, _listed in enumerate(table("relations")["same job"]):
    for _word in _listed.split():
        ROLES.setdefault(_word, set()).add(_role)

OPPOSITE_CHARACTERS = {frozenset(pair) for pair in word_list("relations", "opposite characters")}
"""Pairs of characters with opposite meanings."""

ALTERING = frozenset(table("relations")["altering characters"]) | DIGITS.keys() | POWERS.keys()
"""Characters that negate or count."""


def is_partial(first: str, second: str) -> bool:
    """Whether one word is the other cut short: 高中 and 高级中学, 校 and 学校.

    The shorter word's characters stand in the longer in the same order; a single character must open or close a word
    of two. What the longer word adds must not negate or count (规则, 不规则; 公里, 三公里).
    """
    short, long = sorted((spell(first), spell(second)), key=len)
    if not short or len(short) == len(long) or not long.isalpha():
        return False
    if len(short) == 1:
        return len(long) == 2 and short in long and ALTERING.isdisjoint(long)
    rest = iter(long)
    if not all(char in rest for char in short):
        return False
    return ALTERING.isdisjoint(set(long) - set(short))


GLOSSES = TABLES / "glosses.npz"
"""Pairs of words in simplified characters that CC-CEDICT explains alike; ``CARD.md`` says how they were chosen."""


@cache
def shipped_pairs() -> Partners:
    """The partners of each word by the pairs that ship."""
    return load_pairs(GLOSSES)


class GlossLexicon(LayeredLexicon):
    """``base`` with the pairs of the table; words that share a sense in ``base`` are not paraphrases."""

    def __init__(self, base: IndexedLexicon) -> None:
        super().__init__(base, "cc-cedict-1")
        self.paraphrases = remembered(self._paraphrases)

    def over(self, base: IndexedLexicon) -> GlossLexicon:
        """The same pairs beside another lexicon."""
        return GlossLexicon(base)

    def lemmas(self, word: str) -> frozenset[str]:
        """The base lexicon's lemmas, and a traditional word's simplified form."""
        simplified, forms = plain(word), self.base.lemmas(word)
        return forms if simplified == word else forms | {simplified}

    def _paraphrases(self, word: str) -> frozenset[str]:
        """The words that are paired with a word or its simplified form."""
        return frozenset(shipped_pairs().get(plain(word), ()))

    def are_paraphrases(self, first: str, second: str) -> bool:
        """Whether the words are paired and share no sense."""
        return plain(second) in self.paraphrases(first) and not self.are_synonyms(first, second)


def chinese_lexicon() -> Lexicon:
    """The Chinese Open Wordnet and Wiktionary's senses with CC-CEDICT's pairs, for simplified and traditional words."""
    from sema_wordnet import WordNetLexicon

    return GlossLexicon(WordNetLexicon.chinese())


def relations(
    lexicon: Lexicon | None = None, *, reverse_hyponymy: bool = False, hyponymy_depth: int = 3
) -> WordRelations:
    """Chinese word relations, over :func:`chinese_lexicon` unless another lexicon is given."""
    words = lexicon or chinese_lexicon()
    return WordRelations(
        words,
        stem=spell,
        spell=spell,
        value=number_value,
        function_words=FUNCTION_WORDS,
        roles=ROLES,
        shape=Shape(characters, is_partial),
        hyponymy_depth=hyponymy_depth,
        reverse_hyponymy=reverse_hyponymy,
    )


_STEPS = ((1, 1), (1, 2), (2, 1), (2, 2))
"""The allowed offsets of a neighbouring link, in source and output tokens: one token may intervene."""
_LONGEST = 3
"""The largest number of tokens of a word, and of words that an abbreviation stands for."""
_KINDS = (LinkKind.SYNONYM, LinkKind.PARAPHRASE, LinkKind.HYPONYMY)
"""Relations by which runs are linked; equal spellings are linked token by token already."""

Free = Sequence[int]
"""Indexes of content words without a link, ascending."""

_CLASSES = frozenset(table("relations")["class characters"])
"""Characters that, at the end of a word, name the class of things it belongs to."""


class Whole(NamedTuple):
    """A word of the lexicon, or a token: its spelling and its tokens."""

    word: str
    tokens: range


@dataclass(frozen=True)
class Completions:
    """The steps over some relations.

    ``words`` knows kindred words, whose neighbours must confirm that they mean the same.
    """

    relations: WordRelations
    words: Lexicon

    @property
    def steps(self) -> tuple[Completion, ...]:
        """The steps in their order, for :class:`sema.alignment.rules.RuleAligner`."""
        return self._shared_spellings, self._whole_words, self._remaining

    def _shared_spellings(
        self, links: Sequence[Link], cells: Sequence[Cell], source: Sequence[str], output: Sequence[str]
    ) -> list[Link]:
        """Links from unlinked source words to a linked output word that contains their spelling too."""
        taken = {link.source for link in links}
        rest: dict[int, str] = {}
        for i, j, *_ in links:
            rest[j] = rest.get(j, spell(output[j])).replace(spell(source[i]), "\0", 1)
        spelled_alike: list[Link] = []
        for i, j, kind in cells:
            if kind is LinkKind.FORM and i not in taken and spell(source[i]) in rest.get(j, ""):
                rest[j] = rest[j].replace(spell(source[i]), "\0", 1)
                spelled_alike.append(Link(i, j, kind))
                taken.add(i)
        return spelled_alike

    def _whole_words(
        self, links: Sequence[Link], cells: Sequence[Cell], source: Sequence[str], output: Sequence[str]
    ) -> list[Link]:
        """Links for unlinked tokens that are part of a whole word which is related to another.

        At least one of the two is a run of tokens that spells a word of the lexicon. No other link may leave the two
        words. The tokens of both are paired from the last one back; source tokens without a partner link to the
        output's first.
        """
        partners: dict[int, set[int]] = {}
        origins: dict[int, set[int]] = {}
        for i, j, *_ in links:
            partners.setdefault(i, set()).add(j)
            origins.setdefault(j, set()).add(i)
        sources, outputs = self._wholes(source, partners.keys()), self._wholes(output, origins.keys())
        if not sources or not outputs:
            return []
        related = self.relations.related({whole.word for whole in sources}, {whole.word for whole in outputs})
        whole_links: list[Link] = []
        for first in sources:
            for second in outputs:
                if second.word not in related[first.word] or max(len(first.tokens), len(second.tokens)) == 1:
                    continue
                own, other = set(first.tokens), set(second.tokens)
                kind = self.relations.kind(first.word, second.word)
                if kind not in _KINDS:
                    continue
                if any(partners.get(i, other) - other for i in own) or any(origins.get(j, own) - own for j in other):
                    continue
                for i in sorted(own - partners.keys()):
                    j = max(second.tokens.start, second.tokens.stop - (first.tokens.stop - i))
                    whole_links.append(Link(i, j, kind))
                    partners[i] = {j}
                    origins.setdefault(j, set()).add(i)
                break
        return whole_links

    def _wholes(self, sentence: Sequence[str], linked: Set[int]) -> list[Whole]:
        """The content words of a sentence, and the runs that spell a word of the lexicon, the longest first, without
        those whose tokens are all linked."""
        wholes = []
        for size in range(_LONGEST, 0, -1):
            for start in range(len(sentence) - size + 1):
                tokens, words = range(start, start + size), sentence[start : start + size]
                if linked >= {*tokens} or all(map(self.relations.is_function_word, words)):
                    continue
                if size == 1 or self.relations.is_listed("".join(words)):
                    wholes.append(Whole("".join(words), tokens))
        return wholes

    def _remaining(
        self, links: Sequence[Link], cells: Sequence[Cell], source: Sequence[str], output: Sequence[str]
    ) -> list[Link]:
        """Links between content words that have none yet; ``links`` are those of the two sentences so far.

        An abbreviation links to the last word of the run that it is short for; the words of a source run all link to
        the output's abbreviation. Kindred words in the same place are linked as contextual.
        """

        def free(words: Sequence[str], taken: set[int]) -> list[int]:
            return [k for k, word in enumerate(words) if k not in taken and not self.relations.is_function_word(word)]

        sources = free(source, {link.source for link in links})
        outputs = free(output, {link.output for link in links})
        if not sources:
            return []
        loose: dict[int, list[int]] = {}  # output words that may abbreviate a run of which one word is linked already
        for link in links:
            if link.kind is LinkKind.PARAPHRASE:
                loose.setdefault(link.output, []).append(link.source)
        remaining: list[Link] = []
        for i in sources:
            run = self._spelled_out(source[i], outputs, output)
            if run:
                remaining.append(Link(i, run[-1], LinkKind.FORM))
                outputs = [j for j in outputs if j not in run]
        short = {link.source for link in remaining}
        sources = [i for i in sources if i not in short]
        for j in [*outputs, *loose]:
            run = self._spelled_out(output[j], sorted([*sources, *loose.get(j, ())]), source)
            if run:
                remaining += [Link(i, j, LinkKind.FORM) for i in run if i in sources]
                sources = [i for i in sources if i not in run]
                outputs = [k for k in outputs if k != j]
        return remaining + self._kindred([*links, *remaining], sources, outputs, source, output)

    def _spelled_out(self, word: str, free: Free, words: Sequence[str]) -> list[int]:
        """The free words that the word abbreviates, separated at most by function words and punctuation; or none."""
        own = characters(word)
        for start, first in enumerate(free):
            if own.isdisjoint(characters(words[first])):
                continue
            run = [first]
            for k in free[start + 1 : start + _LONGEST]:
                if not all(map(self.relations.is_function_word, words[run[-1] + 1 : k])):
                    break
                run.append(k)
                if abbreviates(word, [words[place] for place in run]):
                    return run
        return []

    def _kindred(
        self, links: Sequence[Link], sources: Free, outputs: Free, source: Sequence[str], output: Sequence[str]
    ) -> list[Link]:
        """Links between kindred words whose neighbours on both sides are linked with each other, or the sentences'
        edges.

        A new link counts for those after it, so that two neighbours may both be replaced.
        """
        linked = {(link.source, link.output) for link in links} | {(-1, -1), (len(source), len(output))}
        kindred_links: list[Link] = []
        used: set[int] = set()
        for i in sources:
            for j in outputs:
                if j in used or not is_kindred(source[i], output[j], self.words):
                    continue
                if all(any((i + sign * a, j + sign * b) in linked for a, b in _STEPS) for sign in (-1, 1)):
                    kindred_links.append(Link(i, j, LinkKind.CONTEXTUAL))
                    linked.add((i, j))
                    used.add(j)
                    break
        return kindred_links


def abbreviates(word: str, run: Sequence[str]) -> bool:
    """Whether a word takes one character, in order, from each word of a run: 经贸, 经济 贸易; 珍稀, 珍贵 稀有.

    The words of the run have two characters or more and none of them is a numeral.
    """
    word = spell(word)
    return len(word) == len(run) and all(
        len(long) > 1 and char in long and char not in ALTERING and number_value(long) is None
        for char, long in zip(word, map(spell, run), strict=True)
    )


def is_kindred(first: str, second: str, words: Lexicon) -> bool:
    """Whether two words of two characters share one and may well mean the same in the same place: 探讨, 讨论.

    The characters in which they differ must not be opposites (进口, 出口), negate or count. Words that end in the same
    class character (妻子, 儿子; 法国, 美国) and words that the lexicon puts at most two steps below the same wider word
    (北京, 南京) are different things. The lexicon must know one of the two, which excludes most pairs of names (湖北,
    河北).
    """
    first, second = spell(first), spell(second)
    if len(first) != 2 or len(second) != 2 or len(set(first) & set(second)) != 1:
        return False
    if number_value(first) is not None or number_value(second) is not None:
        return False
    rest = set(first) ^ set(second)
    if not ALTERING.isdisjoint(rest) or frozenset(rest) in OPPOSITE_CHARACTERS:
        return False
    if first[1] == second[1] and first[1] in _CLASSES:
        return False
    if not (words.lemmas(first) or words.lemmas(second)):
        return False
    return not (isinstance(words, IndexedLexicon) and words.hypernyms(first, 2) & words.hypernyms(second, 2))


def rule_aligner(
    *,
    lexicon: Lexicon | None = None,
    reverse_hyponymy: Annotated[bool, "a source word links to a narrower word too, not to a wider one alone"] = False,
    hyponymy_depth: Annotated[int, "how many steps wider the output word may be at most; 0: none"] = 20,
) -> RuleAligner:
    """The rule aligner for Chinese."""
    from sema_wordnet import ClassLimits, WordNetLexicon

    words = lexicon or chinese_lexicon()
    base = words.base if isinstance(words, GlossLexicon) else words
    if isinstance(base, WordNetLexicon):
        read = base.reading(classes=ClassLimits())
        words = words.over(read) if isinstance(words, GlossLexicon) else read
    related = relations(words, reverse_hyponymy=reverse_hyponymy, hyponymy_depth=hyponymy_depth)
    return RuleAligner(related, Completions(related, base).steps)
