"""Errors without the server's folders: who asks over the network learns nothing of the disk."""

from __future__ import annotations

import re

_FOLDER = re.compile(r"""(?<![\w:/\\.])(?:[A-Za-z]:|~)?[\\/](?:[^\s'"<>|:;,()\\/]+[\\/])+[^\s'"<>|:;,()\\/]*""")
HIDDEN = "the server's files"


def without_folders(message: str) -> str:
    """The message with every path of two or more parts replaced."""
    return _FOLDER.sub(HIDDEN, message)
