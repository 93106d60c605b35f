"""Language-specific treebank conventions, by entry points.

The group ``sema_ud.tree_rules`` has rules that normalize a tree before Scenes are extracted: the name is the
language's code (``zh`` stands for ``zh-hans`` too), the object a function from a tree to a tree over the same words.
The group ``sema_ud.label_sets`` has label sets other than UD's that files may use: a :class:`LabelSet` by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

from sema.plugins import Group
from sema_ud.trees import DependencyTree

TreeRule = Callable[[DependencyTree], DependencyTree]


@dataclass(frozen=True)
class LabelSet:
    """Dependency labels other than UD's.

    ``to_ud`` converts a tree with them to UD 2 over the same words, given the words' parts of speech in the file.
    """

    name: str
    labels: frozenset[str]
    to_ud: Callable[[DependencyTree, Sequence[str]], DependencyTree]


def _rule(name: str, found: object) -> TreeRule:
    if not callable(found):
        raise TypeError(f"{name!r} names no function of a tree")
    return cast(TreeRule, found)


GROUP = Group("sema_ud.tree_rules", _rule)


def _label_set(name: str, found: object) -> LabelSet:
    if not isinstance(found, LabelSet):
        raise TypeError(f"{name!r} names no LabelSet")
    return found


LABEL_SETS = Group("sema_ud.label_sets", _label_set)


@cache
def label_sets() -> tuple[LabelSet, ...]:
    """All installed label sets.

    Raises:
        ResourceError: the package that adds one is broken.
    """
    return tuple(found for name in LABEL_SETS.names() if (found := LABEL_SETS.get(name)) is not None)


def tree_rules(language: str | None) -> tuple[TreeRule, ...]:
    """The rules of a language by its code, those of all languages if it is unknown (``None``).

    Raises:
        ResourceError: the package that adds one is broken.
    """
    names = (name for name in GROUP.names() if language is None or language == name or language.startswith(f"{name}-"))
    return tuple(rule for name in names if (rule := GROUP.get(name)) is not None)
