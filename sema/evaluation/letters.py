"""Letters of significance: systems that share a letter do not differ.

The compact letter display by insertion and absorption of Piepho, Journal of Computational and Graphical Statistics 13
(2004), section 2: every significant difference splits the groups that hold both systems, and a group inside another one
is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_letters


def compact_letters(names: Sequence[str], differing: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of each name; two names share one if and only if they do not differ.

    Args:
        names: in the order in which groups take their letters: the group of the first name has ``a``.
        differing: the pairs that differ.

    >>> compact_letters(["best", "middle", "worst"], [("best", "worst")])
    {'best': 'a', 'middle': 'ab', 'worst': 'b'}
    """
    groups = [frozenset(names)]
    for first, second in differing:
        split = [group - {name} for group in groups if {first, second} <= group for name in (second, first)]
        kept = [group for group in groups if not {first, second} <= group]
        groups = []
        for group in sorted([*kept, *split], key=len, reverse=True):
            if not any(group <= larger for larger in groups):
                groups.append(group)
    place = {name: number for number, name in enumerate(names)}
    ordered = sorted(groups, key=lambda group: sorted(place[name] for name in group))
    many = len(ascii_letters)  # ``a`` to ``Z``, then these with numbers
    letters = [ascii_letters[at % many] + (str(at // many) if at >= many else "") for at in range(len(ordered))]
    groups_of = list(zip(letters, ordered, strict=True))
    return {name: "".join(letter for letter, group in groups_of if name in group) for name in names}
