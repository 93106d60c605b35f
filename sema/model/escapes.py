"""How the Penn Treebank and Moses write signs in tokenized text, and the signs themselves."""

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
