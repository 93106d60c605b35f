"""The model at work: word features to probabilities, probabilities to scores; plain arrays, no framework."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import numpy as np

from sema.metrics.meaning.evidence import with_words
from sema.metrics.meaning.words import CERTAIN, FUNCTION
from sema.model.item import Item
from sema.model.language import TextReader
from sema.model.lexicon import Lexicon
from sema.model.meaning import Meaning, Words
from sema.runtime.checksums import checked
from sema.runtime.threads import one_blas_thread
from sema_english.judge.features import LIKELIEST_LINK, NEW_BREAKS, WORD_ITSELF, Numbers, WordFeatures, in_common
from sema_english.judge.reader import WEIGHTS

FILE = "meaning.npz"
VERSION = 4
SURE = 0.995
"""The share of a copy's probability from which a word counts as sure."""
TURNED = 0.9
"""The share of words in common from which a text counts as turned (in voice or order), not as written anew."""
BROKEN = 2.0
"""How much of that a break takes: half a break all of it."""
REACH = 6.0
"""Standard deviations beyond which a feature says no more."""


@dataclass(frozen=True)
class Network:
    """The arrays of one fitted model (``weights/meaning.npz``, no pickle).

    More of what speaks for a word never lowers its probability, more of what speaks against it never raises it: the
    weights on the way have the signs that :mod:`sema_english.judge.features` gives.

    Attributes:
        mean, scale: what features are standardised by.
        hidden, hidden_bias, out, out_bias: two layers to the logit of a word's probability.
        trust: how much that probability decides, against what links and facts alone say.
        worth, worth_bias: what a word counts, by side, from what it is.
        mix: what recall and precision count; neither is negative, so that losing and adding never pay.
        floor: the sum that unrelated texts get; it scores 0.
    """

    mean: Numbers
    scale: Numbers
    hidden: Numbers
    hidden_bias: Numbers
    out: Numbers
    out_bias: Numbers
    trust: Numbers
    worth: Numbers
    worth_bias: Numbers
    mix: Numbers
    floor: Numbers

    def probabilities(self, features: Numbers) -> Numbers:
        """How likely every word is kept or supported."""
        chosen = np.clip((features - self.mean) / self.scale, -REACH, REACH)
        hidden = np.tanh(chosen @ self.hidden + self.hidden_bias)
        found: Numbers = 1 / (1 + np.exp(-(hidden @ self.out + self.out_bias)))
        return found

    def weights(self, features: Numbers, side: int) -> Numbers:
        """What every word counts; punctuation nothing."""
        itself = features[:, WORD_ITSELF]
        found: Numbers = np.log1p(np.exp(2 * (itself @ self.worth[:, side] + self.worth_bias[side]) + 0.5))
        return found * (1 - itself[:, 1])


@lru_cache(maxsize=2)
def load(folder: Path = WEIGHTS) -> tuple[Network, str]:
    """The model of a folder and the digest of its weights.

    Raises:
        ResourceError: a file is missing or damaged.
    """
    digest = checked(folder, "weights of the meaning model")
    with np.load(folder / FILE, allow_pickle=False) as arrays:
        return Network(**{field.name: arrays[field.name] for field in fields(Network)}), digest


class EnglishMeaning:
    """Reads words as people judge them: fitted to ratings of meaning (:class:`sema.model.meaning.MeaningJudge`).

    A word's probability is taken relative to what it would have in a copy of its text, so that a copy is certain; the
    more of their words two texts have in common, from nine of ten on, the nearer to that.
    """

    def __init__(self, features: WordFeatures, network: Network, digest: str = "") -> None:
        """``digest`` names the network's weights in signatures."""
        self._features = features
        self._network = network
        self._digest = digest

    @property
    def signature(self) -> str:
        """Name, version and digest of the weights."""
        return f"rated-{VERSION}+{self._digest}"

    def words(self, items: Sequence[Item], drafts: Sequence[Meaning]) -> list[Meaning]:
        """The evidence with the model's probabilities and weights; what facts say against a word stays said."""
        with one_blas_thread():
            self._features.prepare(items)
            return [self._judged(item, draft) for item, draft in zip(items, drafts, strict=True)]

    def _judged(self, item: Item, draft: Meaning) -> Meaning:
        trust = float(self._network.trust)
        common = (in_common(item.source.words, item.output.words) - TURNED) / (1 - TURNED)
        found = []
        sides = zip(self._features.of(item), (draft.source, draft.output), strict=True)
        for number, (features, said) in enumerate(sides):
            copied = self._network.probabilities(self._features.in_copy(features))
            likely = np.minimum(self._network.probabilities(features) / copied / SURE, 1.0)
            likely += (1 - likely) * max(0.0, common) * _whole(features)
            facts = np.asarray(said.probabilities, np.float32)
            chosen = trust * _with_facts(likely, features[:, LIKELIEST_LINK], facts) + (1 - trust) * facts
            weights = _counted(self._network.weights(features, number), features, said.weights)
            found.append(Words(tuple(chosen.tolist()), tuple(weights.tolist())))
        return with_words(draft, *found)

    def scores(self, meaning: Meaning) -> Mapping[str, float]:
        """The scores of an item's evidence: a sum in which nothing that is lost or added can count for more."""
        if not meaning.output.probabilities:
            return dict.fromkeys(("meaning", "meaning_recall", "meaning_precision"), 0.0)
        kept, supported = self._network.mix.tolist()
        floor = float(self._network.floor)
        total = kept * meaning.recall + supported * meaning.precision
        return {
            "meaning": 100 * float(np.clip((total - floor) / (kept + supported - floor), 0, 1)),
            "meaning_recall": 100 * meaning.recall,
            "meaning_precision": 100 * meaning.precision,
        }


def _whole(features: Numbers) -> Numbers:
    """How far a turned text vouches for its words of content: their contexts change, what they say does not."""
    found: Numbers = np.clip(1 - BROKEN * features[:, NEW_BREAKS], 0.0, 1.0) * (features[:, WORD_ITSELF[0]] == 0)
    return found


def _counted(weights: Numbers, features: Numbers, said: Sequence[float]) -> Numbers:
    """The model's weights; words of grammar that a fact hangs on (*not*, *may*) count as facts say."""
    facts = np.asarray(said, np.float32)
    found: Numbers = np.where((features[:, WORD_ITSELF[0]] > 0) & (facts > FUNCTION), facts, weights)
    return found


def _with_facts(likely: Numbers, linked: Numbers, said: Numbers) -> Numbers:
    """The model's probabilities, lowered where facts lowered the draft's, and raised where they raised it."""
    before = np.clip(linked / CERTAIN, 0.0, 1.0)
    lowered = np.where(said < before, said / np.maximum(before, 1e-9), 1.0)
    found: Numbers = np.maximum(likely * lowered, np.where(said > before, said, 0.0))
    return found


def english_meaning(reader: TextReader, lexicon: Lexicon | None = None) -> EnglishMeaning:
    """The model that ships."""
    from sema_english.relations import relations

    network, digest = load()
    return EnglishMeaning(WordFeatures(relations(lexicon), reader), network, digest)
