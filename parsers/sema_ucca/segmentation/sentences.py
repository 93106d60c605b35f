"""Sentence boundaries over English tokens."""

from __future__ import annotations

from collections.abc import Sequence

from sema.text import Token

_FINAL = frozenset(".!?") 
_CLOSERS = frozenset(("\"", "'", "”", "’", "''", ")", "]", "}", "»"))


def split(raw: str, tokens: Sequence[Token]) -> list[tuple[int, int]]:
    spans = []
    first = 0
    i = 0
    n = len(tokens)
    while i < n:
        t = tokens[i].text
        j = i + 1
        if t[-1] in _FINAL or t[-1] == "…":
            while j < n and tokens[j].text in _CLOSERS and (tokens[j].start == tokens[j - 1].end):
                j += 1
            if j < n:
                abbr = t[-1] == "." and len(t.strip(".")) > 0
                nxt = tokens[j].text
                ok = not (abbr or t in ("...", "..", "…")) and (t != "." or not nxt[0].islower() or tokens[i].start > tokens[i - 1].end)
                if nxt in (",", ";", ":"):
                    ok = False
                if ok:
                    spans.append((first, j))
                    first = j
        i = j
    if first < n:
        spans.append((first, n))
    return spans
