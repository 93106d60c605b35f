"""Chinese sentence splitting and words."""

from sema_chinese.segmentation.segmenter import ChineseSegmenter

__all__ = ["ChineseSegmenter"]
