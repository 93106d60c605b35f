"""Chinese: segmentation in both scripts, Scenes from dependency trees, links, readers, levels."""

from sema_chinese.language import chinese

__all__ = ["chinese"]
