"""False links by the wordnet of each language: words of unrelated sentences that are linked.

    python -m benchmarks.alignment.wordnets

Each sentence of a language's parallel treebank (PUD, first half) is aligned with the seventh after it, of another text:
no link is right. Words are the treebank's own lemmas, so that no other tool counts; function words are those that it
mostly tags as such, and the aligner does not look them up. Figures are links for every 1,000 words without punctuation.
Real synonyms (*decir*, *contar*) are among the links, since they do occur in unrelated sentences. ``any sense`` is
synonymy by every sense of a word, however small its share of the word's uses. English WordNet, for comparison, is on
the last line: there words keep their endings, and the sentences are those that the French treebank names as its
sources.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from sema_english.relations import rule_aligner
from sema_ud.conllu import Sentence
from sema_wordnet import WordNetLexicon
from sema_wordnet.languages import folded

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import pud
from sema.alignment.relations import WordRelations
from sema.alignment.rules import RuleAligner
from sema.model.links import LinkKind
from sema.model.text import is_punctuation

LANGUAGES = ("ar", "cs", "de", "es", "fr", "hi", "id", "it", "ko", "pl", "pt", "ru", "sv", "th", "tr")
"""The languages with a parallel treebank and an index."""
UNRELATED = 7
"""How many sentences apart the two of a pair are; a text of the parallel treebanks has at most five."""
CONTENT = {"ADJ", "ADV", "NOUN", "NUM", "PROPN", "VERB"}
ENGLISH = re.compile(r"[\w'-]+|[^\w\s]")
COLUMNS = ("synonyms", "hyponymy", "synonyms, any sense")
STEPS = 20
"""Steps of hyponymy, as the rule aligners allow."""

Word = tuple[str, str]
"""Lemma and universal part of speech."""


def words_of(sentence: Sentence) -> list[Word]:
    """The words of a sentence; the form stands for a lemma that is not given."""
    words, upos = sentence.tree.words, sentence.tree.upos
    return [(lemma or form, tag) for lemma, form, tag in zip(sentence.lemmas, words, upos, strict=True)]


def function_words(sentences: Iterable[Sequence[Word]]) -> set[str]:
    """Lemmas that are mostly tagged as function words."""
    balance: Counter[str] = Counter()
    for sentence in sentences:
        for lemma, tag in sentence:
            balance[lemma.lower()] += 1 if tag in CONTENT else -1
    return {lemma for lemma, more in balance.items() if more < 0}


def unrelated(aligner: RuleAligner, sentences: Sequence[tuple[str, ...]]) -> dict[LinkKind, float]:
    """Links of each kind with unrelated sentences, for 1,000 words."""
    shifted = [*sentences[UNRELATED:], *sentences[:UNRELATED]]
    found = Counter(link.kind for links in aligner.align(list(zip(sentences, shifted, strict=True))) for link in links)
    words = sum(not is_punctuation(word) for sentence in sentences for word in sentence)
    return {kind: 1000 * found[kind] / words for kind in LinkKind}


def main(argv: Sequence[str] | None = None) -> None:
    most = 20 if CommandLine(__doc__).parse(argv).smoke else None
    table = Figures("alignment.wordnets", "language", digits=2, data="PUD, first half")
    for language in LANGUAGES[: 2 if most else None]:
        tagged = list(map(words_of, pud(language)[:most]))
        sentences, functions = [tuple(lemma for lemma, _ in one) for one in tagged], function_words(tagged)
        lexicon = WordNetLexicon.of(language)
        read = partial(WordRelations, stem=folded, spell=folded, function_words=functions, hyponymy_depth=STEPS)
        links, loose = (unrelated(RuleAligner(read(one)), sentences) for one in (lexicon, lexicon.reading(share=0.0)))
        figures = (links[LinkKind.SYNONYM], links[LinkKind.HYPONYMY], loose[LinkKind.SYNONYM])
        table.row(language, dict(zip(COLUMNS, figures, strict=True)), n=len(sentences))
    texts = [one.comments.get("text_en", "") for one in pud("fr")[:most]]
    aligner = rule_aligner(lexicon=WordNetLexicon.of("en").reading(names=True))
    links = unrelated(aligner, [tuple(ENGLISH.findall(text)) for text in texts])
    figures = (links[LinkKind.SYNONYM], links[LinkKind.HYPONYMY], None)
    table.row("en", dict(zip(COLUMNS, figures, strict=True)), n=len(texts))


if __name__ == "__main__":
    run(main)
