"""Language-specific treebank conventions, by entry points.

The group ``sema_ud.tree_rules`` has rules that normalize a tree before Scenes are extracted: the name is the
language's code (``zh`` stands for ``zh-hans`` too), the object a function from a tree to a tree over the same words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from sema.plugins import Group
from sema_ud.trees import DependencyTree

TreeRule = Callable[[DependencyTree], DependencyTree]


def _rule(name: str, found: object) -> TreeRule:
    if not callable(found):
        raise TypeError(f"{name!r} names no function of a tree")
    return cast(TreeRule, found)


GROUP = Group("sema_ud.tree_rules", _rule)


def tree_rules(language: str | None) -> tuple[TreeRule, ...]:
    """The rules of a language by its code, those of all languages if it is unknown (``None``).

    Raises:
        ResourceError: the package that adds one is broken.
    """
    names = (name for name in GROUP.names() if language is None or language == name or language.startswith(f"{name}-"))
    return tuple(rule for name in names if (rule := GROUP.get(name)) is not None)
