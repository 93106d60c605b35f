"""The language of a text, among those that are offered: by its letters, then by py3langid.

py3langid (BSD) is the naive Bayes classifier over byte n-grams of Lui and Baldwin (langid.py: An Off-the-shelf Language
Identification Tool, ACL 2012), with a model of 139 languages. Without that package, letters alone decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sema.model.language import Language, base_code
from sema.runtime.forks import cached_property
from sema.scoring.letters import LEAST_LETTERS, LEAST_SHARE, share_of

SURE = 0.5
"""The probability from which a guess counts as sure."""
READ = 4_000
"""Characters of a text that are read."""


class Guess(NamedTuple):
    """The code of a language, and whether the text says so clearly."""

    code: str
    sure: bool


class Detector:
    """Tells the language of texts.

    Args:
        languages: those to choose from. Those that state their letters (``Language.scripts``) are preferred for texts
            too short to tell.
    """

    def __init__(self, languages: Sequence[Language]) -> None:
        self._languages = languages

    def detect(self, text: str) -> Guess | None:
        """The likeliest language of a text; ``None`` if it has no letters, or no language has its letters."""
        text = text[:READ]
        fitting = [language for language in self._languages if _fits(language, text)]
        if not fitting or not any(char.isalpha() for char in text):
            return None
        likelihoods = self._probabilities(text)
        offered = {language.code: likelihoods.get(base_code(language.code), 0.0) for language in fitting}
        code, best = max(offered.items(), key=lambda entry: entry[1])
        total = sum(offered.values())
        # If a language that is not offered is far likelier, the guess is not sure.
        if total >= SURE and best / total >= SURE:
            return Guess(code, True)
        known = [language.code for language in fitting if language.scripts]
        alone = len(fitting) == 1 and not likelihoods
        return Guess(max(known, key=offered.__getitem__) if known else code, alone)

    def _probabilities(self, text: str) -> Mapping[str, float]:
        return dict(self._identifier.rank(text)) if self._identifier is not None else {}

    @cached_property
    def _identifier(self) -> Any:
        try:
            from py3langid.langid import MODEL_FILE, LanguageIdentifier
        except ImportError:
            return None
        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _fits(language: Language, text: str) -> bool:
    # The text is repeated, since a short one has no share: even a few letters show the script, if not the language.
    share = share_of(text * LEAST_LETTERS, language.scripts) if language.scripts else None
    return share is None or share >= LEAST_SHARE
