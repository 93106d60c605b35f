"""Difficulty of words: length, syllables, frequency, senses; and substitutions. English."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sema.features.base import FeatureGroup, TextGroup, average, ratio
from sema.model.item import Item, Need
from sema.model.lexicon import IndexedLexicon
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.features.readability import plain_words, syllables
from sema_english.words import FUNCTION_WORDS, PERSONAL, word_table

if TYPE_CHECKING:
    from sema.model.language import Parts
    from sema.model.lexicon import Lexicon

RARE_ZIPF, COMMON_ZIPF = 3.5, 5.0


def is_content(word: str) -> bool:
    """Whether an English word is of an open class, by exclusion; numbers are not."""
    return word.lower() not in FUNCTION_WORDS and any(map(str.isalpha, word)) and not word.startswith("'")


class Lexical(TextGroup, name="lexical"):
    """Lexical complexity: length, syllables, frequency, senses and variety of the words.

    Features:
        letters: letters in a word
        content_letters: letters in a content word
        syllables: syllables in a word (CMU dictionary, else rules)
        long_words: share of words of three syllables or more
        most_syllables: syllables of the longest word
        zipf: frequency of the words on the Zipf scale, mean
        content_zipf: frequency of the content words, mean
        rarest_zipf: frequency of the rarest lower-cased content word
        rare_fifth_zipf: mean frequency of the rarest fifth of the content words
        rare: share of content words below 3.5 on the Zipf scale
        common: share of content words of 5 or more on the Zipf scale
        unlisted: share of words outside the frequency list
        names: share of words with a capital that do not begin a sentence
        variety: different words for each word
        density: share of content words
        pronouns: personal pronouns for each word
        senses: usual senses of a content word in the language's lexicon
        single_sense: share of content words with one usual sense at most
    """

    used: Lexicon | None

    def uses(self, parts: Parts) -> Lexicon | None:
        return parts.lexicon

    @property
    def signature(self) -> str:
        return word_table().signature

    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Mapping[str, float]:
        table = word_table()
        words = plain_words(text)
        content = [word for word in words if is_content(word)]
        starts = {text.words[start] for start, _ in text.sentences}
        names = [word for word in words if word[0].isupper() and word not in starts and word != "I"]
        plain = [word for word in content if word[0].islower()] or content
        counts = [syllables(word) for word in words]
        zipfs = [table.zipf(word) for word in words]
        content_zipfs = sorted(table.zipf(word) for word in content)
        plain_zipfs = sorted(table.zipf(word) for word in plain)
        lexicon = self.used if isinstance(self.used, IndexedLexicon) else None
        senses = [0 if lexicon is None else len(lexicon.senses(word)) for word in content]
        number = len(content)
        return {
            "letters": average([len(word) for word in words]),
            "content_letters": average([len(word) for word in content]),
            "syllables": average(counts),
            "long_words": ratio(sum(count >= 3 for count in counts), len(words)),
            "most_syllables": max(counts, default=0),
            "zipf": average(zipfs),
            "content_zipf": average(content_zipfs),
            "rarest_zipf": plain_zipfs[0] if plain_zipfs else 0.0,
            "rare_fifth_zipf": average(plain_zipfs[: max(1, len(plain_zipfs) // 5)]),
            "rare": ratio(sum(zipf < RARE_ZIPF for zipf in content_zipfs), number),
            "common": ratio(sum(zipf >= COMMON_ZIPF for zipf in content_zipfs), number),
            "unlisted": ratio(sum(word not in table for word in words), len(words)),
            "names": ratio(len(names), len(words)),
            "variety": ratio(len({word.lower() for word in words}), len(words)),
            "density": ratio(number, len(words)),
            "pronouns": ratio(sum(word.lower() in PERSONAL for word in words), len(words)),
            "senses": average(senses),
            "single_sense": ratio(sum(count <= 1 for count in senses), number),
        }


class Substitutions(FeatureGroup, name="substitutions"):
    """Words added beside words deleted or replaced: frequency and syllables.

    Features:
        added_zipf: mean frequency of the content words that the source lacks (where none is added, the source's)
        deleted_zipf: mean frequency of the source's content words that the output lacks (likewise)
        zipf_gain: added_zipf less deleted_zipf where words were added and deleted, else 0
        syllable_gain: mean syllables of deleted less added content words, else 0
        replaced: share of the source's content words that are linked to another form
        replaced_zipf_gain: mean gain of frequency from a replaced content word to the word in its place
        replaced_worse: share of the source's content words with a rarer word in their place
        replaced_better: share of the source's content words with a more common word in their place
        rarest_added: frequency of the rarest added content word; 8 where none is added
        unlisted_added: share of the added content words outside the frequency list
    """

    requires = frozenset({Need.LINKS})

    @property
    def signature(self) -> str:
        return word_table().signature

    def values(self, item: Item) -> Mapping[str, float]:
        table = word_table()
        source = [word.lower() for word in plain_words(item.source) if is_content(word)]
        output = [word.lower() for word in plain_words(item.output) if is_content(word)]
        added = list((Counter(output) - Counter(source)).elements())
        deleted = list((Counter(source) - Counter(output)).elements())
        usual = average([table.zipf(word) for word in source])
        added_zipf = average([table.zipf(word) for word in added], usual)
        deleted_zipf = average([table.zipf(word) for word in deleted], usual)
        both = bool(added and deleted)
        before = average([syllables(word) for word in deleted])
        gains = _gains(item)
        return {
            "added_zipf": added_zipf,
            "deleted_zipf": deleted_zipf,
            "zipf_gain": added_zipf - deleted_zipf if both else 0.0,
            "syllable_gain": before - average([syllables(word) for word in added]) if both else 0.0,
            "replaced": ratio(len(gains), len(source)),
            "replaced_zipf_gain": average(gains),
            "replaced_worse": ratio(sum(gain < -0.2 for gain in gains), len(source)),
            "replaced_better": ratio(sum(gain > 0.2 for gain in gains), len(source)),
            "rarest_added": min((table.zipf(word) for word in added), default=8.0),
            "unlisted_added": ratio(sum(word not in table for word in added), len(added)),
        }


def _gains(item: Item) -> list[float]:
    """The gain of frequency for every source content word that is linked to another form."""
    table = word_table()
    gains = []
    for words, links in zip(item.output.sentence_words, item.links, strict=True):
        for link in links:
            before, after = item.source.words[link.source].lower(), words[link.output].lower()
            if before != after and is_content(before) and is_content(after):
                gains.append(table.zipf(after) - table.zipf(before))
    return gains
