"""English sentence splitting and tokenisation."""

from sema_english.segmentation.segmenter import EnglishSegmenter

__all__ = ["EnglishSegmenter"]
