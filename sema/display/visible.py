"""Text of others on its way to a terminal: what would command it is shown instead."""

from __future__ import annotations

import json
import re

_COMMANDS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """The text with control characters (line ends too) and changes of direction written as escapes.

    Such characters come with inputs and file names; a terminal would obey them: clear the screen, turn the text round,
    type for the user.
    """
    return _COMMANDS.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def to_json(value: object) -> str:
    """The value as one line of JSON that a terminal can show: such characters are escaped as JSON has them."""
    plain = json.dumps(value, ensure_ascii=False)
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", plain)
