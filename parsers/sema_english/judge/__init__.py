"""The model of people's ratings of meaning, for English (card: ``MEANING_CARD.md``)."""
