"""The words that the English segmenter knows: abbreviations, contractions, prefixes, closed-class words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sema_english.words import table, word_list

TITLES = word_list("segmentation", "titles")
"""Abbreviations that stand before a name and so hardly ever end a sentence (lower case, without the full stop)."""
ABBREVIATIONS = TITLES | word_list("segmentation", "abbreviations")
"""Words that keep their full stop wherever they stand (lower case, without it)."""
ABBREVIATIONS_WHEN_CAPITALISED = word_list("segmentation", "abbreviations when capitalised")
"""Of these, those that are ordinary words or fragments unless written with a capital."""
ABBREVIATIONS_BEFORE_NUMBER = word_list("segmentation", "abbreviations before a number")
"""Ordinary words that are abbreviations only before a number (``No. 5``), and keep their full stop only there."""
JOINED_PREFIXES = "|".join(table("segmentation")["joined prefixes"].split())
"""Prefixes that stay joined to the word after their hyphen; every other hyphen is a token of its own."""
SPLIT_WORDS: Mapping[str, Sequence[int]] = table("segmentation")["split words"]
"""Contractions without an apostrophe, and where they split."""
BEFORE_CUT_OFF_T = word_list("segmentation", "before a cut-off t")
"""Word parts before the apostrophe of *n't* (``didn ' t``)."""
CLOSED_CLASS = word_list("segmentation", "closed class")
"""Words that begin sentences and are seldom in names: a capital on one after an abbreviation marks a new sentence."""
SPEECH_VERBS = word_list("segmentation", "speech verbs")
"""Verbs that go with a quotation: a quotation's own final sign before them does not end the sentence."""
