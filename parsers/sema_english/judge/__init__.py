"""The model of people's ratings of meaning, for English (card: ``weights/MEANING_CARD.md``)."""
