"""Escapes of the Penn Treebank and Moses in tokenized text; control characters made visible."""

from __future__ import annotations

import re

BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}",
}  # fmt: skip
"""Penn Treebank's names of brackets."""

SIGNS = {**BRACKETS, "``": '"', "''": '"', "@-@": "-", "@,@": ",", "@.@": "."}
"""Penn Treebank's and Moses's names of signs, as tokens of their own."""

ENTITIES = {
    "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&bar;": "|",
    "&#34;": '"', "&#39;": "'", "&#91;": "[", "&#93;": "]", "&#124;": "|",
}  # fmt: skip
"""The character entities that Moses's tokenizer writes, inside tokens too."""

PUNCTUATION = BRACKETS.keys() | {"&quot;", "&apos;", "&#91;", "&#93;", "&#124;", "&bar;", "@-@"}
"""The names that are punctuation as a whole token, though they hold letters or digits."""

ENTITY = re.compile("|".join(map(re.escape, ENTITIES)))


def unescaped(token: str) -> str:
    """What a token stands for: ``-LRB-`` is ``(``, ``&apos;s`` is ``'s``."""
    if "&" in token:
        return ENTITY.sub(lambda match: ENTITIES[match.group()], token)
    return SIGNS.get(token, token)


CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that command a terminal."""


def visible(text: str) -> str:
    """The text with control characters (line ends too) and changes of direction written as escapes.

    Inputs and file names may contain such characters, and a terminal would obey them: clear the screen, reverse the
    text, type for the user.
    """
    return CONTROLS.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
