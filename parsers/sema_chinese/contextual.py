"""Links between words that mean the same in their sentences, for words that the rules leave unlinked.

Two words are linked if each is the other's nearest by their vectors in a middle layer of the cross-encoder. Layer and
threshold were chosen on half of the sentences that were linked by hand, with at most 10 links for 1,000 words between
unrelated sentences and at most 10 % of wrong words in place of a right one linked (``benchmarks/results/finished.md``).
Links around two words are not evidence here: they would support any word in the same place, whatever it means.
"""

from __future__ import annotations

from collections.abc import Sequence

from sema_reader.shipped import shipped_token_encoder
from sema_reader.token_encoder import ReaderTokenEncoder
from sema_ud.links import Limits, UniversalAligner, WordEncoder

from sema.alignment.rules import RuleAligner
from sema.model.lexicon import Lexicon
from sema.model.links import LinkKind
from sema_chinese.relations import number_value, rule_aligner, spell
from sema_chinese.segmentation.segmenter import to_model_characters
from sema_chinese.substitutes import are_opposed

LEAST = 0.68
"""The least cosine of a link."""
LAYER, SHARPNESS = 6, 3
"""Layer and exponent that agree best with post-editing effort, on machine translations and their post-edits (MLQE-PE
en-zh dev; ``benchmarks/results/finished.md``)."""


class ContextualAligner(UniversalAligner):
    """The rule aligner's links, and those of words in context."""

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
    return shipped_token_encoder(layer=LAYER, sharpness=SHARPNESS, spelling=to_model_characters, spaced=False)
