"""The value of numbers in digits of any script, however they are grouped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable

from sema.runtime.caching import remembered

_MONEY = "$£€¥₹₽₺+#"
_GROUPED = re.compile(r"(?P<whole>[1-9]\d{0,2}(?:(?P<sign>[.,'’٬ ])\d{3})(?:(?P=sign)\d{3})*)(?:[.,٫](?P<part>\d+))?")
"""Groups of three digits behind one sign, then a decimal part."""
_PLAIN = re.compile(r"(?P<whole>\d+)(?:[.,٫](?P<part>\d+))?")


@remembered
def number_value(word: str) -> Hashable | None:
    """The value of a number, with ``%`` if that follows; ``None`` for other words.

    ``1,000``, ``1.000``, ``1 000``, ``١٠٠٠`` and ``1000`` are one value, ``2.5`` and ``2,5`` another. Three digits
    after a single separator count as thousands in every language.
    """
    if not any(map(str.isdecimal, word)) or any(char.isnumeric() and not char.isdecimal() for char in word):
        return None
    written = "".join(str(unicodedata.decimal(char, char)) for char in unicodedata.normalize("NFKC", word))
    number = written.strip(_MONEY).rstrip(".").replace("٪", "%")
    bare = number.rstrip("%").strip()
    match = _GROUPED.fullmatch(bare) or _PLAIN.fullmatch(bare)
    if match is None:
        return None
    whole = "".join(filter(str.isdecimal, match["whole"]))
    value = float(f"{whole}.{match['part'] or 0}")
    return (value, "%") if number.endswith("%") else value
