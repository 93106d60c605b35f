"""A result's signature in one short line; the long one names all that decides the numbers."""

from __future__ import annotations

import hashlib

DIGITS = 6


def short_signature(signature: str) -> str:
    """``sema 0.3.0 · en · 8f3c2a``: version, language, and the first digits of the long signature's SHA-256.

    Args:
        signature: a report's, as ``key:value|…``.
    """
    parts = dict(part.partition(":")[::2] for part in signature.split("|"))
    digest = hashlib.sha256(signature.encode()).hexdigest()[:DIGITS]
    return " · ".join([f"sema {parts.get('sema', '')}".strip(), parts.get("lang", ""), digest])
