"""English training pairs in Chinese words: word by word, in the English order, names as Chinese names.

They are no Chinese sentences, but they lend the Chinese reader texts of other kinds than captions.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from random import Random

from sema_chinese.synonyms import known_names

from training.reader.chinese.bilingual import Bitext, glosses
from training.reader.english.examples import Example

_TOKEN = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|\d[\d,.]*\d|\d|[^\w\s]")
_DROPPED = frozenset(["a", "an", "the", "to", "be", "been", "am", "being", "do", "does", "did"])
_FIXED: Mapping[str, str] = dict(
    pair.split("=")
    for line in (
        ".=。 ,=， ?=？ !=！ ;=； :=： of=的 's=的 is=是 are=是 was=是 were=是 and=和 or=或 not=不 n't=不 no=没有",
        "never=从未 if=如果 will=将 must=必须 can=可以 may=可能 has=有 have=有 had=有 in=在 on=在 at=在 his=他的",
        "i=我 you=你 we=我们 they=他们 it=它 he=他 she=她 this=这 that=那 most=最 more=更 least=最 because=因为",
        "before=之前 after=之后 only=只 all=所有 some=一些 many=许多 by=被 from=从 with=与 for=为 than=比 but=但",
    )
    for pair in line.split()
)
_TELLING = 0.15
"""The probability from which a translation is used."""
_LISTED = 0.2
"""The weight of a wordnet's translation beside learned ones."""
_CHOICE = 3
"""The number of most frequent translations to choose from."""
_SAME_AGAIN = 0.8
"""The probability that a repeated word of a pair is translated as before."""


class Lender:
    """Translates examples."""

    def __init__(self, texts: Bitext, met: Counter[str], pieces: Collection[str], rng: Random) -> None:
        """``met``: how often each Chinese word stands in the training texts; others than ``pieces`` are not used."""
        known = set(pieces)
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for translations, least, prior in ((texts.words, _TELLING, None), (glosses(), 0.0, _LISTED)):
            for word, english in translations.items():
                for other, chance in english.items():
                    if word in known and not word.isascii() and chance > least:
                        weight = met[word] + 0.3 if prior is None else prior
                        found[other][word] += chance * chance * weight  # type: ignore[assignment]
        self._chinese = {
            english: [(word, weight * weight) for word, weight in words.most_common(_CHOICE)]
            for english, words in found.items()
        }
        self._names = sorted(name for name in known_names() if len(name) <= 4)
        self._rng = rng

    def lent(self, example: Example) -> Example:
        """The pair in Chinese words, each with the label of the English word that it stands for."""
        before: dict[str, str] = {}
        source, kept = self._text(example.source, example.source_words, before)
        output, supported = self._text(example.output, example.output_words, before)
        return replace(example, source=source, output=output, source_words=kept, output_words=supported)

    def _text(self, text: str, labels: Sequence[int], before: dict[str, str]) -> tuple[str, tuple[int, ...]]:
        words: list[str] = []
        flags: list[int] = []
        for place, run in enumerate(text.split()):
            for token in _TOKEN.findall(run):
                word = self._word(token, place == 0, before)
                if word:
                    words.append(word)
                    flags.append(labels[place] if labels else -1)
        return " ".join(words), tuple(flags) if labels else ()

    def _word(self, token: str, first: bool, before: dict[str, str]) -> str:
        plain = token.lower()
        if plain in _FIXED:
            return _FIXED[plain]
        if plain in _DROPPED:
            return ""
        if not token[0].isalpha():
            return token
        choices = self._chinese.get(plain)
        if token[0].isupper() and not first and not choices:
            return before.setdefault(token, self._rng.choice(self._names))
        if not choices:
            return plain
        if plain not in before or self._rng.random() > _SAME_AGAIN:
            before[plain] = self._rng.choices([word for word, _ in choices], [weight for _, weight in choices])[0]
        return before[plain]
