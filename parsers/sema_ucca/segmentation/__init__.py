"""English sentence splitting and tokenisation."""

from sema_ucca.segmentation.segmenter import EnglishSegmenter

__all__ = ["EnglishSegmenter"]
